"""Checks of large batches, in steps or on a thread, so that other clients are served meanwhile.

Records are walked in steps, on the loop. A batch that unpacks into more than UNPACKED_AT_ONCE_BYTES is unpacked on a
thread: the libraries release Python's lock meanwhile. There is one such batch at a time, because it may take 100 MB.
"""

from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Generator
from typing import Any, Final, TypeVar

from tenure.broker.loop.one_at_a_time import OneAtATime
from tenure.broker.loop.threads import Threads
from tenure.protocol.batches import Batch
from tenure.storage.log.settings import LogSettings
from tenure.storage.log.validation import check_in_steps

T = TypeVar("T")


class BatchChecks:
    def __init__(self, loop: AbstractEventLoop) -> None:
        self._thread: Final = Threads(loop, 1, "unpacker")
        self._unpacking: Final = OneAtATime(loop)

    def check(
        self, data: bytes, settings: LogSettings, now_ms: int
    ) -> "Generator[Future[Any] | None, None, tuple[bytes, list[Batch]]]":
        """Return the batch in the form to store. Raises what storage raises."""
        check = object()

        def on_thread(work: "Callable[[], T]") -> "Generator[Future[Any] | None, None, T]":  # evaluated for each batch
            yield from self._unpacking.enter(check)
            done = self._thread.run(work)
            yield done
            return done.result()

        try:
            return (yield from check_in_steps(data, settings, now_ms, on_thread))
        finally:  # also if the client has left
            self._unpacking.leave(check)

    def close(self) -> None:
        self._thread.close()
