"""Record batches into Arrow, without a Python object per record.

Where a record begins depends on the length of the one before, so the lengths are walked one by one: the only serial
part, and where there are many batches they are walked abreast. From the starts every field of *all* records of *all*
batches of a response is then decoded with numpy at once: the fixed cost of a numpy call is paid per response, so many
small batches cost little more than a few large ones. Keys and values become `binary_view`s into the fetched buffer:
their bytes are never copied. Only compressed batches are unpacked into a buffer of their own.

The row decoder (`records.decode_records`) is the reference. What looks wrong here is given to it, and its error, which
names record and byte, is the one that is raised.

Needs numpy and pyarrow; nothing on the start-up path of the broker may import this module.
"""

from itertools import repeat
from typing import Any, Final, NamedTuple

import google_crc32c
import numpy as np
import pyarrow as pa

from tenure.limits import ARROW_BUFFER_BYTES_MAX, BATCH_UNPACKED_BYTES_MAX
from tenure.protocol.records import (
    CRC_COVERS_FROM,
    HEADER,
    LENGTH_END,
    MAGIC,
    Batch,
    CorruptBatch,
    Header,
    MalformedRecord,
    Record,
    decode_records,
    read_batches,
    read_headers,
    unpacked_records,
    verify_crc,
)

HEADERS_TYPE: Final = pa.list_(pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())]))
TIMESTAMP_TYPE: Final = pa.timestamp("ms", "UTC")

_FIELDS: Final = [
    pa.field("offset", pa.int64(), nullable=False),
    pa.field("timestamp", TIMESTAMP_TYPE, nullable=False),
    pa.field("key", pa.binary_view()),
    pa.field("value", pa.binary_view()),
]
SCHEMA: Final = pa.schema(_FIELDS)
SCHEMA_WITH_HEADERS: Final = pa.schema([*_FIELDS, pa.field("headers", HEADERS_TYPE, nullable=False)])

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Views = np.ndarray[Any, np.dtype[np.int32]]


def to_arrow(
    data: bytes,
    *,
    from_offset: int | None = None,
    to_offset: int | None = None,
    headers: bool = False,
) -> pa.RecordBatch:
    """The records with `from_offset <= offset < to_offset` of all whole batches in `data`, in order.

    Columns as in `SCHEMA` (`SCHEMA_WITH_HEADERS` when `headers`). Checksums are verified; control batches, which carry
    no user's records, are left out. The result keeps `data` alive. Raises `CorruptBatch` and `UnsupportedMagic`.
    """
    lowest = 0 if from_offset is None else from_offset
    beyond = _INT64_MAX if to_offset is None else to_offset
    try:
        table = _table(data, lowest, beyond)
        if not len(table.start):
            return _from_rows([], headers=headers)
        return _columns(table, lowest, beyond, headers=headers)
    except (_Doubtful, MalformedRecord, IndexError):
        rows = _rows(data, lowest, beyond)
        return _from_rows([row for row in rows if lowest <= row.offset < beyond], headers=headers)


class _Doubtful(Exception):
    """The columns do not add up: the row decoder shall say why."""


_INT64_MAX: Final = 2**63 - 1
_RECORD_BYTES_MIN: Final = 7  # one byte each: length, attributes, both deltas, both lengths, header count
_CODEC_BITS: Final = 0x07
_LOG_APPEND_TIME_BIT: Final = 0x08
_CONTROL_BIT: Final = 0x20

_HEADER_FIELDS: Final = np.dtype(
    {
        "names": ["base_offset", "magic", "crc", "attributes", "last_delta", "base_time", "max_time", "count"],
        "formats": [">i8", "u1", ">u4", ">i2", ">i4", ">i8", ">i8", ">i4"],
        "offsets": [0, 16, 17, 21, 23, 27, 35, 57],
        "itemsize": HEADER.size,
    }
)


class _Table(NamedTuple):
    """The batches, one row each: where their records lie in the buffer, and what their headers say."""

    buffer: bytes
    start: Ints
    end: Ints
    header: Any
    """A structured array of `_HEADER_FIELDS`."""
    counts: Ints


