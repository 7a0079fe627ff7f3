"""Table of the batches in a response: their positions and headers as a structured array, for `decode`."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import google_crc32c
import numpy as np

from tenure.limits.protocol import (
    ARROW_BUFFER_BYTES_MAX,
    BATCH_UNPACKED_BYTES_MAX,
    UNPACKED_BUFFER_BYTES,
    UNPACKED_FACTOR,
    UNPACKED_TOGETHER_BYTES,
)
from tenure.protocol.batches import (
    CODEC_BITS,
    CONTROL_BIT,
    CRC_COVERS_FROM,
    HEADER,
    LENGTH_END,
    MAGIC,
    MAGIC_AT,
    Batch,
    CorruptBatch,
    unpacked_records,
)
from tenure.protocol.compression import CompressionError, decompress_into
from tenure.protocol.message import Data

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]

INT64_MAX: Final = 2**63 - 1
RECORD_BYTES_MIN: Final = 7  # one byte each: length, attributes, both deltas, both lengths, header count

_HEADER_FIELDS: Final = np.dtype(
    {
        "names": ["base_offset", "magic", "crc", "attributes", "last_delta", "base_time", "max_time", "count"],
        "formats": [">i8", "u1", ">u4", ">i2", ">i4", ">i8", ">i8", ">i4"],
        "offsets": [0, 16, 17, 21, 23, 27, 35, 57],
        "itemsize": HEADER.size,
    }
)
_NEVER_NEGATIVE: Final = ("base_offset", "last_delta", "count")


class SuspectData(Exception):
    """The data seem invalid, so the row decoder must find the error."""


class Table(NamedTuple):
    """Batches as rows: header fields, and the position of their records in the buffer."""

    buffer: Data
    start: Ints
    end: Ints
    header: Any
    """Structured array with the fields of `_HEADER_FIELDS`."""
    counts: Ints


class _Batches(NamedTuple):
    """Selected batches of a response: their headers, and where they begin and end."""

    position: Ints
    end: Ints
    header: Any

    @property
    def are_compressed(self) -> bool:
        return bool((self.header["attributes"] & CODEC_BITS).any())

    def table(self, buffer: Data, start: Ints, end: Ints) -> Table:
        if len(buffer) > ARROW_BUFFER_BYTES_MAX:
            raise CorruptBatch(
                f"{len(buffer)} bytes are too many for one decode: fetch at most {ARROW_BUFFER_BYTES_MAX}"
            )
        return Table(buffer, start, end, self.header, self.header["count"].astype(np.int64))

    def some(self, selected: slice) -> "_Batches":
        return _Batches(self.position[selected], self.end[selected], self.header[selected])


def read_table(data: Data, lowest: int, beyond: int, *, control: bool = False) -> Table:
    """Read the batches with records from `lowest` up to `beyond` (exclusive).

    Control batches are left out, unless `control` is true.
    """
    batches = _select(data, lowest, beyond, control=control)
    if not batches.are_compressed:
        return batches.table(data, batches.position + HEADER.size, batches.end)
    return batches.table(*_unpack(data, batches.position.tolist()))


def read_tables(data: Data, lowest: int, beyond: int, allocate: Callable[[int], memoryview]) -> Iterator[Table]:
    """Yield the same batches as `read_table`: in one table or, if a batch is compressed, in several tables.

    Each of several tables has about UNPACKED_TOGETHER_BYTES of decompressed records, in whole batches. So the records
    are still in the processor's cache when they are decoded. `allocate` returns the memory for them.
    """
    batches = _select(data, lowest, beyond, control=False)
    if not batches.are_compressed:
        yield batches.table(data, batches.position + HEADER.size, batches.end)
        return
    first, left = 0, ARROW_BUFFER_BYTES_MAX
    while first < len(batches.position):
        buffer, ends = _unpack_some(data, batches.some(slice(first, None)), left, allocate)
        left -= len(buffer)
        behind = first + len(ends)
        yield batches.some(slice(first, behind)).table(buffer, np.concatenate(([0], ends[:-1])), ends)
        first = behind


def _select(data: Data, lowest: int, beyond: int, *, control: bool) -> _Batches:
    position, end = _batch_bounds(data)
    raw = np.frombuffer(data, np.uint8)
    header = raw[position[:, None] + np.arange(HEADER.size)].view(_HEADER_FIELDS)[:, 0]
    if (header["magic"] != MAGIC).any() or any((header[name] < 0).any() for name in _NEVER_NEGATIVE):
        raise SuspectData
    wanted = (header["base_offset"] + header["last_delta"] >= lowest) & (header["base_offset"] < beyond)
    wanted &= header["count"] > 0
    if not control:
        wanted &= header["attributes"] & CONTROL_BIT == 0
    position, end, header = position[wanted], end[wanted], header[wanted]
    checksums = [
        google_crc32c.value(raw[first:last])
        for first, last in zip((position + CRC_COVERS_FROM).tolist(), end.tolist(), strict=True)
    ]
    if (header["crc"] != np.array(checksums, np.uint32)).any():
        raise SuspectData
    return _Batches(position, end, header)


def _batch_bounds(data: Data) -> tuple[Ints, Ints]:
    """Return the starts and ends of the complete batches."""
    starts, ends, position = [], [], 0
    while position + HEADER.size <= len(data):
        end = position + LENGTH_END + int.from_bytes(data[position + 8 : position + LENGTH_END], "big", signed=True)
        if end > len(data):
            break
        if end < position + HEADER.size:
            raise SuspectData
        starts.append(position)
        ends.append(end)
        position = end
    if len(data) - position > MAGIC_AT and data[position + MAGIC_AT] != MAGIC:
        raise SuspectData
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _unpack(data: Data, positions: list[int]) -> tuple[bytes, Ints, Ints]:
    """Return the decompressed records of batches in one buffer, with the start and end of each batch."""
    parts: list[bytes] = []
    left = ARROW_BUFFER_BYTES_MAX
    for position in positions:
        parts.append(unpacked_records(Batch(data, position), min(BATCH_UNPACKED_BYTES_MAX, left)))
        left -= len(parts[-1])
    ends = np.cumsum([len(part) for part in parts])
    return b"".join(parts), np.concatenate(([0], ends[:-1])), ends


def _unpack_some(data: Data, batches: _Batches, left: int, allocate: Callable[[int], memoryview]) -> tuple[Data, Ints]:
    """Return the decompressed records of the first batches in one buffer, with the end of each batch.

    The result ends with the batch that reaches UNPACKED_TOGETHER_BYTES, or before a batch that does not fit into the
    buffer. If even the first batch does not fit, the result is this batch in a buffer of its own. Raises an error if
    this batch has more than `left` bytes.
    """
    view = memoryview(data)
    packed_bytes = int((batches.end - batches.position).sum())
    buffer = allocate(min(UNPACKED_BUFFER_BYTES, UNPACKED_FACTOR * packed_bytes, left))
    ends: list[int] = []
    size = 0
    for position, end in zip(batches.position.tolist(), batches.end.tolist(), strict=True):
        batch = Batch(data, position)
        try:
            size += decompress_into(batch.codec, view[position + HEADER.size : end], buffer[size:])
        except CompressionError:
            break
        ends.append(size)
        if size >= UNPACKED_TOGETHER_BYTES:
            break
    if ends:
        return buffer[:size].toreadonly(), np.array(ends)
    records = unpacked_records(Batch(data, int(batches.position[0])), min(BATCH_UNPACKED_BYTES_MAX, left))
    return records, np.array([len(records)])
