"""Declarations of topics: their columns, key and event time. Each is checked when it is created."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.operator import EventTime
from tenure.pipeline.values.durations import Duration, microseconds
from tenure.spark.declarations.stream import Step, Stream, StreamMethods
from tenure.spark.formats.avro_values import Avro
from tenure.spark.formats.keys import KEY_TYPES
from tenure.spark.formats.record_values import Json, Raw


@dataclass(frozen=True, slots=True)
class Topic(StreamMethods):
    """A Kafka topic and the columns of its values.

    Example: `Topic("flights", value=json("tailnum string, arr_delay double"))`.
    """

    name: str
    value: Json | Avro | Raw
    """Format and columns of the record values: `json(…)`, `avro(…)` or `raw()`."""
    key: str | None = None
    """Column that the topic is partitioned by; set it with `keyed_by`."""
    watermark: EventTime | None = None
    """Event time of the rows; set it with `with_watermark`."""

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A topic needs a name.")
        if not isinstance(self.value, Json | Avro | Raw):
            raise PipelineConfigError(
                f"Topic {self.name} has the invalid value {self.value!r}: use json('…'), avro('…') or raw()."
            )

    @property
    def where(self) -> str:
        """Description of the topic as a sink, for messages."""
        return f"the topic {self.name}"

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

    def with_watermark(self, column: str, delay: Duration = "0 seconds") -> "Topic":
        """Return the topic with an event time and a watermark, as in Spark.

        The watermark of a partition is the highest event time so far minus `delay`. Rows with an earlier event time
        are late.

        Args:
            column: Timestamp column with the event time.
            delay: How long to wait for rows that are out of order, such as "10 seconds".

        Raises:
            PipelineConfigError: The column is not a declared timestamp, or `delay` is not a duration.
        """
        columns = self.value.schema
        if column not in columns.names or not pa.types.is_timestamp(columns.field(column).type):
            times = [field.name for field in columns if pa.types.is_timestamp(field.type)]
            raise PipelineConfigError(
                f"Topic {self.name} has no timestamp column '{column}' for event time: use one of {', '.join(times)}."
            )
        delay_us = microseconds(delay, f"The watermark delay of topic {self.name}", least_us=0)
        return replace(self, watermark=EventTime(column, delay_us))

    def then(self, step: Step) -> Stream:
        """Return the rows of the topic with one step."""
        return Stream((self,), ()).then(step)

    def through(self, topic: str, key: str) -> "Through":
        """Return a source that repartitions the rows by another column.

        The pipeline writes the rows to `topic` with the key `key` and reads them from there, exactly once.

        Args:
            topic: Name of an existing topic that nothing else writes to.
            key: Column to partition by.
        """
        if topic == self.name:
            raise PipelineConfigError(
                f"Topic {self.name} cannot be read through itself: name another topic in .through(…)."
            )
        return Through(self, replace(self, name=topic, key=None).keyed_by(key))


@dataclass(frozen=True, slots=True)
class Through(StreamMethods):
    """A source that is repartitioned by another key before it is read. `Topic.through` creates it."""

    source: Topic
    topic: Topic
    """The repartitioned topic, which the pipeline reads."""

    @property
    def name(self) -> str:
        """Name of the topic that the pipeline reads."""
        return self.topic.name

    def then(self, step: Step) -> Stream:
        """Return the rows of the repartitioned topic with one step."""
        return Stream((self,), ()).then(step)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Send bad records unchanged to a dead-letter topic, at least once. Headers give their origin and the reason."""

    topic: str
    """Name of the dead-letter topic."""


OnBadRecord: TypeAlias = Literal["stop", "skip"] | DeadLetter
