"""Frames out of a socket, received into place.

Small frames share one buffer. A large one (a fetch may be 16 MB) gets a buffer of its own size, into which the socket
is read, because joining pieces would copy it many times over. That buffer is kept for the next large frame: memory that
is fresh from the system has to be cleared page by page, which costs more than the copy (measured: twice as much).
"""

import struct
from collections.abc import Iterator
from typing import Final

from tenure.limits import CONNECTION_BUFFER_BYTES, LARGE_FRAME_KEPT_BYTES, RESPONSE_BYTES_MAX
from tenure.protocol.message import MalformedMessage

_size_at: Final = struct.Struct(">i").unpack_from


class FrameBuffer:
    def __init__(self) -> None:
        self._shared: Final = bytearray(CONNECTION_BUFFER_BYTES)
        self._shared_filled = 0
        self._large = bytearray()
        """For frames, without their size, that the shared buffer cannot hold."""
        self._large_size = 0
        """Of the frame that is under way there; 0 when there is none."""
        self._large_filled = 0

    def writable(self) -> memoryview:
        """Where the next bytes go; never empty."""
        if self._large_size:
            return memoryview(self._large)[self._large_filled : self._large_size]
        return memoryview(self._shared)[self._shared_filled :]

    def received(self, count: int) -> Iterator[bytes]:
        """The frames that `count` more bytes complete. Raises MalformedMessage for a size that no answer can have."""
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
                raise MalformedMessage(f"a frame of {size} bytes")
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
        if len(self._large) < size:
            self._large = bytearray(size)
        self._large[: len(start)] = start
        self._large_size, self._large_filled = size, len(start)

    def _take_large(self) -> bytes:
        frame = bytes(memoryview(self._large)[: self._large_size])
        if self._large_size > LARGE_FRAME_KEPT_BYTES:
            self._large = bytearray()
        self._large_size = 0
        return frame
