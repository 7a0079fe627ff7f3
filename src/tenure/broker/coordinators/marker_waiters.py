"""Requests that begin a producer's next transaction while markers of its last transaction are still being written.

A client gets the response to EndTxn before the markers are written, and begins its next transaction at once. If the
broker answered with an error, the client would pause for 0.1 s before it retries. So the request waits for the markers,
usually about a millisecond, and at most as long as in Kafka (KIP-890).
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
        """Longest time that a request waits for the markers. Tests on slow disks set a greater value."""
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

    def when_written(self, transactional_id: str, then: Callable[[], None]) -> None:
        """Call `then` when all markers of the id's last transaction are written, at the latest after `awaited_s`."""
        others = self._waiting.get(transactional_id)
        if others is None:
            then()
            return
        waiting = _Waiting(then)
        waiting.timer = self._loop.call_later(self.awaited_s, _too_long, waiting, others)
        others.append(waiting)


def _too_long(waiting: _Waiting, others: list[_Waiting]) -> None:
    others.remove(waiting)
    waiting.timer = None  # breaks a reference cycle: the timer's arguments include `waiting`
    waiting.then()
