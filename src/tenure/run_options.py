"""Options of a pipeline run: one declaration for `Pipeline.run`, `tenure pipeline run` and the reference pages.

The command line imports this module for every command, so it imports neither Spark nor Arrow.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import wraps
from pathlib import Path
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Concatenate,
    Final,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    get_args,
    get_origin,
)

from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS, bootstrap
from tenure.client.net.security import OAUTH_CALLBACK, TOKEN_URL
from tenure.limits.pipeline import RUNNING_BATCHES, RUNNING_BYTES, RUNNING_RECORDS, TARGET_BATCH_TIME_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.protocol.special_values import CONSUMER, STREAMS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tenure.pipeline.values.progress import Observer

P = ParamSpec("P")
S = TypeVar("S")

GROUP, BATCHES, MONITORING, AVAILABILITY = "Group membership", "Batches", "Monitoring", "Availability"
SPARK = "Spark"

BETTER_OPTIONS: Final = {
    "spark.master": "use master",
    "spark.submit.pyFiles": "use py_files",
    "spark.submit.deployMode": "the process that runs the pipeline is the driver; for a driver in the cluster use"
    " spark-submit --deploy-mode cluster",
}
"""Spark settings that users must not pass, each with the alternative that the error message names."""

MASTERS: Final = re.compile(r"local(\[.+\])?|local-cluster\[.+\]|spark://.+|yarn|k8s://.+")
"""Pattern of the URLs that Spark accepts as its master."""


class Option(NamedTuple):
    """Documentation of an option for users."""

    help: str
    """Sentences that a user of Python and of the command line understands."""
    panel: str = ""
    """Section in the help of `tenure pipeline run`; empty for an option that only `Pipeline.run` has."""
    metavar: str | None = None
    default: str = ""
    """Phrase about a default that is chosen when the run starts; "" if the default is a fixed value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of one run of a pipeline, and their checks."""

    bootstrap_servers: Annotated[str, Option("Comma-separated HOST:PORT of the brokers.")]
    group_instance_id: Annotated[
        str | None,
        Option(
            "Name of the application, unique among running ones. Its members are static then (KIP-345): a restart "
            "within the session timeout moves no partition.",
            GROUP,
            "ID",
        ),
    ] = None
    client_id: Annotated[
        str | None,
        Option(
            "Client id in the broker's log and metrics.", GROUP, "ID", "the group instance id, or the pipeline's name"
        ),
    ] = None
    threads: Annotated[int, Option("Number of group members to run.", GROUP, "N")] = 1
    session_timeout_ms: Annotated[
        int | None,
        Option(
            "Time without a heartbeat after which the group removes a member. Implies the classic protocol; under the "
            "consumer protocol the broker sets it.",
            GROUP,
            "MS",
            "45000 in the classic protocol",
        ),
    ] = None
    heartbeat_interval_ms: Annotated[
        int | None,
        Option(
            "Time between two heartbeats. Implies the classic protocol.", GROUP, "MS", "3000 in the classic protocol"
        ),
    ] = None
    max_poll_interval_ms: Annotated[int, Option("Time after which a batch counts as hung.", GROUP, "MS")] = 300_000
    group_protocol: Annotated[
        Literal["classic", "consumer", "streams"] | None,
        Option(
            "Group protocol: the broker (consumer, KIP-848) or a member (classic) assigns partitions. With streams "
            "(KIP-1071) all steps of the pipeline are one group, and the broker creates the topics between them.",
            GROUP,
            "PROTOCOL",
            default="consumer if the broker supports it",
        ),
    ] = None
    on_unreleased: Annotated[
        Literal["seize", "wait", "fail"],
        Option(
            "Action if the group still has the static members of an application that was killed (consumer protocol): "
            "replace them, wait for their session timeout, or stop.",
            GROUP,
        ),
    ] = "seize"
    until: Annotated[
        Literal["stopped", "caught-up"], Option("When to exit: after a stop, or at the end of all logs.", BATCHES)
    ] = "stopped"
    max_records: Annotated[int, Option("Maximum records in the running batches of a member.", BATCHES, "N")] = (
        RUNNING_RECORDS
    )
    max_bytes: Annotated[
        int, Option("Maximum bytes in memory of the records in the running batches of a member.", BATCHES, "N")
    ] = RUNNING_BYTES
    target_batch_time_s: Annotated[
        float, Option("Time in seconds that a batch should take; the batch size adapts to it.", BATCHES, "S")
    ] = TARGET_BATCH_TIME_S
    tasks: Annotated[int, Option("Maximum concurrent batches of a member, each a Spark task.", BATCHES, "N")] = (
        RUNNING_BATCHES
    )
    on_disagreement: Annotated[
        Literal["refuse", "trust-offsets", "trust-state"],
        Option(
            "Action if committed offsets and state disagree: stop, continue from the offsets with empty state, or "
            "continue where the state ends.",
            BATCHES,
        ),
    ] = "refuse"
    ending_offsets: Annotated[
        Mapping[str, Mapping[int, int]] | None, Option("Offsets at which to stop reading, by topic and partition.")
    ] = None
    observer: Annotated[
        "Observer | None",
        Option("Function that gets each step as `Progress`.", default="log lines on standard error"),
    ] = None
    metrics: Annotated[
        str | None,
        Option("Address that serves /metrics (Prometheus), /healthz and /readyz.", MONITORING, "HOST:PORT"),
    ] = None
    spark_ui: Annotated[
        bool, Option("Start a new Spark session with its web UI, which shows the pipeline.", MONITORING)
    ] = False
    standby: Annotated[
        bool,
        Option("Start Spark, then wait until the members of the same group instance id are gone.", AVAILABILITY),
    ] = False
    master: Annotated[
        str | None,
        Option(
            "Cluster that runs the tasks, as for spark-submit: spark://HOST:PORT, yarn, k8s://URL or local[N].",
            SPARK,
            "URL",
            "local[*]",
        ),
    ] = None
    conf: Annotated[Mapping[str, str] | None, Option("Spark settings of a new session.")] = field(
        default=None, repr=False
    )
    py_files: Annotated[
        Sequence[str] | None,
        Option(".py and .zip files with modules that executors import, beside the pipeline's own module or package."),
    ] = None
    shared_directory: Annotated[
        bool,
        Option(
            "Allow output and state at paths on a cluster: all hosts have mounted the same file system there. Every "
            "executor checks that.",
            SPARK,
        ),
    ] = False
    spark: Annotated[
        "SparkSession | None", Option("Spark session.", default="the active session, or a new local one")
    ] = field(default=None, repr=False)
    security: Annotated[
        Mapping[str, Any] | None,
        Option(
            "Kafka's configuration keys for TLS and SASL, as for `Consumer`. Spark's tasks read the named files, so "
            "they must exist on every host."
        ),
    ] = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for option in RUN_OPTIONS:
            value = getattr(self, option.name)
            if option.choices and value not in (*option.choices, option.default):
                *others, last = option.choices
                raise PipelineConfigError(f"Unknown {option.name} {value!r}: use {', '.join(others)} or {last}.")
        if min(self.threads, self.tasks, self.max_records) < 1:
            requested = f"{self.threads}, {self.tasks} and {self.max_records}"
            raise PipelineConfigError(f"threads, tasks and max_records must be at least 1, not {requested}.")
        if min(self.max_bytes, self.target_batch_time_s) <= 0:
            requested = f"{self.max_bytes} and {self.target_batch_time_s}"
            raise PipelineConfigError(f"max_bytes and target_batch_time_s must be more than 0, not {requested}.")
        if self.group_protocol in (CONSUMER, STREAMS) and (session := self.session_option):
            config = f"{self.group_protocol}.{session.removesuffix('_ms').replace('_', '.')}.ms"
            raise PipelineConfigError(
                f"The broker sets {session} under the {self.group_protocol} protocol: set the group's {config} instead"
                ' (`tenure groups config`), or use group_protocol="classic".'
            )
        self._check_spark()
        if OAUTH_CALLBACK in (self.security or {}):
            raise PipelineConfigError(
                f"{OAUTH_CALLBACK} in security is a function, which Spark's tasks cannot call: set {TOKEN_URL} instead."
            )
        try:
            bootstrap(self.cluster)
        except ValueError as error:
            raise PipelineConfigError(str(error)) from None

    def _check_spark(self) -> None:
        if self.master is not None and not MASTERS.fullmatch(self.master):
            raise PipelineConfigError(
                f"Unknown master {self.master!r}: use spark://HOST:PORT, yarn, k8s://URL or local[N]."
            )
        if self.spark is not None and (self.master is not None or self.conf):
            raise PipelineConfigError("The Spark session already has a master and settings: leave out master and conf.")
        for key in self.conf or ():
            if not key.startswith("spark."):
                raise PipelineConfigError(f"Unknown Spark setting {key!r}: keys of conf begin with spark.")
            if (better := BETTER_OPTIONS.get(key)) is not None:
                raise PipelineConfigError(f"Spark setting {key} cannot be in conf: {better}.")
        for place in self.py_files or ():
            if not place.endswith((".py", ".zip", ".egg")):
                raise PipelineConfigError(f"{place} in py_files is not a .py, .zip or .egg file.")
            if not Path(place).is_file():
                raise PipelineConfigError(f"There is no file {place}: correct py_files.")

    @property
    def cluster(self) -> dict[str, Any]:
        """Kafka's configuration keys for addresses, TLS and SASL."""
        return {**(self.security or {}), BOOTSTRAP_SERVERS: self.bootstrap_servers}

    @property
    def session_option(self) -> str:
        """Name of the first option set by the user that only the classic protocol supports; "" if there is none."""
        given = {"session_timeout_ms": self.session_timeout_ms, "heartbeat_interval_ms": self.heartbeat_interval_ms}
        return next((name for name, value in given.items() if value is not None), "")


