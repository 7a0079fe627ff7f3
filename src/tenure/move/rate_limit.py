"""Limit of the bytes that are written in a second."""

import asyncio
from typing import Final


class RateLimit:
    """Delays writes, so that they do not exceed a rate for longer than a second."""

    def __init__(self, bytes_per_second: int | None) -> None:
        self.bytes_per_second: Final = bytes_per_second
        self._free_at_s = 0.0
        """Time at which all bytes so far are paid for."""

    async def take(self, size_bytes: int) -> None:
        """Wait until bytes may be written."""
        if self.bytes_per_second is None:
            return
        now_s = asyncio.get_running_loop().time()
        self._free_at_s = max(self._free_at_s, now_s - 1) + size_bytes / self.bytes_per_second
        if self._free_at_s > now_s:
            await asyncio.sleep(self._free_at_s - now_s)
