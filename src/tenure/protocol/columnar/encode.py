"""Encoder of Arrow columns into record batches, without a Python object per record; the reverse of `decode`.

    head (length, attributes, both deltas, key length) | key | value length | value | headers

The lengths and deltas of all records are encoded as varints with numpy. Arrow then joins the five parts of every record
into one column. The bytes of this column are the records of all batches, and a batch is a slice of them.

The row encoder (`records.pack_records`) is the reference: both produce the same bytes.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tenure.protocol.batches import PackedRecords
from tenure.protocol.columnar.table import Bytes, Ints
from tenure.protocol.compression import Codec, compress
from tenure.protocol.records import encode_headers

_NOTHING: Final = pa.scalar(b"")
_NO_HEADERS: Final = pa.scalar(b"\x00")


class RecordColumns(NamedTuple):
    """Columns of records. All have the same length."""

    key: pa.Array
    """Keys, of type binary."""
    value: pa.Array
    """Values, of type binary."""
    timestamp_ms: Ints
    headers: pa.Array | None
    """Headers as returned by `encoded_headers`; None if no record has any."""

    def take(self, rows: Ints) -> "RecordColumns":
        wanted = pa.array(rows)
        headers = None if self.headers is None else self.headers.take(wanted)
        return RecordColumns(self.key.take(wanted), self.value.take(wanted), self.timestamp_ms[rows], headers)

    def content_bytes(self) -> Ints:
        """Return the number of bytes of key, value and headers of each record."""
        size = _lengths(self.key) + _lengths(self.value)
        return size if self.headers is None else size + _lengths(self.headers)


def encoded_headers(headers: pa.Array) -> pa.Array:
    """Encode a column of `decode.HEADERS_TYPE`, record by record, because few records have headers."""
    counts = np.asarray(pc.fill_null(pc.list_value_length(headers), 0))
    encoded: list[bytes] = [b"\x00"] * len(headers)
    for row in np.flatnonzero(counts).tolist():
        encoded[row] = encode_headers([(header["key"], header["value"]) for header in headers[row].as_py()])
    return pa.array(encoded, pa.binary())


def pack_columns(columns: RecordColumns, starts: Ints, codec: Codec) -> Iterator[PackedRecords]:
    """Yield the encoded records of each batch.

    `starts` has the index of the first record of each batch, ascending from 0. A batch ends where the next one begins.
    """
    bounds = np.append(starts, len(columns.key))
    first = np.repeat(starts, np.diff(bounds))
    joined = _join(columns, np.arange(len(columns.key)) - first, columns.timestamp_ms - columns.timestamp_ms[first])
    _, offsets, content = joined.buffers()
    at = np.frombuffer(offsets, np.int32)[bounds].tolist()
    newest_ms = np.maximum.reduceat(columns.timestamp_ms, starts).tolist()
    for number, (start, end) in enumerate(zip(bounds.tolist(), bounds[1:].tolist(), strict=False)):
        body = content.slice(at[number], at[number + 1] - at[number])
        yield PackedRecords(
            compress(codec, body) if codec else body,
            codec,
            end - start,
            int(columns.timestamp_ms[start]),
            newest_ms[number],
        )


def _join(columns: RecordColumns, offset_delta: Ints, timestamp_delta: Ints) -> pa.Array:
    """Return the encoded bytes of each record."""
    key_length, value_length = _Varints(_lengths_or_null(columns.key)), _Varints(_lengths_or_null(columns.value))
    deltas = _Varints(timestamp_delta), _Varints(offset_delta)
    framing = 1 + sum(field.width for field in (*deltas, key_length, value_length))
    headers_length = 1 if columns.headers is None else _lengths(columns.headers)
    length = _Varints(framing + _lengths(columns.key) + _lengths(columns.value) + headers_length)
    no_attributes = _Varints(np.zeros(len(offset_delta), np.int64))
    return pc.binary_join_element_wise(
        _binary((length, no_attributes, *deltas, key_length)),
        columns.key,
        _binary((value_length,)),
        columns.value,
        _NO_HEADERS if columns.headers is None else columns.headers,
        _NOTHING,
        null_handling="replace",
        null_replacement=b"",
    )


def _lengths(column: pa.Array) -> Ints:
    """Return the length of each value; 0 for null."""
    return np.asarray(pc.fill_null(pc.binary_length(column), 0)).astype(np.int64)


def _lengths_or_null(column: pa.Array) -> Ints:
    """Return the length of each value; -1 for null, as it is encoded in records."""
    return np.asarray(pc.fill_null(pc.binary_length(column), -1)).astype(np.int64)


# --- varints ----------------------------------------------------------------------------------------------------------


class _Varints:
    """Varints of one field of all records: the values in zigzag form, and the number of bytes of each varint."""

    __slots__ = ("width", "zigzag")

    def __init__(self, values: Ints) -> None:
        self.zigzag = ((values << 1) ^ (values >> 63)).view(np.uint64)
        self.width = np.ones(len(values), np.int64)
        largest = int(self.zigzag.max(initial=0))
        for bits in range(7, largest.bit_length(), 7):
            self.width += self.zigzag >= np.uint64(1 << bits)


def _binary(fields: tuple[_Varints, ...]) -> pa.Array:
    """Return the encoded fields of each record, joined into one value.

    The varints are written into an array with space for the longest ones. Then unused bytes are removed.
    """
    rows = len(fields[0].width)
    widths = [int(field.width.max(initial=1)) for field in fields]
    laid_out = np.empty((rows, sum(widths)), np.uint8)
    is_used = np.ones(laid_out.shape, np.bool_)
    first = 0
    for field, widest in zip(fields, widths, strict=True):
        _lay_out(field, laid_out[:, first : first + widest], is_used[:, first : first + widest])
        first += widest
    offsets = np.zeros(rows + 1, np.int32)
    np.cumsum(sum(field.width for field in fields), out=offsets[1:])
    content = laid_out if offsets[-1] == laid_out.size else laid_out[is_used]
    return pa.Array.from_buffers(pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(content)])


def _lay_out(field: _Varints, cells: Bytes, is_used: np.ndarray[Any, np.dtype[np.bool_]]) -> None:
    """Write one varint to each row of `cells`, and set `is_used` to False for bytes that the varint does not need.

    The high bit is set in all bytes of a varint except the last.
    """
    widest = cells.shape[1]
    for number in range(widest):
        byte = (field.zigzag >> np.uint64(7 * number)).astype(np.uint8) & 0x7F
        if number + 1 < widest:
            byte |= (field.width > number + 1).astype(np.uint8) << 7
        cells[:, number] = byte
        if number:
            is_used[:, number] = field.width > number
