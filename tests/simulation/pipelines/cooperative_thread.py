"""Blocking code in a simulation with virtual time, in which one thread runs at a time.

An engine blocks inside the calls that it makes: to the group, a store, a task. So it has its own thread, which runs
only while it has the *run token*. The simulation passes the token to the thread, and waits until the thread returns it.
Threads therefore run one at a time, in the order of the agenda, and the same seed gives the same life.
"""

from collections.abc import Callable
from threading import Semaphore, Thread, local
from typing import Final


class Killed(BaseException):
    """Simulated `kill -9`: no handler may catch it, and no cleanup may run."""


Wake = Callable[[], None]
"""Callback that hands the run token to a worker, unless another event has woken it already."""


_running: Final = local()


def this_worker() -> "Worker":
    """Return the worker of this thread."""
    worker: Worker = _running.worker
    return worker


class Worker:
    """Worker thread; `body` runs from `start` on, whenever the worker has the run token."""

    def __init__(self, body: Callable[[], None]) -> None:
        self.is_killed = False
        self.is_over = False
        self._body: Final = body
        self._has_begun = False
        self._failure: BaseException | None = None
        self._ours: Final = Semaphore(0)
        self._simulations_turn: Final = Semaphore(0)
        self._sleeps = 0
        """Number of times that it has begun to sleep or was woken: a wake-up for an earlier sleep has no effect."""

    # --- the simulation's side ----------------------------------------------------------------------------------------

    def start(self) -> None:
        self._has_begun = True
        Thread(target=self._run, daemon=True).start()
        self._hand_over()

    def kill(self) -> None:
        """End another worker. It never returns from its sleep, and its thread has ended when this returns."""
        self.is_killed = True
        if self._has_begun and not self.is_over:
            self._hand_over()
        self.is_over = True

    def _hand_over(self) -> None:
        self._sleeps += 1
        self._ours.release()
        self._simulations_turn.acquire()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    # --- its own side -------------------------------------------------------------------------------------------------

    def sleep(self, arm: Callable[[Wake], None]) -> None:
        """Return the run token. `arm` gets the function that wakes the worker, and must arrange for its call."""
        self._sleeps += 1
        ticket = self._sleeps

        def wake() -> None:
            if ticket == self._sleeps and not self.is_over:
                self._hand_over()

        arm(wake)
        self._simulations_turn.release()
        self._ours.acquire()
        if self.is_killed:
            raise Killed

    def _run(self) -> None:
        _running.worker = self
        self._ours.acquire()
        try:
            if not self.is_killed:
                self._body()
        except Killed:
            pass
        except BaseException as failure:
            self._failure = failure
        finally:
            self.is_over = True
            self._simulations_turn.release()
