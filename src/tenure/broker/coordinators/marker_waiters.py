"""Producers whose next transaction waits for the markers of the last one.

A client learns of the decision before the markers are written, and continues at once. If the broker answered with an
error, the client would pause for 0.1 s. So it waits here for the markers, which take about a millisecond, and at most
as long as in Kafka (KIP-890).
"""

import asyncio
from collections.abc import Callable

from tenure.limits.broker import ENDING_AWAITED_S


class _Waiting:
    __slots__ = ("then", "timer")

    def __init__(self, then: Callable[[], None]) -> None:
        self.then = then
        self.timer: asyncio.TimerHandle | None = None


class MarkerWaiters:
    __slots__ = ("_loop", "_waiting", "awaited_s")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.awaited_s = ENDING_AWAITED_S
        """Maximum time in seconds that a request waits for the end of a transaction. Longer in tests on slow disks."""
        self._waiting: dict[str, list[_Waiting]] = {}
        """Waiting requests by transactional id. Invariant: the keys are the ids whose markers are being written."""

    def begin(self, transactional_id: str) -> None:
        self._waiting.setdefault(transactional_id, [])

    def end(self, transactional_id: str) -> None:
        for waiting in self._waiting.pop(transactional_id, ()):
            if waiting.timer is not None:
                waiting.timer.cancel()
            waiting.then()

    def is_under_way(self, transactional_id: str) -> bool:
        return transactional_id in self._waiting

    def when_over(self, transactional_id: str, then: Callable[[], None]) -> None:
        """Call `then` once: when the transaction has ended, at once if none is ending, or after the maximum wait."""
        others = self._waiting.get(transactional_id)
        if others is None:
            then()
            return
        waiting = _Waiting(then)
        waiting.timer = self._loop.call_later(self.awaited_s, _too_long, waiting, others)
        others.append(waiting)


def _too_long(waiting: _Waiting, others: list[_Waiting]) -> None:
    others.remove(waiting)
    waiting.then()
