"""Receive buffer that splits a connection's bytes into frames, without copying large ones.

Small frames share one buffer. A large frame (a fetch response may have 16 MB) is received into its own buffer, and the
caller gets a view of this buffer, so that records are decoded in place. A buffer without views is reused for the next
large frame, because the kernel has to clear newly allocated memory page by page.
"""

import struct
from collections import deque
from collections.abc import Iterator
from typing import Final

from tenure.limits.client import CONNECTION_BUFFER_BYTES, LARGE_FRAMES_KEPT_BYTES, RESPONSE_BYTES_MAX
from tenure.protocol.message import Data, MalformedMessage

_size_at: Final = struct.Struct(">i").unpack_from


class FrameBuffer:
    """Receive buffer of one connection."""

    def __init__(self) -> None:
        self._shared: Final = bytearray(CONNECTION_BUFFER_BYTES)
        self._shared_filled = 0
        self._large = bytearray()
        """Buffer of the large frame that is being received."""
        self._large_size = 0
        """Size of the large frame that is being received, without its length prefix; 0 if there is none."""
        self._large_filled = 0
        self._kept: Final = deque[bytearray]()
        """Buffers of large frames, in use or free, oldest first."""

    def writable(self) -> memoryview:
        """Return the memory to receive the next bytes into. It is never empty."""
        if self._large_size:
            return memoryview(self._large)[self._large_filled : self._large_size]
        return memoryview(self._shared)[self._shared_filled :]

    def received(self, count: int) -> Iterator[Data]:
        """Return the frames that the next `count` received bytes complete.

        Raises:
            MalformedMessage: A frame size is negative or too large.
        """
        if self._large_size:
            self._large_filled += count
            if self._large_filled == self._large_size:
                yield self._take_large()
            return
        self._shared_filled += count
        yield from self._complete_frames()

    def _complete_frames(self) -> Iterator[bytes]:
        start, filled = 0, self._shared_filled
        while filled - start >= 4:
            (size,) = _size_at(self._shared, start)
            if not 0 <= size <= RESPONSE_BYTES_MAX:
                raise MalformedMessage(f"the frame size {size} is not between 0 and {RESPONSE_BYTES_MAX} bytes")
            if filled - start - 4 < size:
                break
            yield bytes(self._shared[start + 4 : start + 4 + size])
            start += 4 + size
        rest = self._shared[start:filled]
        self._shared[: len(rest)] = rest
        self._shared_filled = len(rest)
        if len(rest) >= 4 and size + 4 > len(self._shared):
            self._begin_large(size, rest[4:])
            self._shared_filled = 0

    def _begin_large(self, size: int, start: bytearray) -> None:
        self._large = self._free_buffer(size)
        self._large[: len(start)] = start
        self._large_size, self._large_filled = size, len(start)

    def _free_buffer(self, size: int) -> bytearray:
        for buffer in self._kept:
            if len(buffer) >= size and not _is_lent(buffer):
                return buffer
        buffer = bytearray(size)
        self._kept.append(buffer)
        while sum(map(len, self._kept)) > LARGE_FRAMES_KEPT_BYTES:
            self._kept.popleft()
        return buffer

    def _take_large(self) -> memoryview:
        frame = memoryview(self._large)[: self._large_size].toreadonly()
        self._large, self._large_size = bytearray(), 0
        return frame


def _is_lent(buffer: bytearray) -> bool:
    """Return whether a view of the buffer exists: Python then refuses to change the size of the buffer."""
    try:
        last = buffer.pop()
    except BufferError:
        return True
    buffer.append(last)
    return False
