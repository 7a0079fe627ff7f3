"""Virtual time: what is going to happen, and when. Nothing happens but by this list, one thing after the other."""

import heapq
from collections.abc import Callable


class Agenda:
    __slots__ = ("_heap", "now_ms", "steps")

    def __init__(self) -> None:
        self.now_ms = 0
        self.steps = 0
        """How much has happened."""
        self._heap: list[tuple[int, int, Callable[[], object]]] = []

    def at(self, at_ms: int, action: Callable[[], object]) -> None:
        """Of what is due at the same time, the first to be noted is the first to happen."""
        self.steps += 1
        heapq.heappush(self._heap, (max(at_ms, self.now_ms), self.steps, action))

    def after(self, delay_ms: int, action: Callable[[], object]) -> None:
        self.at(self.now_ms + delay_ms, action)

    def run_next(self, until_ms: int) -> bool:
        """False: nothing is left to do until then, and it is then."""
        if not self._heap or self._heap[0][0] > until_ms:
            self.now_ms = max(self.now_ms, until_ms)
            return False
        self.now_ms, _, action = heapq.heappop(self._heap)
        action()
        return True
