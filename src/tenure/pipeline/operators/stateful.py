"""Operators for users' functions, with and without state."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

from tenure.pipeline.operators.map_with_state import MapRows, MapWithState
from tenure.pipeline.operators.map_with_timers import MapWithTimers
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.rows import TOPIC
from tenure.pipeline.operators.ttl import FIELD, Expiring
from tenure.pipeline.operators.user_function import Answer, Function
from tenure.pipeline.state.keyed_state import KeyedState, keyed_schema
from tenure.pipeline.values.durations import Duration, microseconds


@dataclass(frozen=True, slots=True)
class StatefulOperator:
    function: Function
    state: str
    """Columns of the state, as Spark DDL."""
    ttl: Duration | None = None
    own: tuple[pa.Field, ...] = ()
    """Internal columns for the function's timers."""
    output: pa.Schema | None = None
    """Columns of the rows that a function over batches returns, if they are declared."""

    def bound(self, given: OperatorInput) -> BoundOperator:
        schema = keyed_schema(given.keyed(), self.state)
        for field in self.own:
            schema = schema.append(field)
        if self.own or self.ttl is not None:
            given.watermark("timers" if self.own else "ttl=")
        if self.own and self.ttl is not None and not given.sees_all:
            given.refuse("uses on_timer= together with ttl= after another step: make map_with_state(…) the first step")
        bound = bound_to_records(self.function, self.output, given)._replace(
            state=schema, event_time=bool(self.own) or self.ttl is not None
        )
        if self.ttl is None:
            return bound
        ttl_us = microseconds(self.ttl, f"The time to live of the state of {given.pipeline}")
        return bound._replace(function=Expiring(bound.function, ttl_us), state=schema.append(FIELD))


@dataclass(frozen=True, slots=True)
class WithoutState:
    """Adapter that gives a function without state the interface of a stateful one. Picklable if `function` is."""

    function: Callable[[pa.Table], Answer]

    def __call__(self, rows: pa.Table, state: KeyedState) -> Answer:
        del state
        return self.function(rows)


@dataclass(frozen=True, slots=True)
class StatelessOperator:
    """Operator for a function without state."""

    function: Function
    output: pa.Schema | None = None

    def bound(self, given: OperatorInput) -> BoundOperator:
        return bound_to_records(self.function, self.output, given)


def bound_to_records(function: Function, output: pa.Schema | None, given: OperatorInput) -> BoundOperator:
    """Bind a user's function, which takes a batch or a single record. Return the operator."""
    if not isinstance(function, MapRows | MapWithState | MapWithTimers):
        return BoundOperator(function, output=output, checks_output=True, carries=False, new_keys=True)
    rows = function.rows
    for name in rows.sides:
        given.side(name, "rows of to_side(…)")
    bound = function.bound(replace(rows, topics=columns_of_topics(given), carries=not given.is_last))
    event = next((event.column for event in given.events.values()), None)
    field = None if event is None or event not in rows.output.names else rows.output.field(event)
    has_event = field is not None and (pa.types.is_timestamp(field.type) or field == given.rows.field(field.name))
    event = event if has_event else None
    return BoundOperator(bound, output=rows.output, event=event, new_keys=True, sides=rows.sides)


def columns_of_topics(given: OperatorInput) -> dict[str, list[str]]:
    """Return the column names of each topic's rows; empty if there is only one topic."""
    if len(given.topics) == 1:
        return {}
    return {name: [TOPIC, str(given.key), *columns.names] for name, columns in given.topics.items()}
