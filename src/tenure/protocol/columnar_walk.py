"""Where the batches of a response lie, and where each of their records begins: the groundwork of `columnar`.

Headers are read into one structured array. Records are found by walking their lengths: one by one in Python, or, where
there are enough batches, all batches abreast in numpy, one record of each per step.
"""

from itertools import repeat
from typing import Any, Final, NamedTuple

import google_crc32c
import numpy as np

from tenure.limits import ARROW_BUFFER_BYTES_MAX, BATCH_UNPACKED_BYTES_MAX
from tenure.protocol.records import (
    CRC_COVERS_FROM,
    HEADER,
    LENGTH_END,
    MAGIC,
    MAGIC_AT,
    Batch,
    CorruptBatch,
    unpacked_records,
)

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]

INT64_MAX: Final = 2**63 - 1
_RECORD_BYTES_MIN: Final = 7  # one byte each: length, attributes, both deltas, both lengths, header count
_CODEC_BITS: Final = 0x07
LOG_APPEND_TIME_BIT: Final = 0x08
_CONTROL_BIT: Final = 0x20

_HEADER_FIELDS: Final = np.dtype(
    {
        "names": ["base_offset", "magic", "crc", "attributes", "last_delta", "base_time", "max_time", "count"],
        "formats": [">i8", "u1", ">u4", ">i2", ">i4", ">i8", ">i8", ">i4"],
        "offsets": [0, 16, 17, 21, 23, 27, 35, 57],
        "itemsize": HEADER.size,
    }
)
_NEVER_NEGATIVE: Final = ("base_offset", "last_delta", "count")


class Doubtful(Exception):
    """The columns do not add up: the row decoder shall say why."""


class Table(NamedTuple):
    """The batches, one row each: where their records lie in the buffer, and what their headers say."""

    buffer: bytes
    start: Ints
    end: Ints
    header: Any
    """A structured array of `_HEADER_FIELDS`."""
    counts: Ints


def read_table(data: bytes, lowest: int, beyond: int) -> Table:
    position, end = _batch_bounds(data)
    raw = np.frombuffer(data, np.uint8)
    header = raw[position[:, None] + np.arange(HEADER.size)].view(_HEADER_FIELDS)[:, 0]
    if (header["magic"] != MAGIC).any() or any((header[name] < 0).any() for name in _NEVER_NEGATIVE):
        raise Doubtful
    wanted = (header["base_offset"] + header["last_delta"] >= lowest) & (header["base_offset"] < beyond)
    wanted &= (header["attributes"] & _CONTROL_BIT == 0) & (header["count"] > 0)
    position, end, header = position[wanted], end[wanted], header[wanted]
    checksums = [
        google_crc32c.value(data[first:last])
        for first, last in zip((position + CRC_COVERS_FROM).tolist(), end.tolist(), strict=True)
    ]
    if (header["crc"] != np.array(checksums, np.uint32)).any():
        raise Doubtful
    start, count = position + HEADER.size, header["count"].astype(np.int64)
    if (header["attributes"] & _CODEC_BITS).any():
        data, start, end = _unpack(data, position.tolist())
    if len(data) > ARROW_BUFFER_BYTES_MAX:
        raise CorruptBatch(f"{len(data)} bytes are too many for one decode: fetch at most {ARROW_BUFFER_BYTES_MAX}")
    return Table(data, start, end, header, count)


def _batch_bounds(data: bytes) -> tuple[Ints, Ints]:
    """Where the whole batches begin and end."""
    starts, ends, position = [], [], 0
    while position + HEADER.size <= len(data):
        end = position + LENGTH_END + int.from_bytes(data[position + 8 : position + LENGTH_END], "big", signed=True)
        if end > len(data):
            break
        if end < position + HEADER.size:
            raise Doubtful
        starts.append(position)
        ends.append(end)
        position = end
    if len(data) - position > MAGIC_AT and data[position + MAGIC_AT] != MAGIC:
        raise Doubtful
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _unpack(data: bytes, positions: list[int]) -> tuple[bytes, Ints, Ints]:
    """The records of all batches end to end in one buffer."""
    parts: list[bytes] = []
    room = ARROW_BUFFER_BYTES_MAX
    for position in positions:
        parts.append(unpacked_records(Batch(data, position), min(BATCH_UNPACKED_BYTES_MAX, room)))
        room -= len(parts[-1])
    ends = np.cumsum([len(part) for part in parts])
    return b"".join(parts), np.concatenate(([0], ends[:-1])), ends


