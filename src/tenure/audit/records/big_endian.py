"""Big-endian integers and text at many positions of one buffer, as columns."""

from typing import Any

import numpy
import pyarrow as pa
from numpy.lib.stride_tricks import as_strided

LONGEST = 24
"""Size of the largest read in bytes. Each buffer is copied with this many extra bytes, so no read passes its end."""


class BinaryColumn:
    """Binary values in one buffer, with the position of each. Null has length -1."""

    def __init__(self, values: "pa.ChunkedArray | pa.Array") -> None:
        array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        if isinstance(array, pa.ChunkedArray):  # `combine_chunks` returns this if there are no chunks.
            array = pa.array([], pa.binary())
        array = array.cast(pa.binary())
        _, offsets, data = array.buffers()
        byte_positions = (
            numpy.frombuffer(offsets, numpy.int32, len(array) + 1, array.offset * 4) if offsets else numpy.zeros(1)
        )
        first, end = int(byte_positions[0]), int(byte_positions[-1])
        self.data: Any = numpy.zeros(end - first + LONGEST, numpy.uint8)
        if data is not None:
            self.data[: end - first] = numpy.frombuffer(data, numpy.uint8, end - first, first)
        self.start: Any = byte_positions[:-1].astype(numpy.int64) - first
        self.length: Any = numpy.diff(byte_positions).astype(numpy.int64)
        if array.null_count:
            self.length[array.is_null().to_numpy(zero_copy_only=False)] = -1

    @property
    def end(self) -> Any:
        """Position after the end of each value."""
        return self.start + numpy.maximum(self.length, 0)

    def int16(self, positions: Any) -> Any:
        return self._read(positions, 2)

    def int32(self, positions: Any) -> Any:
        return self._read(positions, 4)

    def int64(self, positions: Any) -> Any:
        return self._read(positions, 8)

    def byte(self, positions: Any) -> Any:
        return self.data[self._within(positions)]

    def bytes(self, positions: Any, size: int) -> Any:
        """Return `size` bytes from each position, one row per position."""
        windows = as_strided(self.data, (len(self.data) - size + 1, size), (1, 1), writeable=False)
        return windows[self._within(positions)]

    def strings(self, positions: Any, size: Any, is_present: Any) -> pa.Array:
        """Return text of `size` bytes from each position; null if `is_present` is False or the bytes are not UTF-8."""
        size = numpy.where(is_present, size, 0)
        ends = numpy.cumsum(size)
        byte_positions = numpy.repeat(positions - (ends - size), size) + numpy.arange(size.sum())
        offsets = numpy.append(0, ends).astype(numpy.int32)
        validity = pa.array(is_present).buffers()[1]
        buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(self.data[byte_positions])]
        found = pa.Array.from_buffers(pa.string(), len(size), buffers)
        try:
            found.validate(full=True)
        except pa.ArrowInvalid:
            return pa.array(map(_text, found.cast(pa.binary()).to_pylist()), pa.string())
        return found

    def _read(self, positions: Any, size: int) -> Any:
        """Return integers of `size` bytes.

        The result for a position outside of the buffer is undefined: check lengths first.
        """
        dtype = numpy.dtype(f">i{size}")
        everywhere = numpy.ndarray(len(self.data) - size + 1, dtype, self.data, strides=1)
        return everywhere[self._within(positions)].astype(dtype.newbyteorder("="))

    def _within(self, positions: Any) -> Any:
        return numpy.clip(positions, 0, len(self.data) - LONGEST)


def _text(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None
