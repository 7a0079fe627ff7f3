"""Check of large batches with numpy, one field of all records at a time. The results are those of `record_walk`.

The module needs numpy, so no module that the broker loads at its start may import it.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tenure.protocol.columnar.table import RECORD_BYTES_MIN, Bytes, Ints, SuspectData
from tenure.protocol.columnar.walk import follow, varints
from tenure.protocol.record_walk import INT_BYTES_MAX, CheckedRecords, together

_PART_RECORDS: Final = 16_384
"""Number of records that are checked at a time, because a batch may decompress into any number of records."""
_HEADERS_MAX: Final = 64
"""Largest number of headers per record for this check, because each header costs several calls of numpy."""


def walk_columns(data: bytes, position: int, end: int, count: int, first: int = 0) -> CheckedRecords | None:
    """Check records as `walk_records` does, with the same arguments.

    Return None if a record seems invalid, or if the last record does not end at `end`. Then the caller has to call
    `walk_records`, which finds the error.
    """
    parts, stop, records = [], position, 0
    for walked, stop, more in walk_parts(data, position, end, count, first):  # noqa: B007 - compared at the end
        parts.append(walked)
        records += more
    return together(parts) if records == count and stop == end else None


def walk_parts(
    data: bytes, position: int, end: int, count: int, first: int = 0
) -> Iterator[tuple[CheckedRecords, int, int]]:
    """Check records in parts. Yield the facts about each part, the end of its last record, and its number of records.

    The arguments are those of `walk_some` except `headers_max`. If a record seems invalid, stop before the part that
    contains it. Then the caller has to pass the rest to `walk_some`, which finds the error.
    """
    if count * RECORD_BYTES_MIN > end - position:  # the bytes after `end` may be records of another batch
        return
    raw = np.frombuffer(data, np.uint8)
    try:
        for number in range(first, first + count, _PART_RECORDS):
            records = min(_PART_RECORDS, first + count - number)
            start, position = follow(data, position, records)
            yield _check_part(raw, start, number), position, records
    except (SuspectData, IndexError):
        return


def _check_part(raw: Bytes, start: Ints, first: int) -> CheckedRecords:
    length, at = _ints(raw, start)
    end = at + length
    delta_ms, at = varints(raw, at + 1)  # after the attributes: none are defined
    offset_delta, at = _ints(raw, at)
    key_length, at = _ints(raw, at)
    value_length, at = _ints(raw, at + np.maximum(key_length, 0))
    header_count, at = _ints(raw, at + np.maximum(value_length, 0))
    headers = int(header_count.sum())
    if headers:
        at = _behind_headers(raw, at, header_count)
    if (at != end).any() or min(length.min(), key_length.min() + 1, value_length.min() + 1) < 0:
        raise SuspectData
    counts_up = np.array_equal(offset_delta, np.arange(first, first + len(start)))
    return CheckedRecords(int(delta_ms.min()), int(delta_ms.max()), bool(key_length.min() < 0), counts_up, headers)


def _behind_headers(raw: Bytes, at: Ints, count: Ints) -> Ints:
    if count.min() < 0 or count.max() > _HEADERS_MAX:
        raise SuspectData
    for number in range(count.max()):
        rows = np.flatnonzero(count > number)
        name_length, behind = _ints(raw, at[rows])
        value_length, behind = _ints(raw, behind + np.maximum(name_length, 0))
        if name_length.min() < 0 or value_length.min() < -1:
            raise SuspectData
        at[rows] = behind + np.maximum(value_length, 0)
    return at


def _ints(raw: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the 32-bit varints at the given positions, and the positions after them.

    Raises SuspectData for a varint of five bytes, because it may have more than 32 bits.
    """
    values, behind = varints(raw, at)
    if (behind - at).max() >= INT_BYTES_MAX:
        raise SuspectData
    return values, behind