_ABREAST_MIN: Final = 40
"""Batches walked abreast from which on numpy's fixed cost per step is less than Python's per record (measured)."""


def record_starts(table: Table, raw: Bytes) -> Ints:
    counts = table.counts
    if (counts * _RECORD_BYTES_MIN > table.end - table.start).any():
        raise Doubtful
    if counts.sum() >= _ABREAST_MIN * counts.max():
        return _walk_abreast(table, raw)
    return _walk(table)


def _walk(table: Table) -> Ints:
    """Record by record. Lengths of one and two bytes are read in line: nearly all are."""
    buffer = table.buffer
    starts: list[int] = []
    for position, end, count in zip(table.start.tolist(), table.end.tolist(), table.counts.tolist(), strict=True):
        for _ in repeat(None, count):
            starts.append(position)
            low = buffer[position]
            if low < 0x80:
                position += 1 + (low >> 1)
                continue
            high = buffer[position + 1]
            if high < 0x80:
                position += 2 + (high << 6) + ((low & 0x7F) >> 1)
            else:
                position = _end_of_long_record(buffer, position)
        if position != end:
            raise Doubtful
    return np.fromiter(starts, np.int64, len(starts))


def _end_of_long_record(buffer: bytes, position: int) -> int:
    length = shift = 0
    while (byte := buffer[position]) >= 0x80:
        length |= (byte & 0x7F) << shift
        shift += 7
        position += 1
    length |= byte << shift
    return position + 1 + (length >> 1)


def _walk_abreast(table: Table, raw: Bytes) -> Ints:
    """All batches at once, one record of each per step; the longest first, so that those that go on are a prefix."""
    order = np.argsort(-table.counts, kind="stable")
    slot = (np.cumsum(table.counts) - table.counts)[order]
    starts = np.empty(int(table.counts.sum()), np.int64)
    position = table.start[order]
    words = np.ndarray((len(raw) - 1,), "<u2", raw.data, strides=(1,))
    going_on = len(order) - np.searchsorted(table.counts[order][::-1], np.arange(table.counts.max()), side="right")
    for step, width in enumerate(going_on.tolist()):
        at = position[:width]
        starts[slot[:width] + step] = at
        size = _SIZE_OF_RECORD[words[at]]
        if not size.all():
            length, behind = varints(raw, at)
            size = behind + length - at
        at += size
    if (position != table.end[order]).any():
        raise Doubtful
    return starts


def _sizes() -> Ints:
    """For the first two bytes of a record, low byte first: its size with its length; 0 where that has more bytes."""
    low, high = np.arange(0x10000) & 0xFF, np.arange(0x10000) >> 8
    size_of_two = np.where(high < 0x80, 2 + (high << 6) + ((low & 0x7F) >> 1), 0)
    return np.where(low < 0x80, 1 + (low >> 1), size_of_two)


_SIZE_OF_RECORD: Final = _sizes()


def varints(raw: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """The zigzag varints at these positions, and the positions behind them."""
    byte = raw[at]
    at = at + 1
    value = byte.astype(np.int64)
    goes_on = byte >= 0x80
    if goes_on.any():
        value &= 0x7F
        _add_higher_bytes(raw, value, at, np.flatnonzero(goes_on))
    return (value >> 1 & INT64_MAX) ^ -(value & 1), at


def _add_higher_bytes(raw: Bytes, value: Ints, at: Ints, rows: Ints) -> None:
    shift = 7
    while rows.size:
        byte = raw[at[rows]].astype(np.int64)
        if shift == 63 and (byte > 1).any():
            raise Doubtful
        value[rows] |= (byte & 0x7F) << shift
        at[rows] += 1
        rows = rows[byte >= 0x80]
        shift += 7
