"""The class `Pipeline`: its checks, `run` and `state`."""

from dataclasses import dataclass, replace

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.run_options import RunOptions, takes_options
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.application.uncaught_errors import exits_with_status
from tenure.spark.declarations.inputs import bind_operator, check_topics
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import TaskStep, Transform
from tenure.spark.declarations.topics import DeadLetter, Topic
from tenure.spark.kept_state import OnDamaged, kept_state, visible_state_schema
from tenure.spark.sinks.output_checks import check_outputs
from tenure.spark.sinks.outputs import SINKS


@dataclass(frozen=True, slots=True)
class Pipeline(PipelineDeclaration):
    """Pipeline that processes each record of `source` exactly once and writes the result to `sink`.

    Applications that run a pipeline of the same name form a consumer group and share its partitions. Creating a
    `Pipeline` checks the declaration and raises PipelineConfigError; it does not connect to a broker or sink.
    `PipelineDeclaration` describes the arguments.
    """

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A pipeline needs a name, which is also its consumer group.")
        for part, kinds, example in (("sink", (*SINKS, Topic), "Parquet('out/flights')"),):
            if not isinstance(getattr(self, part), kinds):
                raise PipelineConfigError(f"The {part} of pipeline {self.name} must be a {part}, such as {example}.")
        if not self.steps or not all(isinstance(step, TaskStep | Transform) for step in self.steps):
            raise PipelineConfigError(
                f"Pipeline {self.name} has no valid step: set process=stateful(function, state='…') or"
                " process=transform(function), or add steps to the source, such as topic.map(…)."
            )
        if not self.topics or not all(isinstance(topic, Topic) for topic in self.topics):
            raise PipelineConfigError(
                f"The source of pipeline {self.name} must be a topic: Topic('flights', value=json('…'))."
            )
        check_topics(self)
        check_outputs(self)
        if self.on_bad_record not in ("stop", "skip") and not isinstance(self.on_bad_record, DeadLetter):
            raise PipelineConfigError(
                f"Unknown on_bad_record {self.on_bad_record!r}: use 'stop', 'skip' or DeadLetter(topic)."
            )
        bind_operator(self)  # Raises if a step does not fit its input.
        for _ in repartition_pipelines(self):
            pass  # The creation of each pipeline checks its steps.

    @exits_with_status
    @takes_options(RunOptions)
    def run(self, options: RunOptions) -> None:
        """Run the pipeline until SIGTERM or Ctrl-C, or until it has caught up.

        The fields of `RunOptions` are its keyword arguments: `run(bootstrap_servers="localhost:9092", threads=2)`.

        If the program does not catch an error of this method, the error is printed as one sentence, and the program
        exits with the `exit_status` of the error.

        Raises:
            PipelineConfigError: An argument is invalid, or a sink or topic does not fit the declaration.
            PipelineStopped: The pipeline cannot continue; `code` gives the reason. Nothing is lost.
            SystemExit: Status 3: another application with the same `group_instance_id` took over. Do not restart.
        """
        from tenure.spark.application.runner import run

        client_id = options.client_id or options.group_instance_id or self.name
        run(self, replace(options, client_id=client_id))

    @property
    def state_schema(self) -> pa.Schema:
        """Schema of the state: the key, then the declared columns.

        If several steps have state, the key is followed by one struct column for each of these steps.
        """
        return visible_state_schema(self)

    def state(self, *, damaged: OnDamaged = "raise") -> pa.Table:
        """Return every key with its state after the last published batch of each partition.

        If several steps have state, the table has one row for each key and step.

        Args:
            damaged: Action if the state of a partition cannot be read: "raise", or "skip" to leave the partition out
                with a warning in the log.

        Raises:
            PipelineConfigError: The pipeline has no state.
            PipelineStopped: STATE_MISSING or STATE_DAMAGED; the message names the partitions.
        """
        return kept_state(self, damaged)
