"""Check of the records of a batch with the fastest method.

Most producers write runs. A run is a sequence of records without headers, in which all records have the same lengths of
key, value and deltas. The first record of a run is read, and the other records may differ from it only in key, value,
timestamp delta and offset delta, and the offset deltas must ascend. So all records of a run are checked together, byte
by byte: a slice with a step selects the byte at one position of every record. The rest of the batch is checked with
numpy if it is large, else record by record.

The compiled build checks a record in a twentieth of the time. There, runs save time in large batches only, and numpy
never does.
"""

import sys
from collections.abc import Generator, Iterator
from types import FunctionType
from typing import Final

from tenure.limits.protocol import BATCH_HEADERS_MAX
from tenure.protocol.record_walk import (
    CheckedRecords,
    behind_varint,
    decoded,
    read_varint,
    together,
    value_bounds,
    walk_records,
    walk_some,
)
from tenure.protocol.records import MalformedRecord, TooManyHeaders

_IS_COMPILED: Final = not isinstance(walk_records, FunctionType)

RUN_RECORDS_MIN: Final = 256 if _IS_COMPILED else 4
"""Minimum number of records of a run. If at most this number of records remain, no run is tried. A run with fewer
records counts as short.

A run takes as long as five records that are checked one by one, or as a hundred in the compiled build (measured).
"""
_SHORT_MAX: Final = 2
"""Number of short runs after which no further ones are tried.

One short run may end because a timestamp needs more bytes; after two, the records seem to differ.
"""
_CONTINUED: Final = bytes(range(0x80, 0x100))
_ENDED: Final = bytes(range(0x80))
_LOW: Final = bytes(range(0, 0x80, 2)) * 256
_MIDDLE: Final = b"".join([bytes([n & 0x7F]) * 64 for n in range(256)])
_HIGH: Final = bytes(1 << 13) + b"\x01" * (1 << 13)
_TO_CONTINUED: Final = bytes([byte | 0x80 for byte in range(0x100)])
_OFFSET_DELTAS: Final = {
    1: (1 << 6, (_LOW,)),
    2: (1 << 13, (_LOW.translate(_TO_CONTINUED), _MIDDLE)),
    3: (1 << 14, (_LOW.translate(_TO_CONTINUED), _MIDDLE.translate(_TO_CONTINUED), _HIGH)),
}
"""Varints of all offset deltas, by the size of the varint in bytes.

An entry is (limit, columns). Deltas from `limit` on need more bytes. `columns[i][delta]` is byte i of the varint.
"""


_ONE_BY_ONE: Final = 1_024
"""Records, or headers, that are checked one by one in one step; that takes about a millisecond."""

COLUMNS_FROM: Final = sys.maxsize if _IS_COMPILED else 120
"""Smallest number of remaining records that are checked by numpy. For fewer, a Python loop is faster (measured)."""


def walk(data: bytes, position: int, end: int, count: int) -> CheckedRecords:
    """Check `count` records, at least one, that occupy `data` from `position` to `end`. Return the facts about them.

    Raises MalformedRecord.
    """
    if count <= RUN_RECORDS_MIN:
        return walk_records(data, position, end, count)
    parts, first, short = [], 0, 0
    while (
        short < _SHORT_MAX and count - first > RUN_RECORDS_MIN and (run := walk_run(data, position, end, count, first))
    ):
        walked, position, records = run
        parts.append(walked)
        first, short = first + records, short + (records < RUN_RECORDS_MIN)
    rest = count - first
    if rest >= COLUMNS_FROM:
        from tenure.protocol.columnar.check import walk_columns  # imported late: numpy would slow down the start

        if found := walk_columns(data, position, end, rest, first):
            return together([*parts, found])
    if rest:
        parts.append(walk_records(data, position, end, rest, first))
    elif position != end:
        raise MalformedRecord(f"{end - position} bytes are left after {count} records")
    return parts[0] if len(parts) == 1 else together(parts)


