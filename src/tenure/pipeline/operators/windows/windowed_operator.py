"""Operator of `windowed(…)`. It parses the aggregates when it is bound to the columns of its input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.windows.aggregate_parser import aggregate_columns
from tenure.pipeline.operators.windows.aggregates import AggregateColumn
from tenure.pipeline.operators.windows.collected import UserAggregate
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.pipeline.operators.windows.sessions import Sessions, session_state
from tenure.pipeline.operators.windows.updates import (
    REVISED,
    TIMING,
    UPDATE_COLUMNS,
    UpdatingWindows,
    update_key,
    updating_state,
)
from tenure.pipeline.operators.windows.updating_sessions import (
    WAS_ENDED,
    UpdatingSessions,
    updating_session_state,
)
from tenure.pipeline.operators.windows.windowed import (
    LATE,
    SPAN,
    WINDOW,
    WindowAnswer,
    Windowed,
    check_names,
    window_state,
)
from tenure.pipeline.values.durations import Duration, microseconds


@dataclass(frozen=True, slots=True)
class WindowedOperator:
    windows: Sliding | Session
    aggregate: str
    late: str | None = None
    """Side output of late rows; None for the pipeline's side output "late", if it has one."""
    functions: Mapping[str, UserAggregate] = field(default_factory=dict)
    """Aggregates of the user by their name in `aggregate`."""
    allowed_lateness: Duration | None = None
    """Time for which ended windows are corrected; None if each window is returned once."""
    early: bool = False
    """True if the results of a window are also returned before its end."""

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        key, topic = step_input.require_key(), step_input.require_one_topic("windowed(…)")
        time = step_input.require_event_time(topic, "windowed(…)").column
        columns = aggregate_columns(self.aggregate, step_input, self.functions)
        check_names(step_input, columns, (*UPDATE_COLUMNS, WAS_ENDED) if self.updates else ())
        if self.late is not None:
            step_input.side(self.late, "the late rows of windowed(…)")
        late = self.late or (LATE if LATE in step_input.sides else None)
        answer = WindowAnswer(late, step_input.is_last)
        columns = [*columns, REVISED] if self.updates else columns
        function: Windowed | Sessions
        if isinstance(self.windows, Session):
            state = session_state(key, columns)
            function = Sessions(self.windows.gap_us, columns, key.name, time, answer)
        else:
            state = window_state(key, columns)
            function = Windowed(self.windows, columns, key.name, time, answer)
        if self.updates:
            return self.updating(step_input, function)
        sides = step_input.columns_to_side(late)
        return BoundOperator(function, state, output=result_columns(key, columns), event=WINDOW, sides=sides)

    @property
    def updates(self) -> bool:
        """True in update mode, where a window may have several results."""
        return self.early or self.allowed_lateness is not None

    def updating(self, step_input: OperatorInput, windows: Windowed | Sessions) -> BoundOperator:
        lateness = "0 seconds" if self.allowed_lateness is None else self.allowed_lateness
        lateness_us = microseconds(
            lateness, f"The allowed lateness of the windows of {step_input.pipeline}", least_us=0
        )
        key, columns = step_input.require_key(), windows.columns
        function: UpdatingWindows | UpdatingSessions
        if isinstance(windows, Sessions):
            function, state = UpdatingSessions(windows, lateness_us, self.early), updating_session_state(key, columns)
        else:
            function, state = UpdatingWindows(windows, lateness_us, self.early), updating_state(key, columns)
        return BoundOperator(
            function,
            state,
            output=result_columns(key, columns).append(pa.field(TIMING, pa.string())),
            carries=False,
            updates=update_key(key.name),
            sides=step_input.columns_to_side(windows.answer.late),
        )


def result_columns(key: pa.Field, columns: Sequence[AggregateColumn]) -> pa.Schema:
    return pa.schema([key, pa.field(WINDOW, SPAN), *(column.aggregate.output for column in columns)])
