"""Lag of the event loop: the delay with which it runs timers, and therefore serves clients."""

import asyncio
from collections import deque
from typing import Final

from tenure.limits.broker import LOOP_LAG_CHECK_S, LOOP_LAG_CHECKS_KEPT


class Lag:
    """Greatest lag in the last minute, measured with a timer that fires once a second."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._lags_s: deque[float] = deque([0.0], LOOP_LAG_CHECKS_KEPT)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def last_s(self) -> float:
        return self._lags_s[-1]

    @property
    def most_s(self) -> float:
        return max(self._lags_s)

    def start(self) -> None:
        self._timer = self._loop.call_later(LOOP_LAG_CHECK_S, self._check, self._loop.time() + LOOP_LAG_CHECK_S)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _check(self, due_s: float) -> None:
        self._lags_s.append(max(self._loop.time() - due_s, 0.0))
        self.start()
