"""Declaration of a pipeline: the fields of `Pipeline`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenure.spark.declarations.processing import Stateful, Transform
from tenure.spark.declarations.sink import Sink
from tenure.spark.declarations.topics import OnBadRecord, Through, Topic


@dataclass(frozen=True, slots=True)
class PipelineDeclaration:
    """Base class of `Pipeline` with its fields. All code that runs a pipeline depends on this class only."""

    name: str
    """Name of the pipeline and of its consumer group."""
    source: Topic | Through | Sequence[Topic | Through]
    """One topic, or several with the same number of partitions and the same key. Rows of several topics are merged by
    record timestamp."""
    process: Stateful | Transform
    """Function over the rows: `stateful(…)`, `map_with_state(…)`, `windowed(…)`, `transform(…)`, …"""
    sink: Sink | Topic
    """Main output: `Parquet`, `Delta`, `Iceberg`, `Sql`, `for_each_batch(…)` or a `Topic`."""
    state_directory: str | None = None
    """Path or URL of state and manifests. Default: a hidden directory in the sink's directory."""
    on_bad_record: OnBadRecord = "stop"
    """Action for a record that cannot be decoded or that the function fails on: "stop", "skip" or `DeadLetter`."""
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    """Options for fsspec, if sink or state directory are URLs such as `s3://bucket/flights`."""
    side: Mapping[str, Sink | Topic] = field(default_factory=dict)
    """Side outputs by name. The function then returns a mapping from output names to tables, "" being `sink`."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Topics that the pipeline reads, in the declared order."""
        return tuple(source.topic if isinstance(source, Through) else source for source in self.sources)

    @property
    def sources(self) -> tuple[Topic | Through, ...]:
        """Sources in the declared order, including those that are repartitioned."""
        return (self.source,) if isinstance(self.source, Topic | Through) else tuple(self.source)
