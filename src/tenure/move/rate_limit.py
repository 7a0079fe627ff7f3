"""Limit on the number of bytes written per second."""

import asyncio
from typing import Final


class RateLimit:
    """Limit on the bytes written per second. After idle time, writes may exceed the rate for one second at most."""

    def __init__(self, bytes_per_second: int | None) -> None:
        self.bytes_per_second: Final = bytes_per_second
        self._free_at_s = 0.0
        """Time until which no further bytes may be written, because earlier writes have used up the rate."""

    async def take(self, size_bytes: int) -> None:
        """Wait until `size_bytes` more bytes may be written."""
        if self.bytes_per_second is None:
            return
        now_s = asyncio.get_running_loop().time()
        self._free_at_s = max(self._free_at_s, now_s - 1) + size_bytes / self.bytes_per_second
        if self._free_at_s > now_s:
            await asyncio.sleep(self._free_at_s - now_s)