def _table(data: bytes, lowest: int, beyond: int) -> _Table:
    position, end = _batch_bounds(data)
    raw = np.frombuffer(data, np.uint8)
    header = raw[position[:, None] + np.arange(HEADER.size)].view(_HEADER_FIELDS)[:, 0]
    if (header["magic"] != MAGIC).any() or (header["count"] < 0).any():
        raise _Doubtful
    wanted = (header["base_offset"] + header["last_delta"] >= lowest) & (header["base_offset"] < beyond)
    wanted &= (header["attributes"] & _CONTROL_BIT == 0) & (header["count"] > 0)
    position, end, header = position[wanted], end[wanted], header[wanted]
    checksums = [
        google_crc32c.value(data[first:last])
        for first, last in zip((position + CRC_COVERS_FROM).tolist(), end.tolist(), strict=True)
    ]
    if (header["crc"] != np.array(checksums, np.uint32)).any():
        raise _Doubtful
    start, count = position + HEADER.size, header["count"].astype(np.int64)
    if (header["attributes"] & _CODEC_BITS).any():
        data, start, end = _unpack(data, position.tolist())
    if len(data) > ARROW_BUFFER_BYTES_MAX:
        raise CorruptBatch(f"{len(data)} bytes are too many for one decode: fetch at most {ARROW_BUFFER_BYTES_MAX}")
    return _Table(data, start, end, header, count)


def _batch_bounds(data: bytes) -> tuple[Ints, Ints]:
    """Where the whole batches begin and end."""
    starts, ends, position = [], [], 0
    while position + HEADER.size <= len(data):
        end = position + LENGTH_END + int.from_bytes(data[position + 8 : position + LENGTH_END], "big", signed=True)
        if end > len(data):
            break
        if end < position + HEADER.size:
            raise _Doubtful
        starts.append(position)
        ends.append(end)
        position = end
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


def _rows(data: bytes, lowest: int, beyond: int) -> list[Record]:
    """The same records by way of the row decoder, or its error."""
    rows: list[Record] = []
    for batch in read_batches(data):
        if batch.last_offset >= lowest and batch.base_offset < beyond and not batch.is_control:
            verify_crc(batch)
            rows += decode_records(batch)
    return rows


# --- where records begin ----------------------------------------------------------------------------------------------

_ABREAST_MIN: Final = 150
"""Batches walked abreast from which on numpy's fixed cost per step is less than Python's per record (measured)."""


def _record_starts(table: _Table, raw: Bytes) -> Ints:
    counts = table.counts
    if (counts * _RECORD_BYTES_MIN > table.end - table.start).any():
        raise _Doubtful
    if counts.sum() >= _ABREAST_MIN * counts.max():
        return _walk_abreast(table, raw)
    return _walk(table)


def _walk(table: _Table) -> Ints:
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
            raise _Doubtful
    return np.fromiter(starts, np.int64, len(starts))


def _end_of_long_record(buffer: bytes, position: int) -> int:
    length = shift = 0
    while (byte := buffer[position]) >= 0x80:
        length |= (byte & 0x7F) << shift
        shift += 7
        position += 1
    length |= byte << shift
    return position + 1 + (length >> 1)


def _walk_abreast(table: _Table, raw: Bytes) -> Ints:
    """All batches at once, one record of each per step; the longest first, so that those that go on are a prefix."""
    order = np.argsort(-table.counts, kind="stable")
    slot = (np.cumsum(table.counts) - table.counts)[order]
    starts = np.empty(int(table.counts.sum()), np.int64)
    position = table.start[order]
    going_on = len(order) - np.searchsorted(table.counts[order][::-1], np.arange(table.counts.max()), side="right")
    for step, width in enumerate(going_on.tolist()):
        at = position[:width]
        starts[slot[:width] + step] = at
        length, behind = _varints(raw, at)
        position[:width] = behind + length
    if (position != table.end[order]).any():
        raise _Doubtful
    return starts


# --- columns ----------------------------------------------------------------------------------------------------------

_STRETCH_ROWS: Final = 16_384
"""Decoded at once: what numpy makes on the way then stays in the processor's cache (measured: twice as fast)."""


