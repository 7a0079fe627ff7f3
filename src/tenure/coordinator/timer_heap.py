"""Heap with all timers of a shard, with lazy deletion.

The deadline of a timer is a field of the state. For every running timer, the heap has one entry at or before that
deadline. When an entry expires, it is compared with the state: if the deadline was extended, the entry is pushed again;
if the timer was stopped, the entry is dropped. So a heartbeat changes only a field, and each member causes one push per
session timeout.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from tenure.limits.coordinator import STOPPED_TIMERS_KEPT

T = TypeVar("T")
"""Type of the timers. Of timers with the same deadline, the smaller one comes first."""


class TimerHeap(Generic[T]):
    """Heap of timers. `deadline_of(timer)` returns the timer's deadline in the state; None if the timer is stopped."""

    __slots__ = ("_deadline_of", "_entries_max", "_heap", "_queued", "passed_ms")

    def __init__(self, deadline_of: Callable[[T], int | None]) -> None:
        self._deadline_of = deadline_of
        self._heap: list[tuple[int, T]] = []
        self._entries_max = STOPPED_TIMERS_KEPT
        self._queued: dict[T, int] = {}
        """Tick of the entry that the heap has for each running timer. Invariant: at or before the timer's deadline."""
        self.passed_ms = -1
        """Time up to which all entries were taken. A timer whose deadline is at or before this time has no entry."""

    def arm(self, timer: T, at_ms: int) -> None:
        queued_ms = self._queued.get(timer)
        if queued_ms is None or at_ms < queued_ms:
            self._queued[timer] = at_ms
            heappush(self._heap, (at_ms, timer))
            if len(self._heap) > self._entries_max:
                self._remove_stopped()

    def next_ms(self) -> int | None:
        """Return the tick by which `take` must be called; None without timers. It may be too early, never too late."""
        return self._heap[0][0] if self._heap else None

    def take(self, tick_ms: int) -> list[T]:
        """Remove and return the timers that have expired at `tick_ms`, in order of their deadlines."""
        self.passed_ms = max(self.passed_ms, tick_ms)
        if not self._heap or self._heap[0][0] > tick_ms:
            return []
        passed: list[tuple[int, T]] = []
        while self._heap and self._heap[0][0] <= tick_ms:
            at_ms, timer = heappop(self._heap)
            if self._queued.get(timer) != at_ms:
                continue
            del self._queued[timer]
            true_ms = self._deadline_of(timer)
            if true_ms is None:
                continue
            if true_ms > tick_ms:
                self.arm(timer, true_ms)
            else:
                passed.append((true_ms, timer))
        return [timer for _, timer in sorted(passed)]

    def _remove_stopped(self) -> None:
        """Remove the entries of stopped timers. Called when the heap has doubled since the last call."""
        self._queued = {timer: at_ms for timer, at_ms in self._queued.items() if self._deadline_of(timer) is not None}
        self._heap = [(at_ms, timer) for timer, at_ms in self._queued.items()]
        heapify(self._heap)
        self._entries_max = 2 * len(self._heap) + STOPPED_TIMERS_KEPT
