"""Cache of query results that several pages show within a short time."""

import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")


class Cached(Generic[T]):
    """Cached result of a query. After its expiry, one thread at a time repeats the query.

    Args:
        query: The query. Its exceptions are raised to the caller and not cached.
        seconds: Time for which a result is used.
    """

    def __init__(self, query: Callable[[], T], seconds: float) -> None:
        self._query: Final = query
        self._seconds: Final = seconds
        self._lock: Final = threading.Lock()
        self._kept: tuple[float, T] | None = None

    def get(self) -> T:
        """Return the cached result, or repeat the query."""
        with self._lock:
            if self._kept is None or time.monotonic() > self._kept[0]:
                answer = self._query()
                self._kept = time.monotonic() + self._seconds, answer
            return self._kept[1]

    def discard(self) -> None:
        """Discard the cached result, so that the next call of `get` repeats the query."""
        with self._lock:
            self._kept = None
