"""Operators for users' functions, with and without state."""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from tenure.pipeline.operators.map_with_state import MapWithState
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

    def bound(self, given: OperatorInput) -> BoundOperator:
        schema = keyed_schema(given.keyed(), self.state)
        for field in self.own:
            schema = schema.append(field)
        function = self.function
        if isinstance(function, MapWithState | MapWithTimers) and len(given.topics) > 1:
            function = function.knowing(
                {name: [TOPIC, str(given.key), *columns.names] for name, columns in given.topics.items()}
            )
        if self.ttl is None:
            return BoundOperator(function, schema, event_time=bool(self.own))
        ttl_us = microseconds(self.ttl, f"The time to live of the state of {given.pipeline}")
        return BoundOperator(Expiring(function, ttl_us), schema.append(FIELD), event_time=True)


@dataclass(frozen=True, slots=True)
class WithoutState:
    """Function over rows with the interface of a stateful one. Picklable if `function` is."""

    function: Callable[[pa.Table], Answer]

    def __call__(self, rows: pa.Table, state: KeyedState) -> Answer:
        del state
        return self.function(rows)


@dataclass(frozen=True, slots=True)
class StatelessOperator:
    """Operator for a function without state."""

    function: Function

    def bound(self, given: OperatorInput) -> BoundOperator:
        del given
        return BoundOperator(self.function)