class _Columns:
    """What becomes of the records, filled stretch by stretch."""

    def __init__(self, count: int) -> None:
        self.offset = np.empty(count, np.int64)
        self.timestamp = np.empty(count, np.int64)
        self.key = np.zeros((count, 4), np.int32)
        self.value = np.zeros((count, 4), np.int32)
        self.key_is_null = np.empty(count, np.bool_)
        self.value_is_null = np.empty(count, np.bool_)
        self.header_count = np.empty(count, np.int64)
        self.header_at = np.empty(count, np.int64)
        self.end = np.empty(count, np.int64)

    def keep(self, rows: Ints) -> None:
        for name, column in vars(self).items():
            setattr(self, name, column[rows])


def _columns(table: _Table, lowest: int, beyond: int, *, headers: bool) -> pa.RecordBatch:
    raw = np.frombuffer(table.buffer, np.uint8)
    start = _record_starts(table, raw)
    base = _Base(table)
    columns = _Columns(len(start))
    for first in range(0, len(start), _STRETCH_ROWS):
        stretch = slice(first, first + _STRETCH_ROWS)
        _decode(raw, start[stretch], stretch, base, columns)
    if columns.offset[0] < lowest or columns.offset[-1] >= beyond:
        columns.keep(np.flatnonzero((columns.offset >= lowest) & (columns.offset < beyond)))
    shared = pa.py_buffer(table.buffer)
    arrays = [
        _fixed_width(pa.int64(), columns.offset),
        _fixed_width(TIMESTAMP_TYPE, columns.timestamp),
        _binary_views(columns.key, columns.key_is_null, shared),
        _binary_views(columns.value, columns.value_is_null, shared),
    ]
    if headers:
        arrays.append(_headers(table.buffer, columns))
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA_WITH_HEADERS if headers else SCHEMA)


class _Base:
    """What each record adds its deltas to, repeated for every record of a batch."""

    def __init__(self, table: _Table) -> None:
        header, counts = table.header, table.counts
        by_broker = header["attributes"] & _LOG_APPEND_TIME_BIT != 0
        self.offset = _repeat(header["base_offset"], counts)
        self.last_delta = _repeat(header["last_delta"], counts)
        self.timestamp = _repeat(np.where(by_broker, header["max_time"], header["base_time"]), counts)
        self.keeps_timestamp = _repeat(~by_broker, counts) if by_broker.any() else None
        """0 where the broker's time stands for the record's own."""


def _repeat(values: Ints, counts: Ints) -> Ints:
    return np.repeat(values.astype(np.int64), counts)


def _decode(raw: Bytes, start: Ints, rows: slice, base: _Base, columns: _Columns) -> None:
    """The records that begin at `start`, into `rows` of all columns, checked as strictly as the row decoder checks.

    Only headers are not looked into: see `_headers`.
    """
    length, at = _varints(raw, start)
    end = at + length
    timestamp_delta, at = _varints(raw, at + 1)  # behind the attributes, which are unused
    offset_delta, at = _varints(raw, at)
    key = _Slices(*_varints(raw, at))
    value = _Slices(*_varints(raw, key.end))
    header_at = value.end
    header_count, behind = _varints(raw, header_at)

    sound = (length >= 0) & (offset_delta >= 0) & (offset_delta <= base.last_delta[rows])
    sound &= (key.length >= -1) & (value.length >= -1)
    sound &= (header_count >= 0) & np.where(header_count == 0, behind == end, behind < end)
    if not sound.all():
        raise _Doubtful

    if base.keeps_timestamp is not None:
        timestamp_delta *= base.keeps_timestamp[rows]
    columns.offset[rows] = base.offset[rows] + offset_delta
    columns.timestamp[rows] = base.timestamp[rows] + timestamp_delta
    columns.key_is_null[rows] = _fill_views(raw, key, columns.key[rows])
    columns.value_is_null[rows] = _fill_views(raw, value, columns.value[rows])
    columns.header_count[rows], columns.header_at[rows], columns.end[rows] = header_count, header_at, end


class _Slices:
    """A bytes field of every record: its length, -1 for null, and where it begins."""

    __slots__ = ("at", "length")

    def __init__(self, length: Ints, at: Ints) -> None:
        self.length = length
        self.at = at

    @property
    def end(self) -> Ints:
        return self.at + np.maximum(self.length, 0)