def walk_in_steps(data: bytes, position: int, end: int, count: int) -> Generator[None, None, CheckedRecords]:
    """Check a batch of any size as `walk` does, and yield every few milliseconds.

    Raises MalformedRecord, and TooManyHeaders.
    """
    parts: list[CheckedRecords] = []
    first = headers = stop = 0
    for walked, stop, records in _parts(data, position, end, count):  # noqa: B007 - compared at the end
        parts.append(walked)
        first += records
        headers += walked.headers
        if headers > BATCH_HEADERS_MAX:
            raise TooManyHeaders(f"the records of the batch have more than {BATCH_HEADERS_MAX} headers")
        if first < count:
            yield
    if stop != end:
        raise MalformedRecord(f"{end - stop} bytes are left after {first} records")
    return parts[0] if len(parts) == 1 else together(parts)


def _parts(data: bytes, position: int, end: int, count: int) -> Iterator[tuple[CheckedRecords, int, int]]:
    """Yield the parts of a batch as they are checked.

    The first parts are runs: records without headers, whose fields have the same lengths. The rest is checked by numpy,
    or record by record if it is small or seems invalid.
    """
    first, short = 0, 0
    while (
        short < _SHORT_MAX and count - first > RUN_RECORDS_MIN and (run := walk_run(data, position, end, count, first))
    ):
        yield run
        _, position, records = run
        first, short = first + records, short + (records < RUN_RECORDS_MIN)
    if count - first >= COLUMNS_FROM:
        from tenure.protocol.columnar.check import walk_parts

        for part in walk_parts(data, position, end, count - first, first):
            yield part
            position, first = part[1], first + part[2]
    while first < count:
        part = walk_some(data, position, end, min(_ONE_BY_ONE, count - first), first, _ONE_BY_ONE)
        yield part
        position, first = part[1], first + part[2]


def walk_run(data: bytes, position: int, end: int, count: int, first: int) -> tuple[CheckedRecords, int, int] | None:
    """Check a run: records with fields of the same lengths, without headers. Return facts, end and number of records.

    The run begins at `position`, with record `first` of the batch's `count` records, and ends before the first record
    that differs. Return None if no run begins there, or if the records seem invalid. The caller must then check them
    one by one, which finds the error if there is one.
    """
    try:
        length, time_at = read_varint(data, position)
        next_at = time_at + (length >> 1)
        if data[next_at : next_at + time_at - position] != data[position:time_at]:
            return None  # the next record has another length
        offset_at = behind_varint(data, time_at + 1)  # after the attributes: none are defined
        key_at = behind_varint(data, offset_at)
        key_from, value_at = value_bounds(data, key_at)
        value_from, headers_at = value_bounds(data, value_at)
        if data[headers_at] or headers_at + 1 != next_at or length & 1:
            return None
    except (MalformedRecord, IndexError):
        return None
    size = next_at - position
    until, deltas = _OFFSET_DELTAS.get(key_at - offset_at, (0, ()))
    stop = position + size * min(count - first, until - first, (end - position) // size)
    if stop <= position:
        return None
    # Each loop ends the run before the first record that differs from the first one.
    for at in (*range(position, time_at), *range(key_at, key_from), *range(value_at, value_from), headers_at):
        if differing := data[at:stop:size].lstrip(data[at : at + 1]):
            stop -= size * len(differing)
    for at in range(time_at + 1, offset_at - 1):
        stop -= size * len(data[at:stop:size].lstrip(_CONTINUED))
    if not data[offset_at - 1 : stop : size].isascii():
        stop -= size * len(data[offset_at - 1 : stop : size].lstrip(_ENDED))
    records = (stop - position) // size
    for at, known in zip(range(offset_at, key_at), deltas, strict=True):
        if data[at:stop:size] != known[first : first + records]:
            return None
    deltas_ms = _distinct_deltas_ms([data[at:stop:size] for at in range(time_at + 1, offset_at)])
    return CheckedRecords(min(deltas_ms), max(deltas_ms), data[key_at] & 1 != 0, True), stop, records


def _distinct_deltas_ms(columns: list[bytes]) -> list[int]:
    """Return the distinct timestamp deltas of a run. All their varints have the same number of bytes.

    `columns[i]` has byte i of each varint.
    """
    if len(columns) == 1:
        return [(time >> 1) ^ -(time & 1) for time in set(columns[0])]
    return [decoded(bytes(time)) for time in set(zip(*columns, strict=True))]
