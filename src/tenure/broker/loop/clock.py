"""Clock of the broker: wall time for records, ticks (ms of a monotonic clock) for deadlines, and timers."""

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import Final, Protocol

from tenure.coordinator.shard import Now
from tenure.limits.broker import SUSPENSION_CHECK_S, SUSPENSION_MIN_S

log = logging.getLogger("tenure.broker")


class Clock(Protocol):
    def now(self) -> Now: ...

    def wall_ms(self) -> int: ...

    def tick_ms(self) -> int: ...

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        """Call `then` at the given tick.

        `then` may be called earlier, because the process was suspended or a test has moved the clock. So `then` must
        check the time.
        """


class LoopClock:
    """Clock of the event loop.

    A tick is a ms of the loop's clock, without the time for which the process was suspended.

    A suspended process (SIGSTOP, a paused virtual machine) receives no heartbeats. So all deadlines move by the length
    of the suspension, if `watch_suspensions` was called. Timers that became due during the suspension then fire early,
    and their owners set them again.
    """

    __slots__ = ("_awake_until_s", "_loop", "_suspended_s", "_time")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._time: Final = loop.time
        self._suspended_s = 0.0
        """Total length of all suspensions."""
        self._awake_until_s = math.inf
        """Latest time at which the next check runs if the process is not suspended. Infinite without checks."""

    def now(self) -> Now:
        return Now(self.wall_ms(), self.tick_ms())

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def tick_ms(self) -> int:
        """Return the tick. It does not include a suspension, even one that has just ended."""
        now_s = self._time()
        if now_s > self._awake_until_s:
            self._count_suspension(now_s)
        return int((now_s - self._suspended_s) * 1000)

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_at((tick_ms + 1) / 1000 + self._suspended_s, then)

    def watch_suspensions(self) -> None:
        """Check for suspensions every SUSPENSION_CHECK_S, as long as the loop runs."""
        self.now()
        self._awake_until_s = self._time() + SUSPENSION_MIN_S
        self._loop.call_later(SUSPENSION_CHECK_S, self.watch_suspensions)

    def _count_suspension(self, now_s: float) -> None:
        suspended_s = now_s - (self._awake_until_s - SUSPENSION_MIN_S)
        self._suspended_s += suspended_s
        self._awake_until_s = now_s + SUSPENSION_MIN_S
        log.warning(
            "the broker's process was suspended for %.1f s: the sessions of all members are extended by that time",
            suspended_s,
        )
