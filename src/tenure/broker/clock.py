"""The broker's time: wall time for records, ticks for deadlines, and calls when a tick has come."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

from tenure.coordinator.shard import Now


class Clock(Protocol):
    def now(self) -> Now: ...

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        """Not before the tick has passed, unless the clock is moved meanwhile: then somebody has to ask again."""


class LoopClock:
    """Real time. A tick is a millisecond of the event loop's own clock."""

    __slots__ = ("_loop",)

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop

    def now(self) -> Now:
        return Now(time.time_ns() // 1_000_000, int(self._loop.time() * 1000))

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_at((tick_ms + 1) / 1000, then)
