"""Blocking code in a simulation with virtual time: one of its workers runs at a time.

An engine blocks inside the calls that it makes: to the group, a store, a task. So it has its own stack, a *greenlet*,
which runs until it sleeps. The simulation switches to it in the order of the agenda, and the same seed gives the same
life. Threads would take half of the time of a life for their switches.
"""

from collections.abc import Callable
from typing import Final

from greenlet import getcurrent, greenlet


class Killed(BaseException):
    """Simulated `kill -9`. It is a BaseException, so that no handler of the code catches it."""


Wake = Callable[[], None]
"""Callback that switches to a worker, unless another event has woken it already."""


def this_worker() -> "Worker":
    """Return the running worker."""
    worker: Worker = getcurrent().worker
    return worker


class Worker:
    """Worker with a stack of its own; `body` runs from `start` on, until it sleeps, and on after each wake-up."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.is_killed = False
        self.is_over = False
        self._body: Final = body
        self._has_begun = False
        self._stack: Final = greenlet(self._run)
        self._stack.worker = self
        self._sleeps = 0
        """Number of times that it has begun to sleep or was woken: a wake-up for an earlier sleep has no effect."""

    # --- simulation's side --------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._has_begun = True
        self._switch()

    def kill(self) -> None:
        """End another worker. It never returns from its sleep."""
        self.is_killed = True
        if self._has_begun and not self.is_over:
            self._switch()
        self.is_over = True

    def _switch(self) -> None:
        """Let the worker run until it sleeps or ends. Raises the errors that its body does not catch."""
        self._sleeps += 1
        self._stack.parent = getcurrent()
        self._stack.switch()

    # --- worker's side ------------------------------------------------------------------------------------------------

    def sleep(self, arm: Callable[[Wake], None]) -> None:
        """Let the simulation run on until it wakes this worker: `arm` must schedule the function that it gets."""
        self._sleeps += 1
        ticket = self._sleeps

        def wake() -> None:
            if ticket == self._sleeps and not self.is_over:
                self._switch()

        arm(wake)
        self._stack.parent.switch()
        if self.is_killed:
            raise Killed

    def _run(self) -> None:
        try:
            if not self.is_killed:
                self._body()
        except Killed:
            pass
        finally:
            self.is_over = True
