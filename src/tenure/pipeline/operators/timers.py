"""Timers of keys.

An event-time timer fires when the watermark reaches its time: after the row that advances the watermark and before the
next row. So the order of rows and timers does not depend on how the log is cut into batches. A processing-time timer
fires in the first batch that starts after its time. A timer that is registered for a past time fires at once. A lane
with a due timer gets a batch even without new records. Timers are stored in the state of their key and are removed with
it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from typing import Any, Final, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.state.keyed_state import PROCESSING_TIMERS, TIMERS, KeyedState

Clock: TypeAlias = Literal["event", "processing"]

COLUMNS: Final[dict[Clock, str]] = {"event": TIMERS, "processing": PROCESSING_TIMERS}

FIELDS: Final = tuple(pa.field(name, pa.list_(pa.int64())) for name in COLUMNS.values())
"""State columns with the timers of a key for each clock: lists of times in µs since 1970, earliest first."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Timers:
    """Timers of one key, and the current times, for a user's function."""

    __slots__ = ("_due", "_fired", "_fired_clock", "_key", "_processing_us", "_set", "_watermark_us")

    def __init__(
        self,
        key: Any,
        registered: dict[Clock, set[int]],
        due: "TimerQueue",
        processing_us: int,
        watermark_us: int | None,
    ) -> None:
        self._key = key
        self._set = registered
        self._due = due
        self._processing_us = processing_us
        self._watermark_us = watermark_us
        self._fired: int | None = None
        self._fired_clock: Clock | None = None

    @property
    def watermark(self) -> datetime | None:
        """Watermark after the current row.

        None before the first event time, and for a timer that fires before the first row of a batch.
        """
        return None if self._watermark_us is None else instant(self._watermark_us)

    @property
    def processing_time(self) -> datetime:
        """Processing time: the time at which the batch was planned."""
        return instant(self._processing_us)

    @property
    def fired(self) -> datetime | None:
        """Time of the timer that fired, in `on_timer`; None otherwise."""
        return None if self._fired is None else instant(self._fired)

    @property
    def clock(self) -> Clock | None:
        """Clock of the timer that fired, in `on_timer`; None otherwise."""
        return self._fired_clock

    def fire(self, at_us: int, clock: Clock) -> None:
        """Remove a due timer before `on_timer` is called for it. Then `fired` and `clock` have its time and clock."""
        self._set[clock].discard(at_us)
        self._fired, self._fired_clock = at_us, clock

    def register(self, at: datetime, *, clock: Clock = "event") -> None:
        """Register a timer: `on_timer` is called for this key at `at`. Registering the same time twice has no effect.

        Args:
            at: Time with a time zone.
            clock: "event" for event time (the watermark), or "processing" for processing time.

        Raises:
            ValueError: The record has no key, `at` has no time zone, or `on_timer` registers a time that is not after
                the timer that fired.
        """
        if self._key is None:
            raise ValueError("a record without a key cannot register a timer: check that the key is not null")
        at_us = microseconds(at)
        if self._fired_clock == clock and self._fired is not None and at_us <= self._fired:
            raise ValueError(f"the timer of {instant(self._fired)} cannot register a timer for {at}: use a later time")
        if at_us not in self._set[clock]:
            self._set[clock].add(at_us)
            self._due.add(clock, at_us, self._key)

    def delete(self, at: datetime, *, clock: Clock = "event") -> None:
        """Remove the timer of this time, if one is registered."""
        self._set[clock].discard(microseconds(at))

    def list(self, *, clock: Clock = "event") -> list[datetime]:
        """Return the registered times of this key, earliest first."""
        return [instant(at) for at in sorted(self._set[clock])]


class TimerQueue:
    """Queue of the timers of all keys that may fire in a batch: one queue for each clock, earliest first."""

    def __init__(self) -> None:
        self.heaps: dict[Clock, list[tuple[int, Any]]] = {"event": [], "processing": []}

    def add(self, clock: Clock, at_us: int, key: Any) -> None:
        heappush(self.heaps[clock], (at_us, key))

    def next(self, processing_us: int, watermark_us: int | None) -> tuple[Clock, int, Any] | None:
        """Remove and return the first due timer as (clock, time in µs, key); None if no timer is due."""
        times: dict[Clock, int | None] = {"processing": processing_us, "event": watermark_us}
        for clock, now_us in times.items():
            heap = self.heaps[clock]
            if now_us is not None and heap and heap[0][0] <= now_us:
                return clock, *heappop(heap)
        return None


def keys_with_timers(state: KeyedState, clock: Clock, until_us: int) -> pa.Array:
    """Return the keys that may have a timer at or before `until_us`. Some of these timers may be deleted already."""
    layers, column = state.layers, COLUMNS[clock]
    found = []
    for table in (layers.base, *layers.deltas):
        for batch in table.select([state.key, column]).to_batches():
            lists = batch[column]
            due = pc.less_equal(pc.list_flatten(lists), pa.scalar(until_us, pa.int64()))
            rows = pc.unique(pc.list_parent_indices(lists).filter(due))
            found.append(batch[state.key].take(rows))
    return pc.unique(pa.chunked_array(found, state.schema.field(0).type))


def first_processing_timer_us(state: KeyedState) -> int | None:
    """Return the time of the earliest processing-time timer in µs; None if there is none."""
    layers = state.layers
    if PROCESSING_TIMERS not in layers.schema.names:
        return None
    tables = [table.select([state.key, PROCESSING_TIMERS]) for table in (layers.base, *layers.deltas)]
    have = [table[state.key].filter(pc.greater(pc.list_value_length(table[PROCESSING_TIMERS]), 0)) for table in tables]
    keys = pc.unique(
        pa.chunked_array([chunk for column in have for chunk in column.chunks], state.schema.field(0).type)
    )
    earliest = pc.min(pc.list_flatten(state.rows(keys)[PROCESSING_TIMERS])).as_py()
    return None if earliest is None else int(earliest)


def microseconds(at: datetime) -> int:
    if at.tzinfo is None:
        raise ValueError(f"the timer time {at} has no time zone: add one, as in datetime(…, tzinfo=UTC)")
    return (at - EPOCH) // timedelta(microseconds=1)


def instant(us: int) -> datetime:
    return EPOCH + timedelta(microseconds=us)


def timer_column(values: Iterable[set[int]]) -> pa.Array:
    return pa.array([sorted(times) or None for times in values], FIELDS[0].type)
