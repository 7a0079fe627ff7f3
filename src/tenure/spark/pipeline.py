"""A pipeline: what it is made of, and `run`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from tenure.limits import BUNDLES_UNDER_WAY, RUN_BYTES, RUN_RECORDS, TARGET_BATCH_TIME_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.progress import Observer
from tenure.pipeline.state import visible
from tenure.spark.declare import DeadLetter, OnBadRecord, Stateful, Through, Topic, Transform
from tenure.spark.job import bound, check_topics, state_schema_of
from tenure.spark.kept_state import kept_state
from tenure.spark.outputs import check_outputs
from tenure.spark.sinks import SINKS, Sink

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Work that a consumer group does: each record of `source` goes through `process` into `sink`, exactly once.

    `name` is the group: another application that runs a pipeline of this name takes over a share of the partitions.
    State and manifests stand in `state_directory`, by default in the sink's directory, under names that readers skip.
    Both may be URLs of any store that fsspec speaks to (`s3://bucket/flights`); `storage_options` are handed to it.
    """

    name: str
    source: Topic | Through | Sequence[Topic | Through]
    """One topic; or several that are partitioned alike, whose rows come in the order of their records' timestamps."""
    process: Stateful | Transform
    sink: Sink | Topic
    state_directory: str | None = None
    on_bad_record: OnBadRecord = "stop"
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    side: Mapping[str, Sink | Topic] = field(default_factory=dict)
    """Named outputs beside `sink`: the function returns tables by their names then, the sink's being ""."""

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A pipeline needs a name: it is its consumer group.")
        for part, kinds, example in (
            ("process", Stateful | Transform, "stateful(function, state='…') or transform(function)"),
            ("sink", (*SINKS, Topic), "Parquet('out/flights')"),
        ):
            if not isinstance(getattr(self, part), kinds):
                raise PipelineConfigError(f"The {part} of pipeline {self.name} must be {example}.")
        if not self.topics or not all(isinstance(topic, Topic) for topic in self.topics):
            raise PipelineConfigError(f"The source of pipeline {self.name} must be Topic('flights', value=json('…')).")
        check_topics(self)
        check_outputs(self)
        if self.on_bad_record not in ("stop", "skip") and not isinstance(self.on_bad_record, DeadLetter):
            raise PipelineConfigError(
                f"on_bad_record is 'stop', 'skip' or DeadLetter(topic), not {self.on_bad_record!r}."
            )
        if isinstance(self.process, Stateful):
            bound(self)  # Refuses what does not fit the source.

    @property
    def topics(self) -> tuple[Topic, ...]:
        """What it reads, in the order in which it was declared."""
        return tuple(source.topic if isinstance(source, Through) else source for source in self.sources)

    @property
    def sources(self) -> tuple[Topic | Through, ...]:
        """As they were declared, with those that go through another topic."""
        return (self.source,) if isinstance(self.source, Topic | Through) else tuple(self.source)

    def run(
        self,
        *,
        bootstrap_servers: str,
        group_instance_id: str | None = None,
        client_id: str | None = None,
        threads: int = 1,
        until: Literal["stopped", "caught-up"] = "stopped",
        max_records: int = RUN_RECORDS,
        max_bytes: int = RUN_BYTES,
        target_batch_time_s: float = TARGET_BATCH_TIME_S,
        tasks: int = BUNDLES_UNDER_WAY,
        on_disagreement: Literal["refuse", "trust-offsets", "trust-state"] = "refuse",
        observer: Observer | None = None,
        spark: "SparkSession | None" = None,
        session_timeout_ms: int | None = None,
        heartbeat_interval_ms: int | None = None,
        max_poll_interval_ms: int = 300_000,
        group_protocol: Literal["classic", "consumer"] | None = None,
        on_unreleased: Literal["seize", "wait", "fail"] = "seize",
        security: Mapping[str, Any] | None = None,
        metrics: str | None = None,
        standby: bool = False,
        spark_ui: bool = False,
        ending_offsets: Mapping[str, Mapping[int, int]] | None = None,
    ) -> None:
        """Work until SIGTERM or Ctrl-C, or until every lane has been read to its end: that of its log, or the one that
        `ending_offsets` names by topic and partition.

        With a `group_instance_id` the application's members are static, one per thread: it may be stopped, or killed,
        and started again within its session, and no partition moves. Each running application needs a name of its own.

        A member has up to `tasks` batches under way, each a Spark task of its own, and with at most `max_records`
        records of `max_bytes` in all of them. How many one takes is learned from those before, so that it takes about
        `target_batch_time_s`.

        The broker assigns partitions, and says how long sessions last and how often to heartbeat: `group_protocol`
        "consumer" (KIP-848), where the broker has it. A killed application's seats are seized by its successor then,
        unless `on_unreleased` says to wait until its session has ended, or to fail. With "classic", or on a broker that
        has nothing else, members say it: `session_timeout_ms`, 45 s unless given, and `heartbeat_interval_ms`. Whoever
        gives one of them has chosen "classic".

        A `standby` starts Spark, and then waits until nobody has the seats of its `group_instance_id` any longer.

        `security` has Kafka's keys for TLS and SASL, as a `Consumer` takes them; Spark's tasks read the files that they
        name. Tells people on standard error what it does; an `observer` gets all of it as data instead. At `metrics`,
        HOST:PORT, collectors read /metrics in Prometheus' format, and probes /healthz and /readyz.

        Uses `spark`, or the session that is active, or starts a local one, with its web interface if `spark_ui` says
        so; any session's interface shows the pipeline under "Structured Streaming". Raises `PipelineStopped`, whose
        `code` says why; nothing is lost then. An application whose seat was taken by another one of its name exits
        with status 3: do not start it again.
        """
        from tenure.spark.runner import Options, run

        options = Options(
            bootstrap_servers=bootstrap_servers, security=security or {}, group_instance_id=group_instance_id,
            client_id=client_id or group_instance_id or self.name, threads=threads, until=until,
            max_records=max_records, max_bytes=max_bytes, target_batch_time_s=target_batch_time_s, tasks=tasks,
            on_disagreement=on_disagreement, observer=observer,
            session_timeout_ms=session_timeout_ms, heartbeat_interval_ms=heartbeat_interval_ms,
            max_poll_interval_ms=max_poll_interval_ms, group_protocol=group_protocol, on_unreleased=on_unreleased,
            metrics=metrics, standby=standby, spark_ui=spark_ui, ending_offsets=ending_offsets,
        )  # fmt: skip
        run(self, options, spark)

    @property
    def state_schema(self) -> pa.Schema:
        """What is kept: the key, then the state's columns."""
        schema = state_schema_of(self)
        if schema is None:
            raise PipelineConfigError(f"Pipeline {self.name} keeps no state: only stateful(…) does.")
        return visible(schema)

    def state(self) -> pa.Table:
        """What is kept now, read from beside: as of each partition's last published batch."""
        return kept_state(self)
