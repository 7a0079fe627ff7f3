"""Who waits for the markers of a transaction, to begin the next one.

A client hears of the decision before the markers are written, and goes on at once. Told that it is too early it would
pause for a tenth of a second; so it waits here for what takes a millisecond, and Kafka lets it wait as long (KIP-890).
"""

import asyncio
from collections.abc import Callable

from tenure.limits import ENDING_AWAITED_S


class Endings:
    __slots__ = ("_loop", "_waiting")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: dict[str, list[Callable[[], None]]] = {}
        """By transactional id. Invariant: of every id whose markers are being written, and of no other."""

    def begin(self, transactional_id: str) -> None:
        self._waiting.setdefault(transactional_id, [])

    def end(self, transactional_id: str) -> None:
        for then in self._waiting.pop(transactional_id, ()):
            then()

    def when_over(self, transactional_id: str, then: Callable[[], None]) -> None:
        """Calls `then` once: at the end, at once where nothing ends, or when it has waited long enough."""
        waiting = self._waiting.get(transactional_id)
        if waiting is None:
            then()
            return

        def over() -> None:
            timer.cancel()
            then()

        def too_long() -> None:
            waiting.remove(over)
            then()

        waiting.append(over)
        timer = self._loop.call_later(ENDING_AWAITED_S, too_long)
