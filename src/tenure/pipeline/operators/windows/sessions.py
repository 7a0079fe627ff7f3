"""Session windows, whose bounds depend on their rows.

A row joins all open sessions of its key that are closer to it than the gap, and merges them. If there is none, the row
begins a session. The watermark of the row determines which sessions are still open, so rows are processed one by one.
The sessions of a key are one row of the state.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.rows import INSTANT, NEVER_US, event_times_us
from tenure.pipeline.operators.windows.aggregates import AggregateColumn
from tenure.pipeline.operators.windows.grouped import AggregateState
from tenure.pipeline.operators.windows.windowed import WindowAnswer, watermark_us
from tenure.pipeline.state.keyed_state import KeyedState

UNTIL: Final = "until"
"""State column with the earliest watermark at which a session of the key has to be processed again, such as its end."""

SESSIONS: Final = "sessions"


class OpenSession(NamedTuple):
    start_us: int
    end_us: int
    kept: list[AggregateState]
    """Intermediate state of each aggregate, in the order of the columns."""


def session_state(key: pa.Field, columns: Sequence[AggregateColumn], more: Sequence[pa.Field] = ()) -> pa.Schema:
    one = pa.struct([("start", pa.int64()), ("end", pa.int64()), *_fields(columns), *more])
    return pa.schema([key, pa.field(UNTIL, INSTANT), pa.field(SESSIONS, pa.list_(one))])


@dataclass(frozen=True, slots=True)
class Sessions:
    """Session windows of a pipeline. Picklable."""

    gap_us: int
    columns: Sequence[AggregateColumn]
    key: str
    time: str
    answer: WindowAnswer

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        passed_us = NEVER_US if state.watermark_us is None else state.watermark_us
        open_by_key = self.load(state, pc.unique(rows[self.key]).drop_null(), passed_us)
        closed = list[tuple[Any, OpenSession]]()
        late = self.add(rows, watermark_us(rows), open_by_key, closed)
        for key, sessions in open_by_key.items():
            closed += [(key, one) for one in sessions if one.end_us <= passed_us]
            open_by_key[key] = [one for one in sessions if one.end_us > passed_us]
        self.keep(state, open_by_key)
        ended = self.table(closed, state.schema.field(0))
        return self.answer.tables(rows, self.key, self.columns, ended, numpy.array(late, numpy.int64))

    def add(
        self,
        rows: pa.Table,
        watermarks: Any,
        open_by_key: dict[Any, list[OpenSession]],
        closed: list[tuple[Any, OpenSession]],
    ) -> list[int]:
        """Fold each row into its session; return the indices of the rows that are late, or have no key or no time.

        `watermarks` has the watermark of each row. `open_by_key` has the open sessions of each key, and is changed. A
        session moves to `closed` if it ends at or before the watermark of a row with the same key.
        """
        late = []
        keys, times = rows[self.key].to_pylist(), event_times_us(rows[self.time]).tolist()
        read = self.values_of(rows)
        for number, (key, time_us, watermark) in enumerate(zip(keys, times, watermarks.tolist(), strict=True)):
            if key is None or time_us == NEVER_US or time_us + self.gap_us <= watermark:
                late.append(number)
                continue
            near, far = list[OpenSession](), list[OpenSession]()
            for one in open_by_key[key]:
                if one.end_us <= watermark:
                    closed.append((key, one))
                elif self.joins(one, time_us):
                    near.append(one)
                else:
                    far.append(one)
            one = self.joined(near, time_us, [column[number] for column in read])
            open_by_key[key] = sorted([*far, one]) if far else [one]
        return late

    def values_of(self, rows: pa.Table) -> list[Sequence[Any]]:
        """Return for each aggregate the value of each row; None for rows that the aggregate ignores."""
        arrays = [column.values(rows) for column in self.columns]
        return [[True] * len(rows) if array is None else array.to_pylist() for array in arrays]

    def joins(self, one: OpenSession, time_us: int) -> bool:
        """Return whether a row with this time belongs to the session."""
        return one.start_us < time_us + self.gap_us and time_us < one.end_us

    def joined(self, near: Sequence[OpenSession], time_us: int, values: Sequence[Any]) -> OpenSession:
        """Return one session that merges the sessions `near` and a row that joins all of them.

        `near` is sorted by start, and empty for a row that begins a session. `values` has the row's value for each
        aggregate, None if the aggregate ignores the row.
        """
        start_us, end_us = time_us, time_us + self.gap_us
        kept = near[0].kept if near else [[None] * len(column.aggregate.fields) for column in self.columns]
        for other in near[1:]:
            pairs = zip(self.columns, kept, other.kept, strict=True)
            kept = [column.aggregate.merge(left, right) for column, left, right in pairs]
        for one in near:
            start_us, end_us = min(start_us, one.start_us), max(end_us, one.end_us)
        kept = [
            so_far if value is None else column.aggregate.add(so_far, value, time_us)
            for column, so_far, value in zip(self.columns, kept, values, strict=True)
        ]
        return OpenSession(start_us, end_us, kept)

    def load(self, state: KeyedState, keys: pa.Array, watermark: int) -> dict[Any, list[OpenSession]]:
        """Return the stored sessions of each key that the batch has to process.

        These are the keys in `keys`, and all keys with a session that ends at or before `watermark`.
        """
        wanted, found = due_sessions(state, keys, watermark)
        return {
            key: [self.one(session) for session in sessions or ()] for key, sessions in zip(wanted, found, strict=True)
        }

    def one(self, session: dict[str, Any]) -> OpenSession:
        kept = [[session[field.name] for field in column.aggregate.fields] for column in self.columns]
        return OpenSession(session["start"], session["end"], kept)

    def keep(self, state: KeyedState, open_by_key: dict[Any, list[OpenSession]]) -> None:
        ends = {key: [one.end_us for one in ones] for key, ones in open_by_key.items()}
        self.write(state, ends, {key: [self.struct(one) for one in ones] for key, ones in open_by_key.items()})

    @staticmethod
    def write(state: KeyedState, due_us: dict[Any, list[int]], sessions: dict[Any, list[dict[str, Any]]]) -> None:
        """Write the sessions of each key to the state. Remove keys without sessions.

        `due_us` has, for each session of a key, the watermark at which the session has to be processed again, for
        example because it ends. The state stores only the earliest of these watermarks for each key.
        """
        key, until, kind = state.schema
        full = [key for key, ones in sessions.items() if ones]
        state.delete(pa.array([key for key, ones in sessions.items() if not ones], key.type))
        if full:
            first = pa.array([min(due_us[key]) for key in full], pa.int64()).cast(until.type)
            values = pa.array([sessions[key] for key in full], kind.type)
            state.put(pa.array(full, key.type), pa.table({UNTIL: first, SESSIONS: values}))

    def struct(self, one: OpenSession) -> dict[str, Any]:
        values = dict(zip([field.name for field in _fields(self.columns)], _flat(one.kept), strict=True))
        return {"start": one.start_us, "end": one.end_us, **values}

    def table(self, closed: Sequence[tuple[Any, OpenSession]], key: pa.Field) -> pa.Table:
        kept = list(zip(*(_flat(one.kept) for _, one in closed), strict=True)) or [()] * len(_fields(self.columns))
        spans = {
            "start": pa.array([one.start_us for _, one in closed], pa.int64()).cast(INSTANT),
            "end": pa.array([one.end_us for _, one in closed], pa.int64()).cast(INSTANT),
        }
        values = {
            field.name: pa.array(column, field.type) for field, column in zip(_fields(self.columns), kept, strict=True)
        }
        return pa.table({self.key: pa.array([key for key, _ in closed], key.type), **spans, **values})


def due_sessions(state: KeyedState, keys: pa.Array, watermark: int) -> tuple[list[Any], list[Any]]:
    """Return the keys that a batch has to process, and the stored sessions of each; None for a key without sessions.

    These are the keys in `keys`, and all keys whose column UNTIL is at or before `watermark`.
    """
    layers = state.layers
    due = [
        table[layers.key].filter(pc.less_equal(table[UNTIL].cast(pa.int64()), pa.scalar(watermark, pa.int64())))
        for table in (layers.base, *layers.deltas)
    ]
    wanted = pc.unique(pa.chunked_array([keys, *(chunk for column in due for chunk in column.chunks)]))
    return wanted.to_pylist(), state.get(wanted)[SESSIONS].to_pylist()


def _fields(columns: Sequence[AggregateColumn]) -> list[pa.Field]:
    return [field for column in columns for field in column.aggregate.fields]


def _flat(kept: Iterable[AggregateState]) -> list[Any]:
    return [value for values in kept for value in values]
