"""Records and rows per second of a running application."""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from tenure.limits.pipeline import THROUGHPUT_BATCHES_MAX, THROUGHPUT_WINDOW_S


class Rates(NamedTuple):
    """Records and rows per second."""

    records: float
    rows: float

    def __str__(self) -> str:
        return f"{self.records:,.0f} records/s, {self.rows:,.0f} rows/s"


class Throughput:
    """Records and rows per second in the last THROUGHPUT_WINDOW_S seconds. Thread-safe."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s: Final = clock_s
        self._lock: Final = threading.Lock()
        self._batches: Final[deque[tuple[float, int, int]]] = deque(maxlen=THROUGHPUT_BATCHES_MAX)
        self._since_s = clock_s()
        """Time since which all published batches are in `_batches`."""

    def start(self) -> None:
        """Start to measure. A second call has no effect."""
        with self._lock:
            if not self._batches:
                self._since_s = self._clock_s()

    def add(self, records: int, rows: int) -> None:
        """Add the records and rows of a published batch."""
        with self._lock:
            if len(self._batches) == THROUGHPUT_BATCHES_MAX:
                self._since_s = self._batches[0][0]
            self._batches.append((self._clock_s(), records, rows))

    def rates(self) -> Rates:
        """Return records and rows per second in the last THROUGHPUT_WINDOW_S seconds."""
        with self._lock:
            now_s = self._clock_s()
            self._since_s = max(self._since_s, now_s - THROUGHPUT_WINDOW_S)
            while self._batches and self._batches[0][0] < self._since_s:
                self._batches.popleft()
            seconds = now_s - self._since_s
            if seconds <= 0:
                return Rates(0.0, 0.0)
            records, rows = (sum(batch[field] for batch in self._batches) for field in (1, 2))
            return Rates(records / seconds, rows / seconds)
