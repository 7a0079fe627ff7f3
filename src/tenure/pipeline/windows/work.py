"""`windowed(…)` before it knows its input."""

from dataclasses import dataclass

from tenure.pipeline.windows.aggregates import parsed
from tenure.pipeline.windows.kinds import Session, Sliding
from tenure.pipeline.windows.sessions import Sessions, session_state
from tenure.pipeline.windows.windowed import LATE, Windowed, check_names, window_state
from tenure.pipeline.work import Bound, Input


@dataclass(frozen=True, slots=True)
class WindowedWork:
    windows: Sliding | Session
    aggregate: str

    def bound(self, given: Input) -> Bound:
        key, topic = given.keyed(), given.only_topic("windowed(…)")
        time = given.event(topic, "windowed(…)").column
        columns = parsed(self.aggregate, given)
        check_names(given, columns)
        late = LATE in given.sides
        if isinstance(self.windows, Session):
            sessions = Sessions(self.windows.gap_us, columns, key.name, time, late)
            return Bound(sessions, session_state(key, columns))
        return Bound(Windowed(self.windows, columns, key.name, time, late), window_state(key, columns))
