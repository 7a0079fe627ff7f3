"""Work that rules of groups may not wait for, on threads of its own (see `Step.effects`)."""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from tenure.coordinator.groups.effects import perform
from tenure.limits import EFFECT_THREADS, THREAD_SWITCH_S

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

log = logging.getLogger("tenure.broker")


class Effects:
    """Threads that perform effects of group rules.

    The rules bound their number: a group has one effect of each kind in progress.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pool: ThreadPoolExecutor | None = None
        """Made for the first effect: most brokers never have one."""
        self._is_closed = False

    def perform(self, effect: object, then: Callable[[object], None]) -> None:
        """`then(command)` is called on the loop, unless the broker stops before."""
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(EFFECT_THREADS, "effects")
            sys.setswitchinterval(THREAD_SWITCH_S)
        done = self._loop.run_in_executor(self._pool, perform, effect)
        done.add_done_callback(lambda outcome: self._tell(outcome, then))

    def close(self) -> None:
        """Wait for running effects; their results are dropped."""
        self._is_closed = True
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _tell(self, outcome: "asyncio.Future[object]", then: Callable[[object], None]) -> None:
        if outcome.cancelled() or self._is_closed:
            return
        error = outcome.exception()
        if error is None:
            then(outcome.result())
        else:
            log.error("a bug in the broker, please report it", exc_info=error)
