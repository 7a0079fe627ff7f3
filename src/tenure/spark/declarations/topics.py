"""Declarations of topics, with their columns, key and event time; and of streams, which are topics with steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, cast

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.operator import EventTime
from tenure.pipeline.values.decoded_records import KeyPartitions
from tenure.pipeline.values.durations import Duration, microseconds
from tenure.spark.declarations import columns, processing
from tenure.spark.declarations.processing import Joinable, TaskStep, Transform
from tenure.spark.formats.avro_values import Avro
from tenure.spark.formats.json_schema_values import JsonSchema
from tenure.spark.formats.keys import KEY_TYPES
from tenure.spark.formats.protobuf_values import Protobuf
from tenure.spark.formats.record_values import Json, Raw

TopicValues: TypeAlias = Json | JsonSchema | Avro | Protobuf | Raw

P = ParamSpec("P")

Step: TypeAlias = TaskStep | Transform


def adds(declare: Callable[P, Step]) -> "Callable[Concatenate[Any, P], Stream]":
    """Return a method that adds the step which `declare` creates. It has the arguments and docstring of `declare`."""

    @wraps(declare)
    def add(self: "StreamMethods", *args: P.args, **kwargs: P.kwargs) -> "Stream":
        return self.then(declare(*args, **kwargs))

    return cast("Callable[Concatenate[Any, P], Stream]", add)


class StreamMethods:
    """Methods that add a step to a topic or stream, such as `filter` and `windowed`."""

    __slots__ = ()

    def then(self, step: Step) -> "Stream":
        """Return a stream that has `step` after the steps so far."""
        raise NotImplementedError

    select = adds(columns.select)
    filter = adds(columns.filter_rows)
    with_column = adds(columns.with_column)
    drop = adds(columns.drop)
    side_output = adds(columns.side_output)
    map = adds(processing.map_rows)
    map_batches = adds(processing.map_batches)
    map_with_state = adds(processing.map_with_state)
    stateful = adds(processing.stateful)
    windowed = adds(processing.windowed)
    join_static = adds(processing.join_static)
    join_state_table = adds(processing.join_state_table)
    join_streams = adds(processing.join_streams)
    transform = adds(processing.transform)


@dataclass(frozen=True, slots=True)
class Stream(StreamMethods):
    """Rows of topics after some steps. The methods of a `Topic` create it."""

    sources: Sequence[Joinable]
    """Topics in the order in which they are joined."""
    steps: Sequence[Step]

    def then(self, step: Step) -> "Stream":
        """Return a stream that has `step` after the steps so far. A topic that the step joins becomes a source."""
        others = () if isinstance(step, Transform) or isinstance(step.joins, str | None) else (step.joins,)
        return replace(self, sources=(*self.sources, *others), steps=(*self.steps, step))

    def through(self, topic: str, key: str, *, value: "Json | Avro") -> "Through":
        """Return a source that repartitions the rows of this stream by another column.

        The steps so far run as a separate pipeline with its own group, in the same application. This pipeline writes
        the rows to `topic` with the key `key`, exactly once. The following steps read the rows from `topic`.

        Args:
            topic: Name of a topic that nothing else writes to. It must exist, unless the pipeline runs in a streams
                group (`group_protocol="streams"`): then the broker creates it.
            key: Column to partition by.
            value: Format and columns of the rows in the topic: `json(…)` or `avro(…)`.
        """
        if topic in (source.name for source in self.sources):
            raise PipelineConfigError(
                f"Topic {topic} cannot be repartitioned into itself: name another topic in .through(…)."
            )
        return Through(self, Topic(topic, value).keyed_by(key))


@dataclass(frozen=True, slots=True)
class Topic(StreamMethods):
    """A Kafka topic and the columns of its values.

    Example: `Topic("flights", value=json("tailnum string, arr_delay double"))`.
    """

    name: str
    value: TopicValues
    """Format and columns of the record values: `json(…)`, `json_schema(…)`, `avro(…)`, `protobuf(…)` or `raw()`."""
    key: str | None = None
    """Column that the topic is partitioned by; set it with `keyed_by`."""
    watermark: EventTime | None = None
    """Event time of the rows; set it with `with_watermark`."""
    partitioner: KeyPartitions | None = None
    """Function (keys, number of partitions) -> partitions, if producers do not use Kafka's default partitioner."""

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A topic needs a name.")
        if not isinstance(self.value, TopicValues):
            raise PipelineConfigError(
                f"Topic {self.name} has the invalid value {self.value!r}: use json('…'), json_schema(…), avro(…),"
                " protobuf(…) or raw()."
            )

    @property
    def where(self) -> str:
        """Description of the topic as a sink, for messages."""
        return f"the topic {self.name}"

    def check_readable(self) -> None:
        """Raise PipelineConfigError if the values need a schema registry that denies access to this application."""
        if not isinstance(self.value, Json | Raw) and self.value.registry is not None:
            self.value.registry.check()

    def check_writable(self) -> None:
        """Register the schema of the values, if they have a schema registry.

        Raises:
            PipelineConfigError: The registry refuses the schema or this application.
            PipelineStopped: The registry does not answer.
        """
        value = self.value
        if not isinstance(value, Json | Raw) and value.registry is not None:
            value.registry.check_writable(self.name, lambda: value.writer_schema)

    def keyed_by(self, column: str) -> "Topic":
        """Return the topic with `column` as its key: the column that the topic is partitioned by.

        Keyed state has one entry for each value of this column.

        Raises:
            PipelineConfigError: The column is not declared, or its type cannot be a key.
        """
        columns = self.value.schema
        if column not in columns.names:
            known = ", ".join(columns.names)
            raise PipelineConfigError(f"Topic {self.name} has no key column '{column}', only {known}.")
        if columns.field(column).type not in KEY_TYPES:
            raise PipelineConfigError(
                f"Topic {self.name} cannot be keyed by '{column}', a {columns.field(column).type}: "
                "use a string, integer or bytes column."
            )
        return replace(self, key=column)

    def with_watermark(
        self, column: str, delay: Duration = "0 seconds", *, idle_timeout: Duration | None = None
    ) -> "Topic":
        """Return the topic with an event time and a watermark, as in Spark.

        The watermark of a partition is the highest event time so far minus `delay`. Rows with an earlier event time
        are late.

        Args:
            column: Timestamp column with the event time.
            delay: How long to wait for rows that are out of order, such as "10 seconds".
            idle_timeout: Time without records after which the watermark of a partition advances with the clock; at
                least one second. If it is None, the watermark advances only with records.

        Raises:
            PipelineConfigError: The column is not a declared timestamp, or a duration is invalid.
        """
        columns = self.value.schema
        if column not in columns.names or not pa.types.is_timestamp(columns.field(column).type):
            times = [field.name for field in columns if pa.types.is_timestamp(field.type)]
            raise PipelineConfigError(
                f"Topic {self.name} has no timestamp column '{column}' for event time: use one of {', '.join(times)}."
            )
        delay_us = microseconds(delay, f"The watermark delay of topic {self.name}", least_us=0)
        idle_us = None
        if idle_timeout is not None:
            idle_us = microseconds(idle_timeout, f"The idle timeout of topic {self.name}", least_us=1_000_000)
        return replace(self, watermark=EventTime(column, delay_us, idle_us))

    def then(self, step: Step) -> Stream:
        """Return a stream that begins with this topic, and has `step` as its only step."""
        return Stream((self,), ()).then(step)

    def through(self, topic: str, key: str) -> "Through":
        """Return a source that repartitions the rows by another column.

        The pipeline writes the rows to `topic` with the key `key` and reads them from there, exactly once.

        Args:
            topic: Name of a topic that nothing else writes to. It must exist, unless the pipeline runs in a streams
                group (`group_protocol="streams"`): then the broker creates it.
            key: Column to partition by.
        """
        if topic == self.name:
            raise PipelineConfigError(
                f"Topic {self.name} cannot be repartitioned into itself: name another topic in .through(…)."
            )
        return Through(self, replace(self, name=topic, key=None, partitioner=None).keyed_by(key))


@dataclass(frozen=True, slots=True)
class Through(StreamMethods):
    """Source that is repartitioned by another key before it is read. `Topic.through` creates it."""

    source: "Topic | Stream"
    topic: Topic
    """The repartitioned topic, which the pipeline reads."""

    @property
    def name(self) -> str:
        """Name of the topic that the pipeline reads."""
        return self.topic.name

    def then(self, step: Step) -> Stream:
        """Return a stream that begins with the repartitioned topic, and has `step` as its only step."""
        return Stream((self,), ()).then(step)

    def with_watermark(
        self, column: str, delay: Duration = "0 seconds", *, idle_timeout: Duration | None = None
    ) -> "Through":
        """Return the source with an event time and a watermark of the repartitioned topic, as `Topic.with_watermark`.

        Raises:
            PipelineConfigError: The column is not a declared timestamp, or a duration is invalid.
        """
        return replace(self, topic=self.topic.with_watermark(column, delay, idle_timeout=idle_timeout))


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Action for bad records: send them unchanged to a dead-letter topic, at least once.

    The headers contain the reason, and the topic, partition and offset of the bad record.
    """

    topic: str
    """Name of the dead-letter topic."""


OnBadRecord: TypeAlias = Literal["stop", "skip"] | DeadLetter
