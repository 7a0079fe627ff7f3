"""Functions that users write over a lane's rows and its keyed state, before they know their input."""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from tenure.pipeline.digest import Answer, Function
from tenure.pipeline.durations import Duration, microseconds
from tenure.pipeline.map_with_state import MapWithState, MapWithTimers
from tenure.pipeline.rows import TOPIC
from tenure.pipeline.state import KeyedState, keyed_schema
from tenure.pipeline.ttl import FIELD, Expiring
from tenure.pipeline.work import Bound, Input


@dataclass(frozen=True, slots=True)
class StatefulWork:
    function: Function
    state: str
    """Its columns, in Spark's DDL."""
    ttl: Duration | None = None
    own: tuple[pa.Field, ...] = ()
    """Columns that Tenure keeps for the function: its timers."""

    def bound(self, given: Input) -> Bound:
        schema = keyed_schema(given.keyed(), self.state)
        for field in self.own:
            schema = schema.append(field)
        function = self.function
        if isinstance(function, MapWithState | MapWithTimers) and len(given.topics) > 1:
            function = function.knowing(
                {name: [TOPIC, str(given.key), *columns.names] for name, columns in given.topics.items()}
            )
        if self.ttl is None:
            return Bound(function, schema, event_time=bool(self.own))
        ttl_us = microseconds(self.ttl, f"The time to live of the state of {given.pipeline}")
        return Bound(Expiring(function, ttl_us), schema.append(FIELD), event_time=True)


@dataclass(frozen=True, slots=True)
class WithoutState:
    """Picklable when `function` is."""

    function: Callable[[pa.Table], Answer]

    def __call__(self, rows: pa.Table, state: KeyedState) -> Answer:
        del state
        return self.function(rows)


@dataclass(frozen=True, slots=True)
class StatelessWork:
    """A function over rows alone."""

    function: Function

    def bound(self, given: Input) -> Bound:
        del given
        return Bound(self.function)
