"""Functions that process one record at a time and register timers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import MAP_WITH_STATE_RECORDS
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.map_with_state import BatchStates, MapWithState, State
from tenure.pipeline.operators.record_rows import Answer, RecordRows, Row, SideRow, with_columns
from tenure.pipeline.operators.rows import BEFORE, INSTANT, NEVER_US, RECORD_INDEX, WATERMARK, event_times_us
from tenure.pipeline.operators.timers import COLUMNS, TimerQueue, Timers, instant, keys_with_timers
from tenure.pipeline.operators.user_function import MAIN, FunctionResult
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.user_errors import describe_user_error

OnTimer: TypeAlias = Callable[[Any, State, Timers], Answer]
"""Function (key, state, timers) -> one row, several rows or None, called when a timer of the key is due."""


@dataclass(frozen=True, slots=True)
class MapWithTimers:
    """Adapter for functions that register timers. Picklable if the functions are."""

    mapped: MapWithState
    on_timer: OnTimer

    @property
    def rows(self) -> RecordRows:
        return self.mapped.rows

    def bound(self, rows: RecordRows) -> "MapWithTimers":
        return replace(self, mapped=self.mapped.bound(rows))

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        calls = RecordAndTimerCalls(self, rows, state)
        made = FunctionResult()
        made.add(self.tables(list(calls.start())))
        for batch in rows.to_batches(max_chunksize=MAP_WITH_STATE_RECORDS):
            made.add(self.tables(list(calls.batch(batch))))
        made.add(self.tables(list(calls.end())))
        calls.kept.write_back()
        return made.tables()

    def tables(self, made: list["TimedRow"]) -> dict[str, pa.Table]:
        tables = self.rows.by_output(one.row for one in made)
        if self.rows.carries:
            rows = [one for one in made if not isinstance(one.row, SideRow)]
            tables[MAIN] = with_columns(tables[MAIN], carried(rows))
        return tables


class TimedRow(NamedTuple):
    """Row that a function returned, with the values of its internal columns."""

    row: Row | SideRow
    watermark_us: int
    before_us: int
    record_index: int | None
    """Index of the row's record; None for a row of an event-time timer, because `watermark_us` determines it."""


def carried(made: list[TimedRow]) -> pa.Table:
    """Return a table with only the internal columns of the rows `made`."""
    times = {
        WATERMARK: [one.watermark_us for one in made],
        BEFORE: [one.before_us for one in made],
    }
    columns = {
        name: pa.array([None if at_us == NEVER_US else at_us for at_us in column], pa.int64()).cast(INSTANT)
        for name, column in times.items()
    }
    return pa.table({**columns, RECORD_INDEX: pa.array([one.record_index for one in made], pa.int64())})


class RecordAndTimerCalls:
    """Function calls of one batch in log order: for each record `on_record`, then the timers that became due."""

    def __init__(self, function: MapWithTimers, rows: pa.Table, state: KeyedState) -> None:
        self.on_record: Any = function.mapped.on_record
        self.on_timer = function.on_timer
        self.rows = function.rows
        self.key = state.key
        self.now_us = state.now_ms * 1000
        self.last_us = NEVER_US if state.watermark_us is None else state.watermark_us
        self.watermark_us: int | None = None
        self.before_us = NEVER_US
        """Watermark before the latest record."""
        self.record_index: int | None = None
        due = {"event": self.last_us, "processing": self.now_us}
        timed: list[pa.Array] = [keys_with_timers(state, clock, due[clock]) for clock in COLUMNS]
        own = rows[state.key].combine_chunks().drop_null().cast(timed[0].type)
        self.kept = BatchStates(pc.unique(pa.concat_arrays([own, *timed])), state)
        self.due = TimerQueue()
        for clock, timers in self.kept.timers.items():
            for key, times in timers.items():
                for at_us in times:
                    self.due.add(clock, at_us, key)

    def start(self) -> Iterator[TimedRow]:
        """Fire the processing-time timers that became due since the last batch. Yield the rows that they return."""
        return self.fire()

    def batch(self, batch: pa.RecordBatch) -> Iterator[TimedRow]:
        """Process the records of a batch, and fire the timers that are due before and after each. Yield the rows."""
        after = event_times_us(batch[WATERMARK]).tolist()
        before = event_times_us(batch[BEFORE]).tolist() if BEFORE in batch.schema.names else [NEVER_US] * len(after)
        indices = batch[RECORD_INDEX].to_pylist() if RECORD_INDEX in batch.schema.names else [None] * len(after)
        for record, before_us, after_us, index in zip(self.rows.records(batch), before, after, indices, strict=True):
            yield from self.fire_until(before_us)
            self.before_us, self.record_index = before_us, index
            self.watermark_us = None if after_us == NEVER_US else after_us
            key = record[self.key]
            for row in self.rows.rows_of(self.on_record(record, self.kept.of(key), self.timers(key))):
                yield TimedRow(row, after_us, before_us, index)
            yield from self.fire()

    def end(self) -> Iterator[TimedRow]:
        """Fire timers that become due after the last row. Yield the rows that they return.

        An earlier step may have dropped the rows of later records, but these records still advance the watermark.
        """
        return self.fire_until(self.last_us)

    def fire_until(self, watermark_us: int) -> Iterator[TimedRow]:
        if watermark_us != NEVER_US and (self.watermark_us is None or watermark_us > self.watermark_us):
            self.watermark_us = watermark_us
            yield from self.fire()

    def fire(self) -> Iterator[TimedRow]:
        while timer := self.due.next(self.now_us, self.watermark_us):
            clock, at_us, key = timer
            if at_us not in self.kept.timers[clock][key]:
                continue  # The function has deleted this timer after it was queued.
            timers = self.timers(key)
            timers.fire(at_us, clock)
            try:
                rows = self.rows.rows_of(self.on_timer(key, self.kept.of(key), timers))
            except Exception as error:
                raise BadFunction(
                    f"on_timer failed for {self.key} {key!r} at {instant(at_us)}: {describe_user_error(error)}"
                ) from error
            # An earlier step may have dropped the row of the record that made an event-time timer due. So the timer's
            # rows get a watermark just before its time, from which a later step finds their record index.
            is_in_time = clock == "event" and at_us > self.before_us
            us, index = (at_us - 1, None) if is_in_time else (self.before_us, self.record_index)
            yield from (TimedRow(row, us, us, index) for row in rows)

    def timers(self, key: Any) -> Timers:
        return Timers(key, self.kept.timers_of(key), self.due, self.now_us, self.watermark_us)
