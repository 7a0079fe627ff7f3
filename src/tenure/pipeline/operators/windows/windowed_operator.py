"""`windowed(…)` before it knows its input."""

from dataclasses import dataclass

from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.windows.aggregates import parsed
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.pipeline.operators.windows.sessions import Sessions, session_state
from tenure.pipeline.operators.windows.windowed import LATE, Windowed, check_names, window_state


@dataclass(frozen=True, slots=True)
class WindowedOperator:
    windows: Sliding | Session
    aggregate: str

    def bound(self, given: OperatorInput) -> BoundOperator:
        key, topic = given.keyed(), given.only_topic("windowed(…)")
        time = given.event(topic, "windowed(…)").column
        columns = parsed(self.aggregate, given)
        check_names(given, columns)
        late = LATE in given.sides
        if isinstance(self.windows, Session):
            sessions = Sessions(self.windows.gap_us, columns, key.name, time, late)
            return BoundOperator(sessions, session_state(key, columns))
        return BoundOperator(Windowed(self.windows, columns, key.name, time, late), window_state(key, columns))
