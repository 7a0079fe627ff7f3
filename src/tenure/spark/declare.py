"""What a pipeline is made of: a topic, what is done with its rows, and where they go. Plain values, checked at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

import pyarrow as pa

from tenure.pipeline import ddl
from tenure.pipeline.digest import Answer, Function
from tenure.pipeline.durations import Duration, microseconds
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.joins.columns import SUFFIX, How, check_how
from tenure.pipeline.joins.static import StaticJoinWork
from tenure.pipeline.joins.streams import StreamJoinWork
from tenure.pipeline.joins.table import StateTableWork
from tenure.pipeline.lane_state import Migrate
from tenure.pipeline.map_with_state import MapWithState, MapWithTimers, OnRecord, OnTimer
from tenure.pipeline.stateful import StatefulWork, StatelessWork, WithoutState
from tenure.pipeline.timers import FIELDS
from tenure.pipeline.windows.kinds import Session, Sliding
from tenure.pipeline.windows.work import WindowedWork
from tenure.pipeline.work import Event, Work
from tenure.spark.avro_values import Avro
from tenure.spark.keys import DDL
from tenure.spark.values import Json, Raw

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

StatefulFunction: TypeAlias = Function
F = TypeVar("F")
TransformFunction: TypeAlias = "Callable[[DataFrame], DataFrame | Mapping[str, DataFrame]]"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic and how its values become columns: `Topic("flights", value=json("tailnum string, arr_delay double"))`."""

    name: str
    value: Json | Avro | Raw
    key: str | None = None
    watermark: Event | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise PipelineConfigError("A topic needs a name.")
        if not isinstance(self.value, Json | Avro | Raw):
            raise PipelineConfigError(
                f"The value of topic {self.name} is json('…'), avro('…') or raw(), not {self.value!r}."
            )

    @property
    def where(self) -> str:
        """What people call it as a sink."""
        return f"the topic {self.name}"

    def keyed_by(self, column: str) -> "Topic":
        """The column that the topic is partitioned by: state is kept per value of it."""
        columns = self.value.schema
        if column not in columns.names:
            known = ", ".join(columns.names)
            raise PipelineConfigError(f"Topic {self.name} has no column '{column}' to be keyed by, only {known}.")
        if columns.field(column).type not in DDL:
            raise PipelineConfigError(
                f"Topic {self.name} cannot be keyed by '{column}', a {columns.field(column).type}: "
                "keys are strings, integers or bytes."
            )
        return replace(self, key=column)

    def with_watermark(self, column: str, delay: Duration = "0 seconds") -> "Topic":
        """The column that says when something happened (event time), and how much later than others it may come.

        As in Spark: the highest event time seen, less `delay`, is the watermark; what is before it is late. Each
        partition has its own.
        """
        columns = self.value.schema
        if column not in columns.names or not pa.types.is_timestamp(columns.field(column).type):
            times = [field.name for field in columns if pa.types.is_timestamp(field.type)]
            raise PipelineConfigError(
                f"The event time of topic {self.name} is no timestamp '{column}': name one of {', '.join(times)}."
            )
        delay_us = microseconds(delay, f"The watermark's delay of topic {self.name}", least_us=0)
        return replace(self, watermark=Event(column, delay_us))

    def through(self, topic: str, key: str) -> "Through":
        """These rows, keyed by another column: they are written to `topic` and read from there, exactly once.

        `topic` must be there, is nobody else's, and holds the declared columns. What reads it may keep state by `key`.
        """
        if topic == self.name:
            raise PipelineConfigError(f"Rows of topic {self.name} go through another topic, not through itself.")
        return Through(self, replace(self, name=topic, key=None).keyed_by(key))


@dataclass(frozen=True, slots=True)
class Through:
    """A source that is written anew under another key before it is read; `Topic.through` makes it."""

    source: Topic
    topic: Topic
    """In between: what is read."""


@dataclass(frozen=True, slots=True)
class Stateful:
    """Work over Arrow tables, a lane's rows at a time."""

    work: Work
    version: int = 1
    migrate: Migrate | None = None

    def __post_init__(self) -> None:
        if self.version < 1:
            raise PipelineConfigError(f"The version of a state is at least 1, not {self.version}.")
        if self.migrate is not None:
            checked(self.migrate, "migrate=")


@dataclass(frozen=True, slots=True)
class Transform:
    function: TransformFunction


def stateful(
    function: StatefulFunction,
    *,
    state: str,
    ttl: Duration | None = None,
    version: int = 1,
    migrate: Migrate | None = None,
) -> Stateful:
    """Work on one lane's rows with what was kept per key: `function(rows, state) -> rows`.

    `state` declares the columns kept per key, in Spark's DDL. The rows of one call are those of one partition, in order
    of their offsets; how many there are in a call is the engine's choice and must not matter. A key is forgotten `ttl`
    after it was last put, in event time: that of the topic's watermark, or of the records' timestamps without one.

    When other columns are to be kept than before, give the declaration a higher `version`, and
    `migrate(rows, version) -> rows`: it is given a partition's keys with their state as they were written, and the
    version that they were written under.
    """
    return Stateful(StatefulWork(checked(function, "stateful"), state, ttl), version, migrate)


