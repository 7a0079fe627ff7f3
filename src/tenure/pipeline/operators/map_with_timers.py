"""Functions that process one record at a time and register timers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import MAP_WITH_STATE_RECORDS
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.map_with_state import Kept, MapWithState, Row, State
from tenure.pipeline.operators.rows import NEVER_US, WATERMARK, event_times_us
from tenure.pipeline.operators.timers import COLUMNS, Due, Timers, instant, keys_with_timers
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.user_errors import describe_user_error

OnTimer: TypeAlias = Callable[[Any, State, Timers], Row | Iterable[Row] | None]
"""Function (key, state, timers) -> one row, several rows or None, called when a timer of the key is due."""


@dataclass(frozen=True, slots=True)
class MapWithTimers:
    """Adapter for functions that register timers. Picklable if they are."""

    mapped: MapWithState
    on_timer: OnTimer

    def knowing(self, topics: Mapping[str, Sequence[str]]) -> "MapWithTimers":
        return replace(self, mapped=self.mapped.knowing(topics))

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        calls = TimedCalls(self, rows, state)
        made = [self.mapped.output.empty_table(), self.table(calls.start())]
        for batch, watermarks in zip(*self.batches(rows), strict=True):
            made.append(self.table(chain.from_iterable(map(calls.record, self.mapped.records(batch), watermarks))))
        calls.kept.write_back()
        return pa.concat_tables(made)

    def batches(self, rows: pa.Table) -> tuple[list[pa.RecordBatch], list[list[int]]]:
        batches = rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS)
        return batches, [event_times_us(batch[WATERMARK]).tolist() for batch in batches]

    def table(self, rows: Iterable[Row]) -> pa.Table:
        return pa.Table.from_pylist(list(rows), schema=self.mapped.output)


class TimedCalls:
    """Calls of one batch in log order: each record, then the timers that are due after it."""

    def __init__(self, function: MapWithTimers, rows: pa.Table, state: KeyedState) -> None:
        self.on_record: Any = function.mapped.on_record
        self.on_timer = function.on_timer
        self.rows_of = function.mapped.rows_of
        self.key = state.key
        self.now_us = state.now_ms * 1000
        self.watermark_us: int | None = None
        last = pc.max(rows[WATERMARK].cast(pa.int64())).as_py()
        due = {"event": NEVER_US if last is None else last, "processing": self.now_us}
        timed: list[pa.Array] = [keys_with_timers(state, clock, due[clock]) for clock in COLUMNS]
        own = rows[state.key].combine_chunks().drop_null().cast(timed[0].type)
        self.kept = Kept(pc.unique(pa.concat_arrays([own, *timed])), state)
        self.due = Due()
        for clock, timers in self.kept.timers.items():
            for key, times in timers.items():
                for at_us in times:
                    self.due.add(clock, at_us, key)

    def start(self) -> list[Row]:
        """Fire the processing-time timers that became due since the last batch."""
        return self.fire()

    def record(self, record: Row, watermark_us: int) -> list[Row]:
        self.watermark_us = None if watermark_us == NEVER_US else watermark_us
        key = record[self.key]
        return [*self.rows_of(self.on_record(record, self.kept.of(key), self.timers(key))), *self.fire()]

    def fire(self) -> list[Row]:
        made = []
        while timer := self.due.next(self.now_us, self.watermark_us):
            clock, at_us, key = timer
            if at_us not in self.kept.timers[clock][key]:
                continue  # It was deleted.
            timers = self.timers(key)
            timers.fire(at_us, clock)
            try:
                made += self.rows_of(self.on_timer(key, self.kept.of(key), timers))
            except Exception as error:
                raise BadFunction(
                    f"on_timer failed for {self.key} {key!r} at {instant(at_us)}: {describe_user_error(error)}"
                ) from error
        return made

    def timers(self, key: Any) -> Timers:
        return Timers(key, self.kept.timers_of(key), self.due, self.now_us, self.watermark_us)
