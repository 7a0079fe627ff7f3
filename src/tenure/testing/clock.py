"""Clock of the broker, which a test can stop and advance.

The clock determines the timeouts of sessions, rebalances and transactions, the wait for expected members, the expiry of
offsets, and the timestamps that the broker sets. Clients and waiting fetches use real time.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from tenure.coordinator.shard import Now

STANDSTILL_S: Final = 3_600.0
"""Interval at which a waiting call checks the stopped clock again."""


class Clock:
    """Clock that runs with real time until it is stopped.

    `Broker` moves the clock. After a change of the clock, waiting tasks have to check the time again.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._ahead_ms = 0
        self._stopped_at: Now | None = None

    def now(self) -> Now:
        return Now(self.wall_ms(), self.tick_ms())

    def wall_ms(self) -> int:
        if self._stopped_at is not None:
            return self._stopped_at.wall_ms
        return time.time_ns() // 1_000_000 + self._ahead_ms

    def tick_ms(self) -> int:
        if self._stopped_at is not None:
            return self._stopped_at.tick_ms
        return int(self._loop.time() * 1000) + self._ahead_ms

    @property
    def is_stopped(self) -> bool:
        return self._stopped_at is not None

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        if self._stopped_at is not None:
            return self._loop.call_later(STANDSTILL_S, then)
        return self._loop.call_at((tick_ms + 1 - self._ahead_ms) / 1000, then)

    def stop(self) -> None:
        self._stopped_at = self.now()

    def start(self) -> None:
        """Continue with real time, from the time at which the clock was stopped."""
        if self._stopped_at is not None:
            stood, self._stopped_at = self._stopped_at, None
            self._ahead_ms += stood.tick_ms - self.tick_ms()

    def advance(self, milliseconds: int) -> None:
        if self._stopped_at is not None:
            wall_ms, tick_ms = self._stopped_at.wall_ms, self._stopped_at.tick_ms
            self._stopped_at = Now(wall_ms + milliseconds, tick_ms + milliseconds)
        else:
            self._ahead_ms += milliseconds