def map_batches(function: Callable[[pa.Table], Answer]) -> Stateful:
    """Work on one lane's rows alone: `function(rows) -> rows`."""
    return Stateful(StatelessWork(WithoutState(checked(function, "map_batches"))))


def windowed(windows: Sliding | Session, aggregate: str) -> Stateful:
    """Aggregates per key and window of event time: `windowed(tumbling("1 hour"), "count(*) as flights")`.

    The topic declares its event time `.with_watermark(…)`. A window is given out once, as the key, `window` (a struct
    of start and end) and the aggregates, when the watermark passes its end. Rows that come later than that go to the
    side output "late", where the pipeline has one.
    """
    if not isinstance(windows, Sliding | Session):
        raise PipelineConfigError(f"windowed(…) takes tumbling(…), sliding(…) or session(…), not {windows!r}.")
    return Stateful(WindowedWork(windows, aggregate))


def join_static(
    table: "Callable[[], pa.Table]", *, on: str, how: Literal["left", "inner"] = "left", suffix: str = SUFFIX
) -> Stateful:
    """Each row with those of its key in a table that does not change: `join_static(StaticTable(…), on="tailnum")`.

    `table` is a `StaticTable`, or another function without arguments. A row that has none there gets nulls, or, with
    `how="inner"`, is left out. Columns that both have get the `suffix` on the table's side.
    """
    check_how(how, ("left", "inner"))
    return Stateful(StaticJoinWork(checked(table, "join_static"), on, how, suffix))


def join_state_table(table: str, *, how: Literal["left", "inner"] = "left", suffix: str = SUFFIX) -> Stateful:
    """Each row of one topic with the last value that its key has in the other, `table`: `join_state_table("profiles")`.

    The source is both topics, keyed alike. A row meets the table as it was when the row was written, by the records'
    timestamps; a null value is a key's end. A row that has none there gets nulls, or, with `how="inner"`, is left out.
    """
    check_how(how, ("left", "inner"))
    return Stateful(StateTableWork(table, how, suffix))


def join_streams(
    *,
    within: Duration | None = None,
    before: Duration = "0 seconds",
    after: Duration = "0 seconds",
    how: How = "inner",
    suffix: str = SUFFIX,
) -> Stateful:
    """Pairs of rows of two topics that have the same key and close event times: `join_streams(within="10 minutes")`.

    The source is both topics, keyed alike, each `.with_watermark(…)`. A row of the second topic may be as much older
    than that of the first as `before` says, and as much younger as `after` says; `within` is both. With `how` "left",
    "right" or "outer", rows that meet nobody come alone, once nobody can come any longer. Rows before the watermark are
    late: they go to the side output "late", where the pipeline has one.
    """
    check_how(how, ("inner", "left", "right", "outer"))
    least, most = (before, after) if within is None else (within, within)
    spans = [microseconds(span, "The time between joined rows", least_us=0) for span in (least, most)]
    return Stateful(StreamJoinWork(spans[0], spans[1], how, suffix))


def map_with_state(
    function: OnRecord,
    *,
    state: str,
    output: str,
    on_timer: OnTimer | None = None,
    ttl: Duration | None = None,
    version: int = 1,
    migrate: Migrate | None = None,
) -> Stateful:
    """The same for who wants simple code: one record at a time, `function(record, state) -> record`.

    Both are dictionaries. `state` is what was kept of the record's key, with all its columns None for a new key; the
    function changes it in place, and where all are None again the key is forgotten. It returns the row that comes of
    the record, a list of several, or None; `output` declares their columns, in Spark's DDL. A key is forgotten `ttl`
    after its last record, in event time.

    With `on_timer` the function is given a third argument, its key's `Timers`, and may register times at which
    `on_timer(key, state, timers) -> rows` is to be called: of event time, which goes by the topic's watermark, or of
    processing time. `version` and `migrate` are as `stateful` has them.
    """
    mapped = MapWithState(checked(function, "map_with_state"), ddl.schema(output))
    if on_timer is None:
        return Stateful(StatefulWork(mapped, state, ttl), version, migrate)
    timed = MapWithTimers(mapped, checked(on_timer, "on_timer="))
    return Stateful(StatefulWork(timed, state, ttl, own=FIELDS), version, migrate)


def transform(function: TransformFunction) -> Transform:
    """Work on a batch as a Spark DataFrame: `function(frame) -> frame`, any Spark SQL that needs no other batch."""
    return Transform(checked(function, "transform"))


def checked(function: F, what: str) -> F:
    if not callable(function):
        raise PipelineConfigError(f"{what}(…) takes a function, not {function!r}.")
    return function


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """Bad records go to this topic as they came, with headers that name their origin and the reason; at least once."""

    topic: str


OnBadRecord: TypeAlias = Literal["stop", "skip"] | DeadLetter
