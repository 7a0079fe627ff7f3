"""Work that a member has done beside its own thread: what may take long, and concerns some lanes only.

This room has no threads: whoever hosts an engine offers them (`spark/errands.py`).
"""

from collections.abc import Callable
from typing import Final, Protocol


class Errand(Protocol):
    """Work under way. It has an end by itself: nobody can stop it."""

    def wait(self, timeout_s: float) -> bool:
        """Whether it is over. Raises what the work raised."""


class Errands(Protocol):
    def start(self, work: Callable[[], None]) -> Errand:
        """Returns at once."""


class OwnErrands:
    """For whoever has no threads: an errand is done when somebody waits for it."""

    def start(self, work: Callable[[], None]) -> Errand:
        return OwnErrand(work)


class OwnErrand:
    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work

    def wait(self, timeout_s: float) -> bool:
        del timeout_s
        self.work()
        return True


OWN_ERRANDS: Final = OwnErrands()
