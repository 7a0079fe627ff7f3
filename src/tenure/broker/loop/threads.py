"""Thread pools for work that would block the event loop."""

import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from tenure.limits.broker import THREAD_SWITCH_S

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")


class Threads:
    """Thread pool that is created when it gets its first work, because most brokers never need it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, count: int, name: str) -> None:
        self._loop: Final = loop
        self._count: Final = count
        self._name: Final = name
        self._pool: ThreadPoolExecutor | None = None
        self.is_closed = False

    def run(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        """Run `work` on one of the threads, and return a future of its result."""
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self._count, self._name)
            sys.setswitchinterval(THREAD_SWITCH_S)
        return self._loop.run_in_executor(self._pool, work, *arguments)

    def close(self) -> None:
        """Wait for running work, and drop work that has not begun. Callers must not begin more work."""
        self.is_closed = True
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
