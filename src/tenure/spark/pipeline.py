"""A pipeline: what it is made of, and `run`."""

from dataclasses import dataclass

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.state import state_schema
from tenure.spark.declare import DeadLetter, OnBadRecord, Parquet, Stateful, Topic, Transform


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Work that a consumer group does: each record of `source` goes through `process` into `sink`, exactly once.

    `name` is the group: another application that runs a pipeline of this name takes over a share of the partitions.
    State and manifests stand in `state_directory`, by default in the sink's directory, under names that readers skip.
    """

    name: str
    source: Topic
    process: Stateful | Transform
    sink: Parquet
    state_directory: str | None = None
    on_bad_record: OnBadRecord = "stop"

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A pipeline needs a name: it is its consumer group.")
        for part, kinds, example in (
            ("source", Topic, "Topic('flights', value=json('…'))"),
            ("process", Stateful | Transform, "stateful(function, state='…') or transform(function)"),
            ("sink", Parquet, "Parquet('out/flights')"),
        ):
            if not isinstance(getattr(self, part), kinds):
                raise PipelineConfigError(f"The {part} of pipeline {self.name} must be {example}.")
        if self.on_bad_record not in ("stop", "skip") and not isinstance(self.on_bad_record, DeadLetter):
            raise PipelineConfigError(
                f"on_bad_record is 'stop', 'skip' or DeadLetter(topic), not {self.on_bad_record!r}."
            )
        if isinstance(self.process, Stateful):
            if self.source.key is None:
                raise PipelineConfigError(
                    f"Pipeline {self.name} keeps state by key, and its source names none: add .keyed_by('column')."
                )
            state_schema(self.source.key, self.process.state)
