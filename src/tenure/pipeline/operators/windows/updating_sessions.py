"""Session windows in update mode: results before their end, and corrected results after it.

A session has the same kinds of results as a window with fixed bounds (`updates.py`), but its bounds may change:

- A late row may extend an ended session beyond the watermark. The session is then open again, and has another on-time
  result at its new end.
- If sessions merge, the merged session keeps one start. The results under the other starts are withdrawn: each gets a
  last result with the timing "merged" and null aggregates. No sink has to remove a row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.rows import INSTANT, NEVER_US, event_times_us
from tenure.pipeline.operators.windows.grouped import AggregateState
from tenure.pipeline.operators.windows.sessions import OpenSession, Sessions, due_sessions, session_state
from tenure.pipeline.operators.windows.updates import HAS_ENDED, REVISION, TIMING
from tenure.pipeline.operators.windows.windowed import SPAN, WINDOW, watermark_us, window_results
from tenure.pipeline.state.keyed_state import KeyedState

MERGED: Final = "merged"
"""Timing of the last result of a session that became part of another one."""

WAS_ENDED: Final = "was_ended"
"""Field of the state: true once the watermark has passed the session's end, even if a late record opened it again."""

FLAGS: Final = (pa.field(HAS_ENDED, pa.bool_()), pa.field(WAS_ENDED, pa.bool_()))


@dataclass(slots=True)
class TrackedSession:
    """Session, with flags that show which results were already returned for it."""

    session: OpenSession
    has_ended: bool
    was_ended: bool
    is_known: bool
    """True if a result with this start has been returned."""
    changed: bool = False
    """True if rows were added since the last result."""


class Result(NamedTuple):
    key: Any
    session: OpenSession
    timing: str


@dataclass(frozen=True, slots=True)
class UpdatingSessions:
    """Function that computes sessions in update mode. Picklable."""

    sessions: Sessions
    """Sessions with the user's aggregates and with REVISED, the number of rows."""
    lateness_us: int
    early: bool

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        passed_us = NEVER_US if state.watermark_us is None else state.watermark_us
        batch = SessionBatch(self, self.load(rows, state, passed_us))
        late = batch.add(rows)
        for key in batch.by_key:
            batch.advance(key, passed_us)
        results = [*batch.results, *batch.present_results()]
        self.keep(state, batch.by_key)
        tables = [self.table(results, state.schema.field(0)), self.withdrawn(batch.merged, state.schema.field(0))]
        # The withdrawn results come last: no later result has the same start.
        return self.sessions.answer.with_late(pa.concat_tables(tables), rows, numpy.array(late, numpy.int64))

    def load(self, rows: pa.Table, state: KeyedState, passed_us: int) -> dict[Any, list[TrackedSession]]:
        """Return the stored sessions of each key that the batch has to process.

        These are the keys of `rows`, and all keys with a session whose end, or whose end of the allowed lateness, is at
        or before the watermark `passed_us`.
        """
        wanted, found = due_sessions(state, pc.unique(rows[self.sessions.key]).drop_null(), passed_us)
        return {
            key: [
                TrackedSession(
                    self.sessions.one(each), each[HAS_ENDED], each[WAS_ENDED], is_known=self.early or each[WAS_ENDED]
                )
                for each in sessions or ()
            ]
            for key, sessions in zip(wanted, found, strict=True)
        }

    def keep(self, state: KeyedState, by_key: dict[Any, list[TrackedSession]]) -> None:
        """Write the sessions in `by_key` to the state."""
        due, values = {}, {}
        for key, tracked in by_key.items():
            due[key] = [self.expiry_us(each) if each.has_ended else each.session.end_us for each in tracked]
            values[key] = [
                {**self.sessions.struct(each.session), HAS_ENDED: each.has_ended, WAS_ENDED: each.was_ended}
                for each in tracked
            ]
        self.sessions.write(state, due, values)

    def expiry_us(self, tracked: TrackedSession) -> int:
        """Return the watermark at which the session accepts no more rows."""
        return tracked.session.end_us + self.lateness_us

    def table(self, results: Sequence[Result], key: pa.Field) -> pa.Table:
        windows = self.sessions.table([(one.key, one.session) for one in results], key)
        rows = window_results(windows, key.name, self.sessions.columns)
        return rows.append_column(TIMING, pa.array([one.timing for one in results], pa.string()))

    def withdrawn(self, merged: Sequence[tuple[Any, OpenSession]], key: pa.Field) -> pa.Table:
        """Return the last result of each session in `merged`, with null aggregates and the timing "merged"."""
        times = [
            pa.array(bounds, pa.int64()).cast(INSTANT)
            for bounds in ([one.start_us for _, one in merged], [one.end_us for _, one in merged])
        ]
        values = {
            column.aggregate.name: pa.nulls(len(merged), column.aggregate.output.type)
            for column in self.sessions.columns
        }
        return pa.table(
            {
                key.name: pa.array([each for each, _ in merged], key.type),
                WINDOW: pa.StructArray.from_arrays(times, fields=list(SPAN)),
                **values,
                REVISION: pa.repeat(pa.scalar(0, pa.int64()), len(merged)),
                TIMING: pa.repeat(pa.scalar(MERGED, pa.string()), len(merged)),
            }
        )


