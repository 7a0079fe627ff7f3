"""Declarations of processing: functions over rows. Each is checked when it is created."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.joins.columns import SUFFIX, How, check_how
from tenure.pipeline.operators.joins.static import StaticJoinOperator
from tenure.pipeline.operators.joins.streams import StreamJoinOperator
from tenure.pipeline.operators.joins.table import StateTableJoinOperator
from tenure.pipeline.operators.map_with_state import MapRows, MapWithState, OnRecord
from tenure.pipeline.operators.map_with_timers import MapWithTimers, OnTimer
from tenure.pipeline.operators.operator import Operator
from tenure.pipeline.operators.record_rows import Answer, RecordRows, Row
from tenure.pipeline.operators.stateful import StatefulOperator, StatelessOperator, WithoutState
from tenure.pipeline.operators.timers import FIELDS
from tenure.pipeline.operators.user_function import Answer as BatchAnswer
from tenure.pipeline.operators.user_function import Function
from tenure.pipeline.operators.windows.collected import UserAggregate
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.pipeline.operators.windows.windowed_operator import WindowedOperator
from tenure.pipeline.state.lane_state import Migrate
from tenure.pipeline.values import ddl
from tenure.pipeline.values.durations import Duration, microseconds

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

StatefulFunction: TypeAlias = Function
F = TypeVar("F")
TransformFunction: TypeAlias = "Callable[[DataFrame], DataFrame | Mapping[str, DataFrame]]"


class Joinable(Protocol):
    """Topic that a step joins: `Topic`, or `Topic.through(…)`."""

    @property
    def name(self) -> str:
        """Name of the topic."""


@dataclass(frozen=True, slots=True)
class TaskStep:
    """Processing of Arrow tables, one partition at a time. Created by `stateful` and similar functions."""

    work: Operator
    version: int = 1
    migrate: Migrate | None = None
    form: str = field(default="", kw_only=True)
    """Name of the function that created this step."""
    joins: Joinable | str | None = field(default=None, kw_only=True)
    """Topic that the step joins, or its name. None for a step that joins no topic, and for `join_streams(…)` without
    `other`, which joins the two topics that the pipeline lists as sources."""

    @property
    def joined(self) -> str | None:
        """Name of the topic that this step joins; None for other steps."""
        return self.joins if isinstance(self.joins, str | None) else self.joins.name

    def __post_init__(self) -> None:
        if self.version < 1:
            raise PipelineConfigError(f"The version of a state must be at least 1, not {self.version}.")
        if self.migrate is not None:
            check_callable(self.migrate, "migrate=")


@dataclass(frozen=True, slots=True)
class Transform:
    """Processing of Spark DataFrames. Created by `transform`."""

    function: TransformFunction


def stateful(
    function: StatefulFunction,
    *,
    state: str,
    ttl: Duration | None = None,
    version: int = 1,
    migrate: Migrate | None = None,
    output: str | None = None,
) -> TaskStep:
    """Process batches of one partition with state for each key.

    Args:
        function: `function(rows, state) -> rows`. `rows` is a pyarrow.Table with rows of one partition in the order of
            their offsets; the result must not depend on where batches are cut. `state` is a `KeyedState`. The result
            is a table, or a mapping from names of side outputs to tables.
        state: Columns of the state, as Spark DDL. The key is stored too.
        ttl: Event time for which a key is kept after its last `put`; None keeps keys for ever. The clock is the
            watermark, or the records' timestamps if the topic has no watermark.
        version: Version of the state's columns. Increase it when you change `state`.
        migrate: `migrate(rows, version) -> rows` converts the state of a partition that was written under an older
            version: key and old columns in, key and new columns out.
        output: Columns of the returned rows, as Spark DDL. Required if a step follows. Undeclared columns are left out.
            Before it starts, the pipeline checks that its sink can store the declared columns.

    Raises:
        PipelineConfigError: An argument is invalid.
    """
    operator = StatefulOperator(check_callable(function, "stateful"), state, ttl, output=parse_output(output))
    return TaskStep(operator, version, migrate, form="stateful")


def map_batches(function: Callable[[pa.Table], BatchAnswer], *, output: str | None = None) -> TaskStep:
    """Process batches of one partition without state.

    Args:
        function: `function(rows) -> rows`. `rows` is a pyarrow.Table with rows of one partition. The result is a table,
            or a mapping from names of side outputs to tables. It must not depend on where batches are cut.
        output: As in `stateful`.
    """
    work = WithoutState(check_callable(function, "map_batches"))
    return TaskStep(StatelessOperator(work, parse_output(output)), form="map_batches")


def map_rows(function: Callable[[Row], Answer], *, output: str, side: Mapping[str, str] | None = None) -> TaskStep:
    """Process one record at a time without state.

    Args:
        function: `function(record)` gets a dictionary. It returns one row (a dictionary), a list of rows, or None for
            no row. A row in `to_side(name, row)` goes to the side output `name`.
        output: Columns of the returned rows, as Spark DDL.
        side: Columns of the rows for each side output, as Spark DDL.
    """
    return TaskStep(StatelessOperator(MapRows(check_callable(function, "map"), record_rows(output, side))), form="map")


def windowed(
    windows: Sliding | Session,
    aggregate: str,
    *,
    late: str | None = None,
    functions: Mapping[str, UserAggregate] | None = None,
    allowed_lateness: Duration | None = None,
    early: bool = False,
) -> TaskStep:
    """Aggregate the rows of each key and event-time window.

    Example: `windowed(tumbling("1 hour"), "count(*) as flights")`. The topic needs `.with_watermark(…)`. Each window
    becomes one row when the watermark passes its end: the key, `window` (a struct of start and end) and the aggregates.
    Later rows go to the side output "late" if the pipeline has one, and are dropped otherwise.

    Args:
        windows: `tumbling(…)`, `sliding(…)` or `session(…)`.
        aggregate: Comma-separated aggregates in Spark's SQL, such as "count(*) as flights, max(delay) as worst".
        late: Name of the side output for late rows, if it is not "late".
        functions: Your own aggregates by name. The function `aggregate(…)` creates an aggregate.
        allowed_lateness: Time for which a window accepts rows after its end, such as "1 hour". Each batch with such
            rows returns the corrected result. Rows after that time are late.
        early: True to also return results of windows before they end. Each batch, and each part of a large batch,
            returns the results of the open windows that it has changed.

    With `allowed_lateness` or `early`, a window has several results (update mode). Their column `timing` is "early",
    "on-time" or "late". The column `revision` is the number of rows in the window so far. A session that becomes part
    of another one gets a last result with the timing "merged".

    Raises:
        PipelineConfigError: An argument is invalid.
    """
    if not isinstance(windows, Sliding | Session):
        raise PipelineConfigError(f"windowed(…) needs tumbling(…), sliding(…) or session(…), not {windows!r}.")
    operator = WindowedOperator(windows, aggregate, late, functions or {}, allowed_lateness, early)
    return TaskStep(operator, form="windowed")


def aggregate(function: Callable[..., Any], *, returns: str) -> UserAggregate:
    """Declare your own aggregate, for the argument `functions` of `windowed`.

    Args:
        function: Gets one pyarrow.Array per argument, with the values of one window in the order of the log, and
            returns the result. With a single argument, nulls are left out. All values are kept until the window closes.
        returns: Type of the result, as Spark DDL.

    Raises:
        PipelineConfigError: An argument is invalid.
    """
    (field,) = ddl.schema(f"result {returns}")
    return UserAggregate(check_callable(function, "aggregate"), field.type)


def join_static(
    table: "Callable[[], pa.Table]", *, on: str, how: Literal["left", "inner"] = "left", suffix: str = SUFFIX
) -> TaskStep:
    """Join each row with a table that does not change while the pipeline runs.

    Example: `join_static(StaticTable("aircraft.parquet"), on="tailnum")`.

    Args:
        table: A `StaticTable`, or a function without arguments that returns a pyarrow.Table.
        on: Column to join on, which both sides have. The table has at most one row for each value.
        how: "left" keeps rows without a match, with nulls; "inner" drops them.
        suffix: Suffix for columns of the table whose names also exist in the rows.
    """
    check_how(how, ("left", "inner"))
    return TaskStep(StaticJoinOperator(check_callable(table, "join_static"), on, how, suffix), form="join_static")


def join_state_table(
    table: Joinable | str, *, how: Literal["left", "inner"] = "left", suffix: str = SUFFIX
) -> TaskStep:
    """Join each row of one topic with the latest value of its key in another topic, like a KTable in Kafka Streams.

    The pipeline reads both topics, with the same key. A row is joined with the value that was the latest at the
    timestamp of the row's record. A record of the table with a null value deletes its key.

    Args:
        table: The topic that is the table, or its name if the pipeline lists it as a source.
        how: "left" keeps rows without a match, with nulls; "inner" drops them.
        suffix: Suffix for columns of the table whose names also exist in the rows.
    """
    check_how(how, ("left", "inner"))
    name = table if isinstance(table, str) else table.name
    return TaskStep(StateTableJoinOperator(name, how, suffix), form="join_state_table", joins=table)


def join_streams(
    other: Joinable | None = None,
    *,
    within: Duration | None = None,
    before: Duration = "0 seconds",
    after: Duration = "0 seconds",
    how: How = "inner",
    suffix: str = SUFFIX,
) -> TaskStep:
    """Join the rows of two topics that have the same key and similar event times.

    Example: `join_streams(within="10 minutes")`. The pipeline reads both topics. They have the same key, and
    each needs `.with_watermark(…)`. Late rows go to the side output "late" if the pipeline has one.

    Args:
        other: The second topic, if the pipeline does not list it as a source.
        within: Sets both `before` and `after`.
        before: Maximum time by which the second topic's row may be older than the first topic's row.
        after: Maximum time by which the second topic's row may be newer than the first topic's row.
        how: "inner", "left", "right" or "outer". Rows without a match are returned when no later row can match.
        suffix: Suffix for columns of the second topic whose names also exist in the first.
    """
    check_how(how, ("inner", "left", "right", "outer"))
    least, most = (before, after) if within is None else (within, within)
    spans = [microseconds(span, "The time between joined rows", least_us=0) for span in (least, most)]
    return TaskStep(StreamJoinOperator(spans[0], spans[1], how, suffix), form="join_streams", joins=other)


def map_with_state(
    function: OnRecord,
    *,
    state: str,
    output: str,
    on_timer: OnTimer | None = None,
    ttl: Duration | None = None,
    version: int = 1,
    migrate: Migrate | None = None,
    side: Mapping[str, str] | None = None,
) -> TaskStep:
    """Process one record at a time with the state of its key. Simpler than `stateful`, but slower.

    Args:
        function: `function(record, state)`, both dictionaries. `state` has the columns of the record's key, all None
            for a new key; change it in place. If all columns are None afterwards, the key is removed. The function
            returns one row (a dictionary), a list of rows, or None for no row. A row in `to_side(name, row)` goes to
            the side output `name`.
        state: Columns of the state, as Spark DDL.
        output: Columns of the returned rows, as Spark DDL.
        on_timer: `on_timer(key, state, timers)` is called when a timer of the key is due and returns rows like
            `function`. With it, `function` has a third argument, the key's `Timers`, to register timers of event time
            (the watermark) or processing time.
        ttl: Event time after which the state of a key is removed if the key has no further record.
        version: As in `stateful`.
        migrate: As in `stateful`.
        side: Columns of the rows for each side output, as Spark DDL.

    Raises:
        PipelineConfigError: An argument is invalid.
    """
    mapped = MapWithState(check_callable(function, "map_with_state"), record_rows(output, side))
    operator = StatefulOperator(mapped, state, ttl)
    if on_timer is not None:
        timed = MapWithTimers(mapped, check_callable(on_timer, "on_timer="))
        operator = StatefulOperator(timed, state, ttl, own=FIELDS)
    return TaskStep(operator, version, migrate, form="map_with_state")


def record_rows(output: str, side: Mapping[str, str] | None) -> RecordRows:
    """Parse the declared columns of the rows that a user's function returns for each record. Raises BadSchema.

    Args:
        output: Columns of the main output, as Spark DDL.
        side: Columns of each side output, as Spark DDL.
    """
    return RecordRows(ddl.schema(output), {name: ddl.schema(columns) for name, columns in (side or {}).items()})


def parse_output(output: str | None) -> pa.Schema | None:
    """Parse declared columns; return None without a declaration. Raises BadSchema."""
    return None if output is None else ddl.schema(output)


def transform(function: TransformFunction) -> Transform:
    """Process a batch as a Spark DataFrame: `function(frame) -> frame`.

    The function may use any Spark SQL that needs only the rows of this batch. It may return a mapping from names of
    side outputs to DataFrames.
    """
    return Transform(check_callable(function, "transform"))


def check_callable(function: F, name: str) -> F:
    """Return `function`. Raises PipelineConfigError, which begins with `name`, if it cannot be called."""
    if not callable(function):
        raise PipelineConfigError(f"{name}(…) needs a function, not {function!r}.")
    return function