class RunOption(NamedTuple):
    """Field of `RunOptions` with its type, default and documentation."""

    name: str
    type: Any
    """Type of the option's value if the value is not None."""
    choices: tuple[str, ...]
    """Valid values; empty if all values of its type are valid."""
    default: Any
    described: Option

    @property
    def default_text(self) -> str:
        """Default as text for users; "" for none."""
        fixed = "" if self.default in (None, False) else str(self.default)
        return self.described.default or fixed


def _run_option(one: "Field[Any]") -> RunOption:
    annotation, described = get_args(one.type)
    union = get_args(annotation)
    kind = union[0] if NoneType in union else annotation
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    return RunOption(one.name, kind, choices, None if one.default is MISSING else one.default, described)


RUN_OPTIONS: Final = tuple(map(_run_option, fields(RunOptions)))


def takes_options(
    options: Callable[P, RunOptions],
) -> Callable[[Callable[[S, RunOptions], None]], Callable[Concatenate[S, P], None]]:
    """Return a decorator for a method with one parameter of type `RunOptions`.

    Callers of the decorated method pass the fields of `RunOptions` as keyword arguments.
    """

    def decorate(method: Callable[[S, RunOptions], None]) -> Callable[Concatenate[S, P], None]:
        @wraps(method)
        def run(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            method(self, options(*args, **kwargs))

        own, *_ = inspect.signature(method).parameters.values()
        signature = inspect.signature(RunOptions)
        given = [one.replace(annotation=get_args(one.annotation)[0]) for one in signature.parameters.values()]
        vars(run)["__signature__"] = signature.replace(parameters=[own, *given])
        run.__doc__ = f"{inspect.cleandoc(method.__doc__ or '')}\n\nArgs:\n{_described_arguments()}"
        return run

    return decorate


def _described_arguments() -> str:
    lines = []
    for option in RUN_OPTIONS:
        default = f" Default: {option.default_text}." if option.default_text else ""
        lines.append(f"    {option.name}: {option.described.help}{default}\n")
    return "".join(lines)
