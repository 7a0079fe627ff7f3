"""Timers: what a function is to be called for later, by key.

A timer of event time is due when the watermark reaches it: right after the row that carries the watermark there, before
the next one. So it fires at the same place however the log is cut. A timer of processing time is due when a run begins
after it, or at once when it is registered for the past; a lane whose first timer is due gets a run even without
records. Both stand in the state, beside what is kept of their key, and go with it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from typing import Any, Final, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.state import PROCESSING_TIMERS, TIMERS, KeyedState

Clock: TypeAlias = Literal["event", "processing"]

COLUMNS: Final[dict[Clock, str]] = {"event": TIMERS, "processing": PROCESSING_TIMERS}

FIELDS: Final = tuple(pa.field(name, pa.list_(pa.int64())) for name in COLUMNS.values())
"""Microseconds since 1970, in order."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Timers:
    """The timers of one key, as a function sees them; and what time it is."""

    __slots__ = ("_due", "_fired", "_fired_clock", "_key", "_processing_us", "_set", "_watermark_us")

    def __init__(
        self,
        key: Any,
        registered: dict[Clock, set[int]],
        due: "Due",
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
        """Event time has passed this, the row included; None before a batch's first row, and while no row has had a
        time."""
        return None if self._watermark_us is None else instant(self._watermark_us)

    @property
    def processing_time(self) -> datetime:
        """When the batch was planned."""
        return instant(self._processing_us)

    @property
    def fired(self) -> datetime | None:
        """In `on_timer`: what the timer was registered for."""
        return None if self._fired is None else instant(self._fired)

    @property
    def clock(self) -> Clock | None:
        """In `on_timer`: the timer's clock."""
        return self._fired_clock

    def fire(self, at_us: int, clock: Clock) -> None:
        """It is due: from now on it is the one that fired, and no longer registered."""
        self._set[clock].discard(at_us)
        self._fired, self._fired_clock = at_us, clock

    def register(self, at: datetime, *, clock: Clock = "event") -> None:
        """Have `on_timer` called for this key when it is `at`. The same time twice is one timer."""
        if self._key is None:
            raise ValueError("a record without a key cannot register a timer")
        at_us = microseconds(at)
        if self._fired_clock == clock and self._fired is not None and at_us <= self._fired:
            raise ValueError(f"a timer for {instant(self._fired)} registers one for {at}: let it be later")
        if at_us not in self._set[clock]:
            self._set[clock].add(at_us)
            self._due.add(clock, at_us, self._key)

    def delete(self, at: datetime, *, clock: Clock = "event") -> None:
        """Forget the timer; one that is not there is no error."""
        self._set[clock].discard(microseconds(at))

    def list(self, *, clock: Clock = "event") -> list[datetime]:
        """What is registered for this key, first first."""
        return [instant(at) for at in sorted(self._set[clock])]


class Due:
    """The timers of all keys that a run may have to call, by clock, first first. Deleted ones are skipped."""

    def __init__(self) -> None:
        self.heaps: dict[Clock, list[tuple[int, Any]]] = {"event": [], "processing": []}

    def add(self, clock: Clock, at_us: int, key: Any) -> None:
        heappush(self.heaps[clock], (at_us, key))

    def next(self, processing_us: int, watermark_us: int | None) -> tuple[Clock, int, Any] | None:
        """Takes the first timer of which the time has come."""
        times: dict[Clock, int | None] = {"processing": processing_us, "event": watermark_us}
        for clock, now_us in times.items():
            heap = self.heaps[clock]
            if now_us is not None and heap and heap[0][0] <= now_us:
                return clock, *heappop(heap)
        return None


def keys_with_timers(state: KeyedState, clock: Clock, until_us: int) -> pa.Array:
    """The keys that have a timer at `until_us` or before; among them may be some whose timer is gone."""
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
    """When the next run is due for a timer; None where the state has none."""
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
        raise ValueError(f"a timer for {at}, which has no time zone: give it one, as in datetime(…, tzinfo=UTC)")
    return (at - EPOCH) // timedelta(microseconds=1)


def instant(us: int) -> datetime:
    return EPOCH + timedelta(microseconds=us)


def timer_column(values: Iterable[set[int]]) -> pa.Array:
    return pa.array([sorted(times) or None for times in values], FIELDS[0].type)
