"""Decoder of record batches into Arrow columns, without a Python object per record.

First the start of each record is found (`walk`). Then one field at a time is decoded with numpy, for *all* records of
*all* batches of a response. The fixed cost of a numpy call occurs once per response, so many small batches take little
longer than a few large ones. Keys and values are `binary_view`s into the fetched buffer, and are not copied.
Compressed batches are decompressed into buffers of their own, some megabytes at a time, and each buffer is decoded
while the processor has it in its cache.

The row decoder (`records.decode_records`) is the reference. If data look invalid, they are passed to it, and it raises
the error, which names record and byte.

The module needs numpy and pyarrow, so no module that the broker loads at its start may import it.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from tenure.protocol.batches import LOG_APPEND_TIME_BIT, decode_records, read_batches, verify_crc
from tenure.protocol.columnar.table import (
    INT64_MAX,
    Bytes,
    Ints,
    SuspectData,
    Table,
    read_tables,
)
from tenure.protocol.columnar.walk import record_starts, sliding_words, varints
from tenure.protocol.message import Data
from tenure.protocol.records import Header, MalformedRecord, Record, read_headers

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

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Views = np.ndarray[Any, np.dtype[np.int32]]


def to_arrow(
    data: Data,
    *,
    from_offset: int | None = None,
    to_offset: int | None = None,
    headers: bool = False,
) -> pa.RecordBatch:
    """Return the records from `from_offset` up to `to_offset` (exclusive) of all complete batches in `data`, in order.

    The columns are those of `SCHEMA`, or of `SCHEMA_WITH_HEADERS` with `headers`.

    Checksums are verified. Control batches are left out, because they have no records of users. The result refers to
    `data`, which therefore stays in memory. Raises `CorruptBatch` and `UnsupportedMagic`.
    """
    lowest = 0 if from_offset is None else from_offset
    beyond = INT64_MAX if to_offset is None else to_offset
    try:
        tables = [
            _DecodedTable(table, number, lowest, beyond, headers=headers)
            for number, table in enumerate(read_tables(data, lowest, beyond, _allocate))
            if len(table.start)
        ]
        return _together(tables, headers=headers) if tables else _from_rows([], headers=headers)
    except (SuspectData, MalformedRecord, IndexError):
        rows = _rows(data, lowest, beyond)
        return _from_rows([row for row in rows if lowest <= row.offset < beyond], headers=headers)


def _allocate(size: int) -> memoryview:
    """Return memory from Arrow's pool, which keeps freed memory: the kernel would have to clear new memory."""
    return memoryview(pa.allocate_buffer(size)).cast("B")


def _rows(data: Data, lowest: int, beyond: int) -> list[Record]:
    """Decode the same records as `to_arrow` with the row decoder, which raises an error for invalid records."""
    rows: list[Record] = []
    for batch in read_batches(data):
        if batch.last_offset >= lowest and batch.base_offset < beyond and not batch.is_control:
            verify_crc(batch)
            rows += decode_records(batch)
    return rows


# --- columns ----------------------------------------------------------------------------------------------------------

_PART_ROWS: Final = 4_096
"""Records that are decoded together.

With this number, numpy's intermediate arrays fit into the processor's cache, even for records of a kilobyte.
"""


class _Columns:
    """Columns of the result. They are filled part by part, _PART_ROWS records at a time."""

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


class _DecodedTable:
    """Columns of one table. The views of its keys and values refer to buffer `number` of the result."""

    def __init__(self, table: Table, number: int, lowest: int, beyond: int, *, headers: bool) -> None:
        raw = np.frombuffer(table.buffer, np.uint8)
        start = record_starts(table, raw)
        base = _Base(table)
        columns = _Columns(len(start))
        for first in range(0, len(start), _PART_ROWS):
            part = slice(first, first + _PART_ROWS)
            _decode(raw, start[part], part, base, columns, number)
        if columns.offset[0] < lowest or columns.offset[-1] >= beyond:
            columns.keep(np.flatnonzero((columns.offset >= lowest) & (columns.offset < beyond)))
        self.columns = columns
        self.buffer = pa.py_buffer(table.buffer)
        self.headers = _headers(table.buffer, columns) if headers else None


def _together(tables: list[_DecodedTable], *, headers: bool) -> pa.RecordBatch:
    parts, buffers = [table.columns for table in tables], [table.buffer for table in tables]
    arrays = [
        _fixed_width(pa.int64(), _joined([part.offset for part in parts])),
        _fixed_width(TIMESTAMP_TYPE, _joined([part.timestamp for part in parts])),
        _binary_views(_joined([part.key for part in parts]), _joined([part.key_is_null for part in parts]), buffers),
        _binary_views(
            _joined([part.value for part in parts]), _joined([part.value_is_null for part in parts]), buffers
        ),
    ]
    if headers:
        arrays.append(pa.concat_arrays([table.headers for table in tables]))
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA_WITH_HEADERS if headers else SCHEMA)


