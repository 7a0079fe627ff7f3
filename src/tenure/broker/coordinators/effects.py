"""Thread pool for effects of group rules, such as large assignments (see `CoordinatorResult.effects`)."""

import asyncio
import logging
from collections.abc import Callable

from tenure.broker.loop.threads import Threads
from tenure.coordinator.groups.effects import perform
from tenure.limits.broker import EFFECT_THREADS

log = logging.getLogger("tenure.broker")


class Effects:
    """Thread pool that performs effects.

    The number of waiting effects is bounded, because a group has at most one effect of each kind in progress.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._threads = Threads(loop, EFFECT_THREADS, "effects")
        self._is_closed = False

    def perform(self, effect: object, then: Callable[[object], None]) -> None:
        """Perform an effect on a thread, then call `then(command)` on the event loop. The command contains the result.

        `then` is not called if the effect fails, or if the broker stops meanwhile.
        """
        self._threads.run(perform, effect).add_done_callback(lambda outcome: self._complete(effect, outcome, then))

    def close(self) -> None:
        """Wait until running effects have ended. Their results are dropped."""
        self._is_closed = True
        self._threads.close()

    def _complete(self, effect: object, outcome: "asyncio.Future[object]", then: Callable[[object], None]) -> None:
        if outcome.cancelled() or self._is_closed:
            return
        error = outcome.exception()
        if error is None:
            then(outcome.result())
        else:
            log.error(
                "group %s: the broker could not compute the assignment, or the topics that match a regular expression:"
                " a bug in the broker, please report it",
                getattr(effect, "group_id", ""),
                exc_info=error,
            )
