"""What a pipeline does with rows, before and after it is known what they look like.

A declaration (`Work`) is bound to its input once, when the pipeline is declared: columns that are not there are named
then, and not by the first batch. What comes of it travels to the tasks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, Protocol

import pyarrow as pa

from tenure.pipeline.digest import Function
from tenure.pipeline.errors import PipelineConfigError


class Event(NamedTuple):
    """Of a topic: the column of its event time, and how late others may come."""

    column: str
    delay_us: int


@dataclass(frozen=True, slots=True)
class Input:
    """The rows that a function is given."""

    pipeline: str
    """Its name, for errors."""
    rows: pa.Schema
    """Without `_watermark`."""
    topics: Mapping[str, pa.Schema]
    """The columns of each topic's own."""
    key: str | None
    keys: Mapping[str, str | None] = field(default_factory=dict)
    """What each topic calls its key."""
    events: Mapping[str, Event] = field(default_factory=dict)
    """Of the topics that declare a watermark."""
    sides: frozenset[str] = frozenset()
    """The names of the pipeline's side outputs."""

    def keyed(self) -> pa.Field:
        if self.key is None:
            self.refuse("keeps state by key, and its source names none: add .keyed_by('column')")
        return self.rows.field(self.key)

    def column(self, name: str, what: str, topic: str | None = None) -> pa.Field:
        columns = self.rows if topic is None else self.topics[topic]
        if name not in columns.names:
            known = ", ".join(column for column in columns.names if not column.startswith("_"))
            self.refuse(f"has no column '{name}' for {what}, only {known}")
        return columns.field(name)

    def event(self, topic: str, what: str) -> Event:
        if topic not in self.events:
            self.refuse(
                f"uses {what}, which goes by event time: add .with_watermark('column', '10 seconds') to {topic}"
            )
        return self.events[topic]

    def only_topic(self, what: str) -> str:
        if len(self.topics) != 1:
            self.refuse(f"uses {what}, which reads one topic, and has {' and '.join(self.topics)}")
        return next(iter(self.topics))

    def refuse(self, why: str) -> NoReturn:
        raise PipelineConfigError(f"Pipeline {self.pipeline} {why}.")


class Bound(NamedTuple):
    """Work that knows its input."""

    function: Function
    """Picklable, when what the user wrote is."""
    state: pa.Schema | None = None
    """What it is kept by first, and the input's key among the columns."""
    event_time: bool = False
    """It goes by event time even where no topic declares a watermark: by the records' timestamps then."""


class Work(Protocol):
    def bound(self, given: Input) -> Bound:
        """Raises PipelineConfigError."""
