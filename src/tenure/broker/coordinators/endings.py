"""Who waits for the markers of a transaction, to begin the next one.

A client hears of the decision before the markers are written, and goes on at once. Told that it is too early it would
pause for a tenth of a second; so it waits here for what takes a millisecond, and Kafka lets it wait as long (KIP-890).
"""

import asyncio
from collections.abc import Callable

from tenure.limits import ENDING_AWAITED_S


class _Waiting:
    __slots__ = ("then", "timer")

    def __init__(self, then: Callable[[], None]) -> None:
        self.then = then
        self.timer: asyncio.TimerHandle | None = None


class Endings:
    __slots__ = ("_loop", "_waiting", "awaited_s")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.awaited_s = ENDING_AWAITED_S
        """How long an end is waited for. Tests on slow disks wait longer."""
        self._waiting: dict[str, list[_Waiting]] = {}
        """By transactional id. Invariant: of every id whose markers are being written, and of no other."""

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
        """Calls `then` once: at the end, at once where nothing ends, or when it has waited long enough."""
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
