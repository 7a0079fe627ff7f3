"""All timers of a shard in one heap, with lazy deletion.

A timer's true deadline is a field of the state. The heap needs, for every running timer, one entry at or before that
deadline. An expired entry is compared with the state: if the deadline has moved, the entry is pushed again; if the
timer has stopped, it is dropped. So a heartbeat only changes a field, and each member costs one push per session
timeout.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from tenure.limits.coordinator import STOPPED_TIMERS_KEPT

D = TypeVar("D")
"""Name of a timer; of timers with the same deadline the smaller name comes first."""


class Deadlines(Generic[D]):
    """Heap of timers. `deadline_of` returns a timer's true deadline from the state; None if it does not run."""

    __slots__ = ("_deadline_of", "_entries_max", "_heap", "_queued", "passed_ms")

    def __init__(self, deadline_of: Callable[[D], int | None]) -> None:
        self._deadline_of = deadline_of
        self._heap: list[tuple[int, D]] = []
        self._entries_max = STOPPED_TIMERS_KEPT
        self._queued: dict[D, int] = {}
        """Entry of each running timer. Invariant: at or before the timer's true deadline, if that has not passed."""
        self.passed_ms = -1
        """Every entry up to here has been taken. A timer whose deadline is not later has no entry."""

    def arm(self, deadline: D, at_ms: int) -> None:
        queued_ms = self._queued.get(deadline)
        if queued_ms is None or at_ms < queued_ms:
            self._queued[deadline] = at_ms
            heappush(self._heap, (at_ms, deadline))
            if len(self._heap) > self._entries_max:
                self._forget_stopped()

    def next_ms(self) -> int | None:
        """Return a time that may be early, but is never after the first deadline; None without timers."""
        return self._heap[0][0] if self._heap else None

    def take(self, tick_ms: int) -> list[D]:
        """Remove and return the expired timers, in order of their deadlines."""
        self.passed_ms = max(self.passed_ms, tick_ms)
        if not self._heap or self._heap[0][0] > tick_ms:
            return []
        passed: list[tuple[int, D]] = []
        while self._heap and self._heap[0][0] <= tick_ms:
            at_ms, deadline = heappop(self._heap)
            if self._queued.get(deadline) != at_ms:
                continue
            del self._queued[deadline]
            true_ms = self._deadline_of(deadline)
            if true_ms is None:
                continue
            if true_ms > tick_ms:
                self.arm(deadline, true_ms)
            else:
                passed.append((true_ms, deadline))
        return [deadline for _, deadline in sorted(passed)]

    def _forget_stopped(self) -> None:
        """Remove entries of stopped timers, so that the heap has at most twice as many entries as running timers."""
        self._queued = {d: at_ms for d, at_ms in self._queued.items() if self._deadline_of(d) is not None}
        self._heap = [(at_ms, deadline) for deadline, at_ms in self._queued.items()]
        heapify(self._heap)
        self._entries_max = 2 * len(self._heap) + STOPPED_TIMERS_KEPT
