"""Declaration of a pipeline: the fields of `Pipeline`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tenure.spark.declarations.processing import TaskStep, Transform
from tenure.spark.declarations.sink import Sink
from tenure.spark.declarations.topics import OnBadRecord, Stream, Through, Topic


@dataclass(frozen=True, slots=True)
class PipelineDeclaration:
    """Base class of `Pipeline`, with its fields. All code that runs a pipeline depends only on this class."""

    name: str
    """Name of the pipeline and of its consumer group."""
    source: Topic | Through | Stream | Sequence[Topic | Through]
    """Input: a topic, a topic with steps over its rows (`topic.map(…).windowed(…)`), or several topics. Several topics
    must have the same number of partitions and the same key. Their rows are merged by record timestamp."""
    process: TaskStep | Transform | None = None
    """Last step: `stateful(…)`, `map_with_state(…)`, `windowed(…)` or `transform(…)`. Required if the source is a topic
    without steps."""
    sink: Sink | Topic = None  # type: ignore[assignment]  # Required; Pipeline checks it.
    """Main output: `Parquet`, `Delta`, `Iceberg`, `Sql`, `for_each_batch(…)` or a `Topic`."""
    state_directory: str | None = None
    """Path or URL of state and manifests. Default: a hidden directory in the sink's directory."""
    on_bad_record: OnBadRecord = "stop"
    """Action for a record that cannot be decoded or that the function fails on: "stop", "skip" or `DeadLetter`."""
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    """Options for fsspec, if sink or state directory are URLs such as `s3://bucket/flights`."""
    side: Mapping[str, Sink | Topic] = field(default_factory=dict)
    """Side outputs by name. The function then returns a mapping from output names to tables; "" is the main output."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Topics that the pipeline reads, in the declared order."""
        return tuple(source.topic if isinstance(source, Through) else source for source in self.sources)

    @property
    def sources(self) -> tuple[Topic | Through, ...]:
        """Sources in the declared order, including those that are repartitioned."""
        if isinstance(self.source, Stream):
            return cast("tuple[Topic | Through, ...]", tuple(self.source.sources))  # `Pipeline` checks types.
        return (self.source,) if isinstance(self.source, Topic | Through) else tuple(self.source)

    @property
    def steps(self) -> tuple[TaskStep | Transform, ...]:
        """Steps over the rows, in their order."""
        steps = tuple(self.source.steps) if isinstance(self.source, Stream) else ()
        return steps if self.process is None else (*steps, self.process)

    @property
    def transformed(self) -> Transform | None:
        """The step `transform(…)` of the pipeline, or None. A valid pipeline has no other step beside it."""
        return next((step for step in self.steps if isinstance(step, Transform)), None)
