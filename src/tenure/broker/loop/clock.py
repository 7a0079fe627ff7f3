"""Time of the broker: wall time for records, ticks for deadlines, and timers."""

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

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        """Call `then` after the tick has passed.

        If the clock is moved meanwhile, the caller has to check the time again.
        """


class LoopClock:
    """Real time. A tick is a millisecond of the event loop's clock, less the time for which the process was suspended.

    A suspended process (SIGSTOP, a paused virtual machine) receives no heartbeats. So deadlines move by the length of
    the suspension, once `watch_suspensions` was called. Timers that were due meanwhile fire early then, and are set
    again.
    """

    __slots__ = ("_awake_until_s", "_loop", "_suspended_s", "_time")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._time: Final = loop.time
        self._suspended_s = 0.0
        """Total time of suspensions."""
        self._awake_until_s = math.inf
        """Latest time of the next check. If it is later, the process was suspended. Infinite without checks."""

    def now(self) -> Now:
        """Return the time, without suspensions, including one that has just ended."""
        now_s = self._time()
        if now_s > self._awake_until_s:
            self._count_suspension(now_s)
        return Now(time.time_ns() // 1_000_000, int((now_s - self._suspended_s) * 1000))

    def call_at(self, tick_ms: int, then: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_at((tick_ms + 1) / 1000 + self._suspended_s, then)

    def watch_suspensions(self) -> None:
        """Look at the time every SUSPENSION_CHECK_S, for as long as the loop runs."""
        self.now()
        self._awake_until_s = self._time() + SUSPENSION_MIN_S
        self._loop.call_later(SUSPENSION_CHECK_S, self.watch_suspensions)

    def _count_suspension(self, now_s: float) -> None:
        suspended_s = now_s - (self._awake_until_s - SUSPENSION_MIN_S)
        self._suspended_s += suspended_s
        self._awake_until_s = now_s + SUSPENSION_MIN_S
        log.warning(
            "this process was suspended for %.1f s: deadlines of members are extended by that time", suspended_s
        )
