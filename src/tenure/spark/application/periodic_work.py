"""Work that a member of an application repeats beside its engine, in a thread of its own."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from tenure.client.errors import ClientError
from tenure.pipeline.values.membership import MemberFenced, Unreachable

log: Final = logging.getLogger("tenure.pipeline")


class PeriodicWork:
    """Thread that calls a function at an interval, from `start` to `close`.

    An error does not end the thread. Errors of the group and of the cluster are not logged, because the engine gets and
    reports the same errors.
    """

    def __init__(self, name: str, interval_s: float, work: Callable[[], None], purpose: str) -> None:
        self._name: Final = name
        self._interval_s: Final = interval_s
        self._work: Final = work
        self._purpose: Final = purpose
        """Purpose of the function for the log, as a verb phrase: "copy the state of standby lanes"."""
        self._is_closed: Final = threading.Event()

    def start(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def close(self) -> None:
        """Make the thread end after the present call of the function, if there is one."""
        self._is_closed.set()

    def _run(self) -> None:
        while not self._is_closed.wait(self._interval_s):
            try:
                self._work()
            except (ClientError, Unreachable, MemberFenced):
                continue
            except Exception:
                log.exception("background work failed, next try in %g s: %s", self._interval_s, self._purpose)
