"""Operators for users' functions, with and without state."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

from tenure.pipeline.operators.map_with_state import MapRows, MapWithState
from tenure.pipeline.operators.map_with_timers import MapWithTimers
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.rows import TOPIC
from tenure.pipeline.operators.ttl import FIELD, ExpiringFunction
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

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        schema = keyed_schema(step_input.require_key(), self.state)
        for field in self.own:
            schema = schema.append(field)
        if self.own or self.ttl is not None:
            step_input.require_watermark("timers" if self.own else "ttl=")
        if self.own and self.ttl is not None and not step_input.sees_all:
            step_input.refuse(
                "uses on_timer= together with ttl= after another step: make map_with_state(…) the first step"
            )
        bound = bound_to_records(self.function, self.output, step_input)._replace(
            state=schema, event_time=bool(self.own) or self.ttl is not None
        )
        if self.ttl is None:
            return bound
        ttl_us = microseconds(self.ttl, f"The time to live of the state of {step_input.pipeline}")
        return bound._replace(function=ExpiringFunction(bound.function, ttl_us), state=schema.append(FIELD))


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

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        return bound_to_records(self.function, self.output, step_input)


def bound_to_records(function: Function, output: pa.Schema | None, step_input: OperatorInput) -> BoundOperator:
    """Bind a user's function, which takes a batch or a single record. Return the operator."""
    if not isinstance(function, MapRows | MapWithState | MapWithTimers):
        return BoundOperator(function, output=output, checks_output=True, carries=False, new_keys=True)
    rows = function.rows
    for name in rows.sides:
        step_input.side(name, "rows of to_side(…)")
    bound = function.bound(replace(rows, topics=columns_of_topics(step_input), carries=not step_input.is_last))
    event = next((event.column for event in step_input.events.values()), None)
    field = None if event is None or event not in rows.output.names else rows.output.field(event)
    has_event = field is not None and (pa.types.is_timestamp(field.type) or field == step_input.rows.field(field.name))
    event = event if has_event else None
    return BoundOperator(bound, output=rows.output, event=event, new_keys=True, sides=rows.sides)


def columns_of_topics(step_input: OperatorInput) -> dict[str, list[str]]:
    """Return the column names of each topic's rows; empty if there is only one topic."""
    if len(step_input.topics) == 1:
        return {}
    return {name: [TOPIC, str(step_input.key), *columns.names] for name, columns in step_input.topics.items()}
