"""Charting library as one compressed script. A thread creates it once, because that takes seconds."""

import gzip
import threading
from typing import Final

from tenure.charts.vega import LICENCE, scripts


class VegaScript:
    """Compressed script of the charting library."""

    def __init__(self) -> None:
        self._script = b""
        self._has_begun: Final = threading.Lock()
        self._made: Final = threading.Event()

    def begin(self) -> None:
        """Create the script in a thread, unless that has begun."""
        if self._has_begun.acquire(blocking=False):
            threading.Thread(target=self._make, name="tenure-web-vega", daemon=True).start()

    def gzipped(self) -> bytes:
        """Return the script. Waits until the thread has created it."""
        self.begin()
        self._made.wait()
        return self._script

    def _make(self) -> None:
        try:
            self._script = gzip.compress(f"/* {LICENCE} */\n{scripts()}".encode())
        finally:
            self._made.set()
