"""Lock for work that needs much memory: one request at a time."""

from asyncio import AbstractEventLoop, Future
from collections.abc import Generator
from typing import Final


class OneAtATime:
    __slots__ = ("_holder", "_loop", "_waiting")

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop: Final = loop
        self._holder: object = None
        self._waiting: list[Future[None]] = []

    def enter(self, holder: object) -> Generator[Future[None], None, None]:
        """Wait until the lock is free or `holder` has it already, then take it."""
        while self._holder is not None and self._holder is not holder:
            self._waiting.append(self._loop.create_future())
            yield self._waiting[-1]
        self._holder = holder

    def leave(self, holder: object) -> None:
        """Release the lock if `holder` has it."""
        if self._holder is holder:
            self._holder = None
            waiting, self._waiting = self._waiting, []
            for each in waiting:
                each.set_result(None)
