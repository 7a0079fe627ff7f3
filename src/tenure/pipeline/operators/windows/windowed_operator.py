"""Declaration of `windowed(…)`, which parses its aggregates when it knows its input."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.windows.aggregate_parser import aggregate_columns
from tenure.pipeline.operators.windows.collected import UserAggregate
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.pipeline.operators.windows.sessions import Sessions, session_state
from tenure.pipeline.operators.windows.windowed import (
    LATE,
    SPAN,
    WINDOW,
    WindowAnswer,
    Windowed,
    check_names,
    window_state,
)


@dataclass(frozen=True, slots=True)
class WindowedOperator:
    windows: Sliding | Session
    aggregate: str
    late: str | None = None
    """Side output of late rows; None for the pipeline's side output "late", if it has one."""
    functions: Mapping[str, UserAggregate] = field(default_factory=dict)
    """Aggregates of the user by their name in `aggregate`."""

    def bound(self, given: OperatorInput) -> BoundOperator:
        key, topic = given.keyed(), given.only_topic("windowed(…)")
        time = given.event(topic, "windowed(…)").column
        columns = aggregate_columns(self.aggregate, given, self.functions)
        check_names(given, columns)
        if self.late is not None:
            given.side(self.late, "the late rows of windowed(…)")
        late = self.late or (LATE if LATE in given.sides else None)
        answer = WindowAnswer(late, given.is_last)
        function: Windowed | Sessions
        if isinstance(self.windows, Session):
            state = session_state(key, columns)
            function = Sessions(self.windows.gap_us, columns, key.name, time, answer)
        else:
            state = window_state(key, columns)
            function = Windowed(self.windows, columns, key.name, time, answer)
        closed = pa.schema([key, pa.field(WINDOW, SPAN), *(column.aggregate.output for column in columns)])
        return BoundOperator(function, state, output=closed, event=WINDOW)