def updating_session_state(key: pa.Field, columns: Sequence[Any]) -> pa.Schema:
    return session_state(key, columns, FLAGS)


class SessionBatch:
    """Sessions of the keys of a batch, with the results that they have had in it, in the order of the log."""

    def __init__(self, windows: UpdatingSessions, by_key: dict[Any, list[TrackedSession]]) -> None:
        self.windows = windows
        self.by_key = by_key
        self.results: list[Result] = []
        self.merged: list[tuple[Any, OpenSession]] = []
        """Sessions that were merged into one with another start, after a result with their own start was returned."""

    def add(self, rows: pa.Table) -> list[int]:
        """Fold each row into its session; return the indices of the rows that are late, or have no key or no time."""
        sessions, late = self.windows.sessions, []
        keys, times = rows[sessions.key].to_pylist(), event_times_us(rows[sessions.time]).tolist()
        values = sessions.values_of(rows)
        for number, (key, time_us, now_us) in enumerate(zip(keys, times, watermark_us(rows).tolist(), strict=True)):
            ends_us = time_us + sessions.gap_us
            if key is None or time_us == NEVER_US or ends_us + self.windows.lateness_us <= now_us:
                late.append(number)
                continue
            self.advance(key, now_us)
            self.fold(key, time_us, [column[number] for column in values], now_us)
        return late

    def advance(self, key: Any, now_us: int) -> None:
        """Advance the key's sessions to the watermark `now_us`.

        A session that ends now gets its on-time result. A session that accepts no more rows is dropped; if late rows
        have changed it, it gets a late result first.
        """
        kept = []
        for each in self.by_key[key]:
            if not each.has_ended and each.session.end_us <= now_us:
                self.add_result(key, each, "on-time")
                each.has_ended = each.was_ended = True
            if self.windows.expiry_us(each) > now_us:
                kept.append(each)
            elif each.changed:
                self.add_result(key, each, "late")
        self.by_key[key] = kept

    def fold(self, key: Any, time_us: int, values: Sequence[Any], now_us: int) -> None:
        """Fold a row into the sessions that it joins, and merge these sessions."""
        sessions = self.windows.sessions
        near, far = list[TrackedSession](), list[TrackedSession]()
        for each in self.by_key[key]:
            (near if sessions.joins(each.session, time_us) else far).append(each)
        one = sessions.joined([each.session for each in near], time_us, values)
        same = next((each for each in near if each.session.start_us == one.start_us), None)
        self.merged += [(key, each.session) for each in near if each is not same and each.is_known]
        has_ended = one.end_us <= now_us
        was_ended = has_ended or (same is not None and same.was_ended)
        made = TrackedSession(one, has_ended, was_ended, is_known=same is not None and same.is_known, changed=True)
        self.by_key[key] = sorted([*far, made], key=lambda each: each.session.start_us)

    def add_result(self, key: Any, tracked: TrackedSession, timing: str) -> None:
        session = tracked.session
        self.results.append(Result(key, session._replace(kept=copied(session.kept)), timing))
        tracked.changed, tracked.is_known = False, True

    def present_results(self) -> Iterator[Result]:
        """Yield an early or late result of each session that has got rows since its last result."""
        for key, tracked in self.by_key.items():
            for each in tracked:
                if each.changed and (each.has_ended or self.windows.early):
                    yield Result(key, each.session, "late" if each.has_ended else "early")


def copied(kept: Sequence[AggregateState]) -> list[AggregateState]:
    """Return a copy of the aggregates' states for a result: later rows change the lists in the original."""
    return [[list(value) if isinstance(value, list) else value for value in values] for values in kept]
