"""Records, of which record batches consist.

A record is `length varint | attributes int8 | timestamp_delta varlong | offset_delta varint | key | value | headers`.
Lengths are zigzag varints, and -1 means null. Both deltas are relative to the header of the batch (see `batches`).
"""

from collections.abc import Iterator, Sequence
from typing import Final

Header = tuple[str, bytes | None]


class MalformedRecord(ValueError):
    """A record is invalid. The reader of the batch adds to the message which batch contains the record."""


class TooManyHeaders(ValueError):
    """The records of a batch together have more headers than any client writes."""


class Record:
    __slots__ = ("headers", "key", "offset", "timestamp_ms", "value")

    def __init__(
        self,
        offset: int,
        timestamp_ms: int,
        key: bytes | None,
        value: bytes | None,
        headers: Sequence[Header] = (),
    ) -> None:
        self.offset = offset
        self.timestamp_ms = timestamp_ms
        self.key = key
        self.value = value
        self.headers = headers

    def _values(self) -> tuple[object, ...]:
        return self.offset, self.timestamp_ms, self.key, self.value, tuple(self.headers)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Record) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Record{self._values()!r}"


def encode_record(record: Record, offset_delta: int, base_timestamp_ms: int) -> bytes:
    """Encode a record. Both of its deltas are relative to the header of its batch."""
    timestamp_delta_ms = record.timestamp_ms - base_timestamp_ms
    return encode_fields(timestamp_delta_ms, offset_delta, record.key, record.value, record.headers)


def encode_fields(
    timestamp_delta_ms: int, offset_delta: int, key: bytes | None, value: bytes | None, headers: Sequence[Header]
) -> bytes:
    """Encode the fields of a record."""
    body = b"".join(
        (
            b"\x00",  # attributes: none are defined
            _VARINTS[timestamp_delta_ms],
            _VARINTS[offset_delta],
            _NULL if key is None else _VARINTS[len(key)],
            key or b"",
            _NULL if value is None else _VARINTS[len(value)],
            value or b"",
            encode_headers(headers) if headers else b"\x00",
        )
    )
    return _VARINTS[len(body)] + body


def encode_headers(headers: Sequence[Header]) -> bytes:
    parts = [varint(len(headers))]
    for name, content in headers:
        encoded = name.encode()
        parts += (varint(len(encoded)), encoded)
        parts += (varint(len(content)), content) if content is not None else (_NULL,)
    return b"".join(parts)


def varint(value: int) -> bytes:
    """Encode a number as a zigzag varint, which is short for numbers near 0, positive or negative."""
    rest = (value << 1) ^ (value >> 63)
    encoded = bytearray()
    while rest >= 0x80:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    encoded.append(rest)
    return bytes(encoded)


class _Varints(dict[int, bytes]):
    """Cache of the varints of one and two bytes, which are nearly all that occur."""

    def __missing__(self, value: int) -> bytes:
        encoded = varint(value)
        if len(encoded) <= 2:
            self[value] = encoded
        return encoded


_VARINTS: Final = _Varints()
_NULL: Final = varint(-1)


def decode_record(
    data: bytes,
    start: int,
    base_offset: int,
    last_offset_delta: int,
    base_timestamp_ms: int,
    append_time_ms: int | None,
) -> tuple[Record, int]:
    """Return the record at byte `start`, and its end. Raises MalformedRecord.

    Args:
        data: Decompressed records of one batch.
        start: First byte of the record.
        base_offset: Offset of the first record of the batch.
        last_offset_delta: Largest offset delta of the batch.
        base_timestamp_ms: Timestamp to which the record's delta is relative.
        append_time_ms: Timestamp of all records if the broker has set it (LogAppendTime); else None.
    """
    length, position = _read_varint(data, start)
    end = position + length
    if length < 0 or end > len(data):
        raise MalformedRecord(f"a record of {length} bytes ends past the end of its batch")
    timestamp_delta_ms, position = _read_varint(data, position + 1)
    offset_delta, position = _read_varint(data, position)
    if not 0 <= offset_delta <= last_offset_delta:
        raise MalformedRecord(f"the offset delta {offset_delta} is outside of the batch")
    key, position = _read_bytes(data, position, end, "key")
    value, position = _read_bytes(data, position, end, "value")
    headers, position = read_headers(data, position, end)
    if position != end:
        raise MalformedRecord(f"a record should end at byte {end}, but its fields end at byte {position}")
    timestamp_ms = base_timestamp_ms + timestamp_delta_ms if append_time_ms is None else append_time_ms
    return Record(base_offset + offset_delta, timestamp_ms, key, value, headers), end


RecordPosition = tuple[int, int, int, int, bytes | None, bool]
"""Position of one record and its main fields.

The elements are start, end, timestamp delta, offset delta, key, and True if the record has a value.
"""


def read_positions(data: bytes, count: int) -> Iterator[RecordPosition]:
    """Yield position and main fields of each of the `count` records in decompressed `data`. Raises MalformedRecord."""
    position = 0
    for _ in range(count):
        start = position
        try:
            length, position = _read_varint(data, position)
            end = position + length
            timestamp_delta_ms, position = _read_varint(data, position + 1)
            offset_delta, position = _read_varint(data, position)
            key, position = _read_bytes(data, position, end, "key")
            value_length, position = _read_varint(data, position)
            if length < 0 or end > len(data) or position + value_length > end:
                raise MalformedRecord(
                    f"a record of {length} bytes ends past the end of its batch, or before the end of its value"
                )
        except MalformedRecord as error:
            raise MalformedRecord(f"at byte {start} of the records: {error}") from None
        yield start, end, timestamp_delta_ms, offset_delta, key, value_length >= 0
        position = end


def read_headers(data: bytes, position: int, end: int) -> tuple[list[Header], int]:
    """Return the headers of a record, and the position after the last header.

    `position` is the position of the header count, and `end` is the end of the record.
    """
    count, position = _read_varint(data, position)
    if count < 0:
        raise MalformedRecord(f"the header count {count} is negative")
    headers: list[Header] = []
    for _ in range(count):
        header, position = _read_header(data, position, end)
        headers.append(header)
    return headers, position


def _read_header(data: bytes, position: int, end: int) -> tuple[Header, int]:
    name, position = _read_bytes(data, position, end, "header key")
    content, position = _read_bytes(data, position, end, "header value")
    if name is None:
        raise MalformedRecord("a header has no key")
    return (name.decode(errors="replace"), content), position  # as in Java: not every writer checks for UTF-8


def _read_bytes(data: bytes, position: int, end: int, field: str) -> tuple[bytes | None, int]:
    length, position = _read_varint(data, position)
    if length == -1:
        return None, position
    if length < 0 or position + length > end:
        raise MalformedRecord(f"the {field} of {length} bytes ends past the end of its record")
    return data[position : position + length], position + length


def _read_varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    try:
        while (byte := data[position]) >= 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
            position += 1
    except IndexError:
        raise MalformedRecord("the batch ends in the middle of a varint") from None
    value |= byte << shift
    if value >> 64:
        raise MalformedRecord("a varint does not fit into 64 bits")
    return (value >> 1) ^ -(value & 1), position + 1
