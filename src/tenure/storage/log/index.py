"""Sparse indexes of a segment, in Kafka's formats.

Offset index: `relative_offset int32 | position int32`, one entry per `index.interval.bytes` of log. An entry has the
last offset of the batch at the position. Time index: `timestamp int64 | relative_offset int32`. An entry has the
largest timestamp so far, and the last offset of the batch with this timestamp. Both are used only to find a position
from which to read.

While a segment grows, its indexes are in memory. They are written when the segment is sealed, after its log was synced.
So an index file proves that the log is complete up to the batch of its last entry, and the synced part need not be
recorded elsewhere.
"""

import struct
import sys
from array import array
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Final

_TIME_ENTRY: Final = struct.Struct(">qi")

OFFSET_ENTRY_BYTES: Final = 8
TIME_ENTRY_BYTES: Final = _TIME_ENTRY.size


class ImplausibleIndex(ValueError):
    """The index file is torn, or ends with zeros that a broker had preallocated before it crashed."""


class OffsetIndex:
    __slots__ = ("offsets", "positions")

    def __init__(self) -> None:
        self.offsets = array("i")
        """Offsets relative to the segment's base offset. Invariant: strictly increasing, as are the positions."""
        self.positions = array("i")

    def append(self, relative_offset: int, position: int) -> None:
        self.offsets.append(relative_offset)
        self.positions.append(position)

    def floor(self, relative_offset: int) -> int:
        """Return a position at or before the batch that contains the offset."""
        i = bisect_right(self.offsets, relative_offset)
        return self.positions[i - 1] if i else 0

    def offset_at(self, position: int) -> int | None:
        """Return the relative offset in the entry for exactly this position; None if there is no such entry."""
        i = bisect_left(self.positions, position)
        return self.offsets[i] if i < len(self.positions) and self.positions[i] == position else None

    def boundary(self, position: int) -> int:
        """Return the start of the last indexed batch that starts at or before `position`; 0 if there is none."""
        i = bisect_right(self.positions, position)
        return self.positions[i - 1] if i else 0

    def encode(self) -> bytes:
        entries = array("i", bytes(8 * len(self.offsets)))
        entries[0::2], entries[1::2] = self.offsets, self.positions
        _to_big_endian(entries)
        return entries.tobytes()

    @classmethod
    def decode(cls, data: bytes) -> "OffsetIndex":
        if len(data) % 8:
            raise ImplausibleIndex(f"{len(data)} bytes are not a whole number of offset index entries")
        entries = array("i", data)
        _to_big_endian(entries)
        index = cls()
        index.offsets, index.positions = entries[0::2], entries[1::2]
        if not (_increases(index.offsets) and _increases(index.positions)):
            raise ImplausibleIndex("the offset index is not in ascending order")
        return index


class TimeIndex:
    __slots__ = ("offsets", "timestamps")

    def __init__(self) -> None:
        self.timestamps = array("q")
        """Timestamps in ms. Invariant: strictly increasing."""
        self.offsets = array("i")

    def maybe_append(self, timestamp_ms: int, relative_offset: int) -> None:
        if not self.timestamps or timestamp_ms > self.timestamps[-1]:
            self.timestamps.append(timestamp_ms)
            self.offsets.append(relative_offset)

    def floor(self, timestamp_ms: int) -> int:
        """Return a relative offset from which to search for the first record at or after `timestamp_ms`.

        All records before the batch with this offset are older.
        """
        i = bisect_right(self.timestamps, timestamp_ms)
        return self.offsets[i - 1] if i else 0

    def encode(self) -> bytes:
        return b"".join(map(_TIME_ENTRY.pack, self.timestamps, self.offsets))

    @classmethod
    def decode(cls, data: bytes) -> "TimeIndex":
        if len(data) % _TIME_ENTRY.size:
            raise ImplausibleIndex(f"{len(data)} bytes are not a whole number of time index entries")
        index = cls()
        for timestamp_ms, offset in _TIME_ENTRY.iter_unpack(data):
            index.timestamps.append(timestamp_ms)
            index.offsets.append(offset)
        if not _increases(index.timestamps):
            raise ImplausibleIndex("the time index is not in ascending order")
        return index


def _to_big_endian(entries: "array[int]") -> None:
    """Convert the entries between the machine's and big-endian byte order, in place."""
    if sys.byteorder == "little":
        entries.byteswap()


def _increases(values: "array[int]") -> bool:
    return all(a < b for a, b in pairwise(values))