def _joined(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class _Base:
    """Base offset and base timestamp of the batch of each record."""

    def __init__(self, table: Table) -> None:
        header, counts = table.header, table.counts
        by_broker = header["attributes"] & LOG_APPEND_TIME_BIT != 0
        self.offset = _repeat(header["base_offset"], counts)
        self.last_delta = _repeat(header["last_delta"], counts)
        self.timestamp = _repeat(np.where(by_broker, header["max_time"], header["base_time"]), counts)
        self.keeps_timestamp = _repeat(~by_broker, counts) if by_broker.any() else None
        """Array with 0 for each record whose timestamp is replaced by the broker's time, and 1 for all others; None if
        all keep their own."""


def _repeat(values: Ints, counts: Ints) -> Ints:
    return np.repeat(values.astype(np.int64), counts)


def _decode(raw: Bytes, start: Ints, rows: slice, base: _Base, columns: _Columns, number: int) -> None:
    """Decode the records that begin at `start` into `rows` of all columns.

    Keys and values become Arrow views. `number` is the number of `raw` among the buffers that the views refer to.
    The function makes all checks of the row decoder, except those of headers (see `_headers`).
    """
    length, at = varints(raw, start)
    end = at + length
    timestamp_delta, at = varints(raw, at + 1)  # after the attributes, which are unused
    offset_delta, at = varints(raw, at)
    key = _Slices(*varints(raw, at))
    value = _Slices(*varints(raw, key.end))
    header_at = value.end
    header_count, behind = varints(raw, header_at)

    sound = (length >= 0) & (offset_delta >= 0) & (offset_delta <= base.last_delta[rows])
    sound &= (key.length >= -1) & (value.length >= -1)
    sound &= (header_count >= 0) & np.where(header_count == 0, behind == end, behind < end)
    if not sound.all():
        raise SuspectData

    if base.keeps_timestamp is not None:
        timestamp_delta *= base.keeps_timestamp[rows]
    columns.offset[rows] = base.offset[rows] + offset_delta
    columns.timestamp[rows] = base.timestamp[rows] + timestamp_delta
    columns.key_is_null[rows] = _fill_views(raw, key, columns.key[rows], number)
    columns.value_is_null[rows] = _fill_views(raw, value, columns.value[rows], number)
    columns.header_count[rows], columns.header_at[rows], columns.end[rows] = header_count, header_at, end


class _Slices:
    """Start and length of the same bytes field, such as the key, in every record. The length is -1 for null."""

    __slots__ = ("at", "length")

    def __init__(self, length: Ints, at: Ints) -> None:
        self.length = length
        self.at = at

    @property
    def end(self) -> Ints:
        return self.at + np.maximum(self.length, 0)


def _fixed_width(kind: pa.DataType, values: Ints) -> pa.Array:
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


_INLINE_BYTES: Final = 12


def _fill_views(raw: Bytes, field: _Slices, views: Views, number: int) -> Bools:
    """Fill Arrow's views, 16 bytes each, and return a mask of those that are null.

    A view begins with the length. Up to 12 bytes of value follow it directly. For a longer value, its first four bytes
    follow, then the number of its buffer, which is `number`, and its position there. `views` must be zeros.
    """
    is_null = field.length < 0
    views[:, 0] = np.maximum(field.length, 0)
    is_long = field.length > _INLINE_BYTES
    if is_long.all():
        views[:, 1] = _first_four(raw, field.at)
        views[:, 2] = number
        views[:, 3] = field.at
        return is_null
    rows = np.flatnonzero(is_long)
    views[rows, 1] = _first_four(raw, field.at[rows])
    views[rows, 2] = number
    views[rows, 3] = field.at[rows]
    _inline(raw, field, np.flatnonzero(~is_long & ~is_null), views)
    return is_null


def _binary_views(views: Views, is_null: Bools, buffers: list[pa.Buffer]) -> pa.Array:
    validity = pa.py_buffer(np.packbits(~is_null, bitorder="little")) if is_null.any() else None
    return pa.Array.from_buffers(pa.binary_view(), len(views), [validity, pa.py_buffer(views), *buffers])


def _first_four(raw: Bytes, at: Ints) -> Views:
    return sliding_words(raw, np.int32)[at] if len(at) else np.empty(0, np.int32)


_KEEP_FIRST: Final = np.frombuffer(b"".join(b"\xff" * n + bytes(8 - n) for n in range(9)), np.int64)
"""Masks for words of eight bytes. The mask with index n keeps only the first n bytes."""


def _inline(raw: Bytes, field: _Slices, rows: Ints, views: Views) -> None:
    """Fill the views of values up to 12 bytes, as two words of eight bytes each.

    Values near the end of the buffer cannot be read as whole words, so they are copied one by one.
    """
    fits = field.at[rows] <= len(raw) - _INLINE_BYTES
    for row in rows[~fits]:
        content = raw[field.at[row] : field.at[row] + field.length[row]]
        views.view(np.uint8)[row, 4 : 4 + len(content)] = content
    rows = rows[fits]
    if not rows.size:
        return
    at, length = field.at[rows], field.length[rows]
    eights = sliding_words(raw, np.int64)
    views[rows, 1:3] = (eights[at] & _KEEP_FIRST[np.minimum(length, 8)]).view(np.int32).reshape(-1, 2)
    if (length > 8).any():
        views[rows, 2:4] = (eights[at + 4] & _KEEP_FIRST[np.clip(length - 4, 0, 8)]).view(np.int32).reshape(-1, 2)


def _headers(data: Data, columns: _Columns) -> pa.Array:
    """Decode headers record by record, because few records have any."""
    flat: list[Header] = []
    rows = np.flatnonzero(columns.header_count)
    buffer = bytes(data) if len(rows) else b""
    for row in rows:
        end = int(columns.end[row])
        found, behind = read_headers(buffer, int(columns.header_at[row]), end)
        if behind != end:
            raise SuspectData
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
