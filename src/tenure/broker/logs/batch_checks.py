"""Checks of large batches, in steps or on a thread, so that other requests are served meanwhile.

Records are checked in steps on the event loop. A batch with more than UNPACKED_AT_ONCE_BYTES after decompression is
decompressed on a thread, because the libraries release the GIL. Only one such batch is checked at a time: it may need
100 MB.
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
        """Check one batch. Return the bytes to store and the batches in them. Raises the errors of `check_in_steps`."""
        check = object()

        def on_thread(work: "Callable[[], T]") -> "Generator[Future[Any] | None, None, T]":  # quoted: runs per batch
            yield from self._unpacking.enter(check)
            done = self._thread.run(work)
            yield done
            return done.result()

        try:
            return (yield from check_in_steps(data, settings, now_ms, on_thread))
        finally:  # runs also if the client has disconnected
            self._unpacking.leave(check)

    def close(self) -> None:
        self._thread.close()
