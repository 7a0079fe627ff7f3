"""The class `Pipeline`: its checks, `run` and `state`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from tenure.limits import BUNDLES_UNDER_WAY, RUN_BYTES, RUN_RECORDS, TARGET_BATCH_TIME_S
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.values.progress import Observer
from tenure.spark.declarations.inputs import bind_operator, check_topics
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import Stateful, Transform
from tenure.spark.declarations.topics import DeadLetter, Topic
from tenure.spark.kept_state import OnDamaged, kept_state, visible_state_schema
from tenure.spark.sinks.output_checks import check_outputs
from tenure.spark.sinks.outputs import SINKS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Pipeline(PipelineDeclaration):
    """A pipeline that processes each record of `source` exactly once and writes the result to `sink`.

    Applications that run a pipeline of the same name form a consumer group and share its partitions. Creating a
    `Pipeline` checks the declaration and raises PipelineConfigError; it connects to nothing. `PipelineDeclaration`
    describes the arguments.
    """

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A pipeline needs a name, which is also its consumer group.")
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
                f"Unknown on_bad_record {self.on_bad_record!r}: use 'stop', 'skip' or DeadLetter(topic)."
            )
        if isinstance(self.process, Stateful):
            bind_operator(self)  # Raises if the operator does not fit the source.

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
        """Run the pipeline until SIGTERM or Ctrl-C, or until it has caught up.

        Args:
            bootstrap_servers: Comma-separated HOST:PORT of the brokers.
            group_instance_id: Name of this application, unique among running ones. Its members are static then
                (KIP-345): a restart within the session timeout moves no partition.
            client_id: Client id in the broker's log and metrics. Default: `group_instance_id`, or the pipeline's name.
            threads: Number of group members to run.
            until: "stopped", or "caught-up" to return at the end of all logs.
            max_records: Maximum records in the running batches of a member.
            max_bytes: Maximum bytes in memory of the records in the running batches of a member.
            target_batch_time_s: Time in seconds that a batch should take; the batch size adapts to it.
            tasks: Maximum concurrent batches of a member, each a Spark task.
            on_disagreement: Action if committed offsets and state disagree: "refuse" stops, "trust-offsets" continues
                from the offsets with empty state, "trust-state" continues where the state ends.
            observer: Function that gets each step as `Progress`. Default: log lines on standard error.
            spark: Spark session. Default: the active session, or a new local one.
            session_timeout_ms: Time without a heartbeat after which the group removes a member (default 45 s). Implies
                the classic protocol; under the consumer protocol the broker sets it.
            heartbeat_interval_ms: Time between two heartbeats. Implies the classic protocol.
            max_poll_interval_ms: Time after which a batch counts as hung.
            group_protocol: "consumer" (KIP-848: the broker assigns partitions) or "classic" (a member assigns).
                Default: "consumer" if the broker supports it.
            on_unreleased: Action if the group still has the static members of an application that was killed
                (consumer protocol): "seize" replaces them, "wait" waits for their session timeout, "fail" stops.
            security: Kafka's configuration keys for TLS and SASL, as for `Consumer`. Spark's tasks read the named
                files, so they must exist on every host.
            metrics: HOST:PORT that serves /metrics (Prometheus), /healthz and /readyz.
            standby: Start Spark, then wait until the members of `group_instance_id` are gone.
            spark_ui: Start a new local session with its web UI.
            ending_offsets: Offsets at which to stop reading, by topic and partition.

        Raises:
            PipelineConfigError: An argument is invalid, or a sink or topic does not fit the declaration.
            PipelineStopped: The pipeline cannot continue; `code` gives the reason. Nothing is lost.
            SystemExit: Status 3: another application with the same `group_instance_id` took over. Do not restart.
        """
        from tenure.spark.application.run_options import RunOptions
        from tenure.spark.application.runner import run

        options = RunOptions(
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
        """Schema of the state: the key, then the declared columns."""
        return visible_state_schema(self)

    def state(self, *, damaged: OnDamaged = "raise") -> pa.Table:
        """Return every key with its state, as of the last published batch of each partition.

        Args:
            damaged: Action if the state of a partition cannot be read: "raise", or "skip" to leave the partition out
                with a warning in the log.

        Raises:
            PipelineConfigError: The pipeline has no state.
            PipelineStopped: STATE_MISSING or STATE_DAMAGED; the message names the partitions.
        """
        return kept_state(self, damaged)
