"""Check of the records of a batch, without creating objects; returns the facts that the broker needs.

Each Produce request waits for this check, so it is written for speed. For example, it compares numbers in their zigzag
form, without decoding them. For batches of many records, `columnar.check` does the same faster.
"""

from typing import Final, NamedTuple

from tenure.limits.protocol import RECORD_HEADERS_MAX
from tenure.protocol.records import MalformedRecord

INT_BYTES_MAX: Final = 5
"""Maximum number of bytes of a varint of 32 bits."""
LONG_BYTES_MAX: Final = 10
NO_LIMIT: Final = 1 << 61
"""Value of `headers_max` for no limit. The compiled build needs a Python object for numbers of more than 62 bits."""
_NULL: Final = 1
"""-1 in zigzag form, the length of null."""


class CheckedRecords(NamedTuple):
    """Facts about records that the broker needs, collected while it checks them."""

    oldest_delta_ms: int
    newest_delta_ms: int
    has_keyless: bool
    """True if a record has no key."""
    counts_up: bool
    """True if the offset deltas are 0, 1, 2 and so on."""
    headers: int = 0
    """Number of headers of all records together."""


def together(parts: list[CheckedRecords]) -> CheckedRecords:
    oldest_ms, newest_ms, keyless, in_order, headers = zip(*parts, strict=True)
    return CheckedRecords(min(oldest_ms), max(newest_ms), any(keyless), all(in_order), sum(headers))


def walk_records(data: bytes, position: int, end: int, count: int, first: int = 0) -> CheckedRecords:
    """Check `count` records, at least one, that occupy `data` from `position` to `end`. Return the facts about them.

    `first` is the index of the first of these records in its batch. Raises MalformedRecord.
    """
    walked, position, records = walk_some(data, position, end, count, first)
    if position != end:
        raise MalformedRecord(f"there are {end - position} bytes after {first + records} records")
    return walked


def walk_some(
    data: bytes, position: int, end: int, count: int, first: int = 0, headers_max: int = NO_LIMIT
) -> tuple[CheckedRecords, int, int]:
    """Check up to `count` records. Stop early when the checked records have more than `headers_max` headers.

    Return the facts, the end of the last checked record, and the number of checked records. Raises MalformedRecord.
    """
    try:
        return _walked(data, position, end, count, first, headers_max)
    except IndexError:
        raise MalformedRecord("the last record ends past the end of its batch") from None


def _walked(
    data: bytes, position: int, end: int, count: int, first: int, headers_max: int
) -> tuple[CheckedRecords, int, int]:
    times, has_keyless, counts_up, headers = set(), False, True, 0
    for index in range(first, first + count):
        start = position
        size, position = data[position], position + 1
        if size >= 0x80:
            size, position = _wide(data, position, size)
        stop = position + (size >> 1)
        if size & 1 or stop > end:
            raise MalformedRecord(f"record {index}, which begins at byte {start}, ends past the end of its batch")
        time, position = data[position + 1], position + 2  # after the attributes: none are defined
        if time >= 0x80:
            time, position = _wide(data, position, time, LONG_BYTES_MAX)
        times.add(time)
        offset_delta, position = data[position], position + 1
        if offset_delta >= 0x80:
            offset_delta, position = _wide(data, position, offset_delta)
        if offset_delta != index << 1:
            counts_up = False
        if data[position] & _NULL:  # a negative length, in a varint of any size
            has_keyless = True
        position = behind_value(data, behind_value(data, position))
        if data[position]:
            added, position = _behind_headers(data, position, stop)
            headers += added
        else:
            position += 1
        if position != stop:
            raise MalformedRecord(
                f"record {index}, which begins at byte {start}, should end at byte {stop}, but its fields end at "
                f"{position}"
            )
        if headers > headers_max:
            break
    deltas_ms = [(time >> 1) ^ -(time & 1) for time in times]
    return CheckedRecords(min(deltas_ms), max(deltas_ms), has_keyless, counts_up, headers), position, index + 1 - first


def behind_value(data: bytes, position: int) -> int:
    size, position = data[position], position + 1
    if size >= 0x80:
        size, position = _wide(data, position, size)
    if not size & 1:
        return position + (size >> 1)
    if size != _NULL:
        raise MalformedRecord(f"the length before byte {position} is below -1")
    return position


def _behind_headers(data: bytes, position: int, stop: int) -> tuple[int, int]:
    """Return the number of headers of a record, and the position after the last header."""
    count, position = data[position], position + 1
    if count >= 0x80:
        count, position = _wide(data, position, count)
    if count & 1 or count >> 1 > stop - position:
        raise MalformedRecord(f"the header count before byte {position} is negative or too large")
    headers = count >> 1
    if headers > RECORD_HEADERS_MAX:
        raise MalformedRecord(f"a record has {headers} headers, at most {RECORD_HEADERS_MAX} are allowed")
    for _ in range(headers):
        if data[position] & _NULL:
            raise MalformedRecord(f"the header at byte {position} has no key")
        position = behind_value(data, behind_value(data, position))
    return headers, position


def _wide(data: bytes, position: int, first: int, bytes_max: int = INT_BYTES_MAX) -> tuple[int, int]:
    """Return a varint of more than one byte as a number in zigzag form, and the position after the varint.

    `first` is the first byte of the varint, and `position` is the position of its second byte.
    """
    value, shift = first & 0x7F, 7
    while data[position] >= 0x80:
        value |= (data[position] & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if shift == 7 * bytes_max:
            raise MalformedRecord(f"the varint before byte {position} has too many bytes")
    value |= data[position] << shift
    if value >> (64 if bytes_max == LONG_BYTES_MAX else 32):
        raise MalformedRecord(f"the varint before byte {position + 1} has too many bits")
    return value, position + 1


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Return a varint of 32 bits as a number in zigzag form, and the position after the varint."""
    first, position = data[position], position + 1
    return (first, position) if first < 0x80 else _wide(data, position, first)


def value_bounds(data: bytes, position: int) -> tuple[int, int]:
    """Return the bounds of the key or value whose length is at `position`."""
    size, begin = read_varint(data, position)
    if not size & 1:
        return begin, begin + (size >> 1)
    if size != _NULL:
        raise MalformedRecord(f"the length before byte {begin} is below -1")
    return begin, begin


def behind_varint(data: bytes, position: int, bytes_max: int = LONG_BYTES_MAX) -> int:
    if data[position] < 0x80:  # nearly always
        return position + 1
    for end in range(position, position + bytes_max):
        if data[end] < 0x80:
            return end + 1
    raise MalformedRecord(f"the varint at byte {position} has too many bytes")


def decoded(varint: bytes) -> int:
    """Decode a varint of more than one byte."""
    value, _ = _wide(varint, 1, varint[0], LONG_BYTES_MAX)
    return (value >> 1) ^ -(value & 1)
