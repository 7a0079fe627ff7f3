"""Agenda of a simulation: the scheduled actions, in the order of their virtual times."""

import heapq
from collections.abc import Callable


class Agenda:
    __slots__ = ("_heap", "now_ms", "steps")

    def __init__(self) -> None:
        self.now_ms = 0
        self.steps = 0
        """Number of actions that have been scheduled so far, which orders actions with the same time."""
        self._heap: list[tuple[int, int, Callable[[], object]]] = []

    def at(self, at_ms: int, action: Callable[[], object]) -> None:
        """Schedule an action. Actions with the same time run in the order in which they were scheduled."""
        self.steps += 1
        heapq.heappush(self._heap, (max(at_ms, self.now_ms), self.steps, action))

    def after(self, delay_ms: int, action: Callable[[], object]) -> None:
        self.at(self.now_ms + delay_ms, action)

    def run_next(self, until_ms: int) -> bool:
        """Run the next action. If no action is due by `until_ms`, advance the time to `until_ms` and return False."""
        if not self._heap or self._heap[0][0] > until_ms:
            self.now_ms = max(self.now_ms, until_ms)
            return False
        self.now_ms, _, action = heapq.heappop(self._heap)
        action()
        return True