def _varints(raw: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """The zigzag varints at these positions, and the positions behind them."""
    byte = raw[at]
    at = at + 1
    value = byte.astype(np.int64)
    goes_on = byte >= 0x80
    if goes_on.any():
        value &= 0x7F
        _add_higher_bytes(raw, value, at, np.flatnonzero(goes_on))
    return (value >> 1 & _INT64_MAX) ^ -(value & 1), at


def _add_higher_bytes(raw: Bytes, value: Ints, at: Ints, rows: Ints) -> None:
    shift = 7
    while rows.size:
        byte = raw[at[rows]].astype(np.int64)
        if shift == 63 and (byte > 1).any():
            raise _Doubtful
        value[rows] |= (byte & 0x7F) << shift
        at[rows] += 1
        rows = rows[byte >= 0x80]
        shift += 7


def _fixed_width(kind: pa.DataType, values: Ints) -> pa.Array:
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


_INLINE_BYTES: Final = 12


def _fill_views(raw: Bytes, field: _Slices, views: Views) -> Bools:
    """Arrow's views, 16 bytes each: the length, then the bytes themselves if they are at most 12; else their first
    four, the number of their buffer, and where in it they begin. `views` comes as zeros; returns which are null."""
    is_null = field.length < 0
    views[:, 0] = np.maximum(field.length, 0)
    is_long = field.length > _INLINE_BYTES
    if is_long.all():
        views[:, 1] = _first_four(raw, field.at)
        views[:, 3] = field.at
        return is_null
    rows = np.flatnonzero(is_long)
    views[rows, 1] = _first_four(raw, field.at[rows])
    views[rows, 3] = field.at[rows]
    _inline(raw, field, np.flatnonzero(~is_long & ~is_null), views)
    return is_null


def _binary_views(views: Views, is_null: Bools, shared: pa.Buffer) -> pa.Array:
    validity = pa.py_buffer(np.packbits(~is_null, bitorder="little")) if is_null.any() else None
    return pa.Array.from_buffers(pa.binary_view(), len(views), [validity, pa.py_buffer(views), shared])


def _first_four(raw: Bytes, at: Ints) -> Views:
    """Reads four bytes at each position, aligned or not."""
    if not len(at):
        return np.empty(0, np.int32)
    words = np.ndarray((len(raw) - 3,), np.int32, raw.data, strides=(1,))
    return words[at]


def _inline(raw: Bytes, field: _Slices, rows: Ints, views: Views) -> None:
    if not rows.size:
        return
    length, at = field.length[rows], field.at[rows]
    column = np.arange(length.max())
    content = raw.take(at[:, None] + column, mode="clip")
    content[column >= length[:, None]] = 0
    views.view(np.uint8)[rows, 4 : 4 + len(column)] = content


def _headers(buffer: bytes, columns: _Columns) -> pa.Array:
    """One by one: few records have any."""
    flat: list[Header] = []
    for row in np.flatnonzero(columns.header_count):
        end = int(columns.end[row])
        found, behind = read_headers(buffer, int(columns.header_at[row]), end)
        if behind != end:
            raise _Doubtful
        flat += found
    return _header_lists(flat, np.concatenate(([0], np.cumsum(columns.header_count))))


def _header_lists(flat: list[Header], starts: Ints) -> pa.Array:
    keys = pa.array([key for key, _ in flat], pa.string())
    values = pa.array([value for _, value in flat], pa.binary())
    pairs = pa.StructArray.from_arrays([keys, values], fields=list(HEADERS_TYPE.value_type))
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), pairs, type=HEADERS_TYPE)


def _from_rows(rows: list[Record], *, headers: bool) -> pa.RecordBatch:
    columns = [
        pa.array([row.offset for row in rows], pa.int64()),
        pa.array([row.timestamp_ms for row in rows], TIMESTAMP_TYPE),
        pa.array([row.key for row in rows], pa.binary_view()),
        pa.array([row.value for row in rows], pa.binary_view()),
    ]
    if headers:
        starts = np.cumsum([0, *(len(row.headers) for row in rows)])
        columns.append(_header_lists([header for row in rows for header in row.headers], starts))
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA_WITH_HEADERS if headers else SCHEMA)
