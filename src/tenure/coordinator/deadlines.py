"""All timers of a shard in one heap, with lazy deletion.

A timer's true deadline is a field of the state. The heap only has to hold, for every timer that runs, one entry at or
before that deadline: an entry that comes up early is looked up in the state and pushed again, one whose timer has
stopped is forgotten. So a heartbeat moves a field and the heap does not notice; each member costs one push per session
timeout, however often it beats.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

from tenure.limits.coordinator import STOPPED_TIMERS_KEPT

D = TypeVar("D")
"""Names a timer; of those that pass at once, the smaller one is first."""


class Deadlines(Generic[D]):
    """`deadline_of` reads a timer's true deadline from the state; None: it does not run."""

    __slots__ = ("_deadline_of", "_entries_max", "_heap", "_queued", "passed_ms")

    def __init__(self, deadline_of: Callable[[D], int | None]) -> None:
        self._deadline_of = deadline_of
        self._heap: list[tuple[int, D]] = []
        self._entries_max = STOPPED_TIMERS_KEPT
        self._queued: dict[D, int] = {}
        """Each timer's entry that counts. Invariant: at or before its true deadline, if it runs and has not passed."""
        self.passed_ms = -1
        """Every entry up to here has been taken. A timer whose deadline lies behind it has no entry."""

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
        """Seats come and go faster than their deadlines pass: keeps the heap within twice the timers that run."""
        self._queued = {d: at_ms for d, at_ms in self._queued.items() if self._deadline_of(d) is not None}
        self._heap = [(at_ms, deadline) for deadline, at_ms in self._queued.items()]
        heapify(self._heap)
        self._entries_max = 2 * len(self._heap) + STOPPED_TIMERS_KEPT
