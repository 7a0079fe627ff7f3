"""Options of one application that runs a pipeline."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tenure.client.group.membership_settings import CLASSIC, CONSUMER, FAIL, SEIZE, WAIT
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS, bootstrap
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.values.progress import Observer

FENCED_EXIT_STATUS: Final = 3
"""Exit status of an application that was fenced. A supervisor must not restart it."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of one run of a pipeline. `Pipeline.run` describes them and has their defaults."""

    bootstrap_servers: str
    security: Mapping[str, Any] = field(repr=False)
    group_instance_id: str | None
    client_id: str
    threads: int
    until: Literal["stopped", "caught-up"]
    max_records: int
    max_bytes: int
    target_batch_time_s: float
    tasks: int
    on_disagreement: str
    session_timeout_ms: int | None
    heartbeat_interval_ms: int | None
    max_poll_interval_ms: int
    group_protocol: str | None
    on_unreleased: str
    observer: Observer | None
    metrics: str | None
    standby: bool
    spark_ui: bool
    ending_offsets: Mapping[str, Mapping[int, int]] | None
    remark: str = ""
    """Log line about an option that was chosen automatically; "" for none."""

    def __post_init__(self) -> None:
        if min(self.threads, self.tasks, self.max_records) < 1:
            asked = f"{self.threads}, {self.tasks} and {self.max_records}"
            raise PipelineConfigError(f"threads, tasks and max_records must be at least 1, not {asked}.")
        if min(self.max_bytes, self.target_batch_time_s) <= 0:
            asked = f"{self.max_bytes} and {self.target_batch_time_s}"
            raise PipelineConfigError(f"max_bytes and target_batch_time_s must be more than 0, not {asked}.")
        check_protocol(self)
        if self.on_unreleased not in (SEIZE, WAIT, FAIL):
            raise PipelineConfigError(f"Unknown on_unreleased {self.on_unreleased!r}: use {SEIZE}, {WAIT} or {FAIL}.")
        try:
            bootstrap(self.cluster)
        except ValueError as error:
            raise PipelineConfigError(str(error)) from None

    @property
    def cluster(self) -> dict[str, Any]:
        """Kafka's configuration keys for addresses, TLS and SASL."""
        return {**self.security, BOOTSTRAP_SERVERS: self.bootstrap_servers}


def check_protocol(options: RunOptions) -> None:
    """Raise PipelineConfigError if the group protocol is unknown or excludes another option."""
    if options.group_protocol not in (None, CLASSIC, CONSUMER):
        raise PipelineConfigError(f"Unknown group_protocol {options.group_protocol!r}: use {CLASSIC} or {CONSUMER}.")
    if options.group_protocol == CONSUMER and (session := session_option(options)):
        raise PipelineConfigError(
            f"The broker sets {session} under the consumer protocol: set the group's"
            f" consumer.{session.removesuffix('_ms').replace('_', '.')}.ms instead (`tenure groups config`), or use"
            ' group_protocol="classic".'
        )


def session_option(options: RunOptions) -> str:
    """Return the name of an option that only the classic protocol has; "" if none is set."""
    given = {"session_timeout_ms": options.session_timeout_ms, "heartbeat_interval_ms": options.heartbeat_interval_ms}
    return next((name for name, value in given.items() if value is not None), "")
