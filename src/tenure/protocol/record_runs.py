"""Walk over the records of a batch with the cheapest method.

Most producers write runs: records of the same shape, whose framing differs only in times and in offset deltas that
count up. The first record of a run is walked. Of the others, each byte of the framing is compared as one column, with a
few slices for all records. The rest is walked with numpy if it is large, else one by one.
"""

from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

from tenure.limits.protocol import BATCH_HEADERS_MAX
from tenure.protocol.record_walk import (
    Walked,
    behind_value,
    behind_varint,
    decoded,
    together,
    walk_records,
    walk_some,
)
from tenure.protocol.records import MalformedRecord, TooManyHeaders

WORTH_IT: Final = 16
"""Minimum length of a run; shorter ones are walked one by one."""
_SHORT_MAX: Final = 2
"""Number of short runs after which no more are tried.

A single one may end where a timestamp became longer; two show that the records differ.
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
"""Values by number of bytes of the varints: their limit, and each of their bytes, from offset delta 0 on."""


_ONE_BY_ONE: Final = 1_024
"""Records, or headers, that are walked one by one before others are served: a millisecond."""

_COLUMNS_FROM: Final = 120
"""Records from which on numpy's fixed cost is less than Python's per record (measured)."""


def walk(data: bytes, position: int, end: int, count: int) -> Walked:
    """Check `count` records, at least one, that fill `data` from `position` to `end`. Raises MalformedRecord."""
    if count <= WORTH_IT:
        return walk_records(data, position, end, count)
    parts, first, short = [], 0, 0
    while short < _SHORT_MAX and count - first > WORTH_IT and (run := walk_run(data, position, end, count, first)):
        parts.append(run.walked)
        first, position, short = first + run.records, run.end, short + (run.records < WORTH_IT)
    rest = count - first
    if rest >= _COLUMNS_FROM:
        from tenure.protocol.columnar.check import walk_columns  # a broker listens before it has numpy

        if found := walk_columns(data, position, end, rest, first):
            return together([*parts, found])
    if rest:
        parts.append(walk_records(data, position, end, rest, first))
    elif position != end:
        raise MalformedRecord(f"there are {end - position} bytes after {count} records")
    return together(parts)


def walk_in_steps(data: bytes, position: int, end: int, count: int) -> Generator[None, None, Walked]:
    """Walk a batch of any size, as `walk` does.

    Yield every few milliseconds. Raises MalformedRecord, and TooManyHeaders.
    """
    parts: list[Walked] = []
    first = headers = stop = 0
    for walked, stop, records in _parts(data, position, end, count):  # noqa: B007 - compared at the end
        parts.append(walked)
        first += records
        headers += walked.headers
        if headers > BATCH_HEADERS_MAX:
            raise TooManyHeaders(f"its records have more than {BATCH_HEADERS_MAX} headers")
        if first < count:
            yield
    if stop != end:
        raise MalformedRecord(f"there are {end - stop} bytes after {first} records")
    return parts[0] if len(parts) == 1 else together(parts)


def _parts(data: bytes, position: int, end: int, count: int) -> Iterator[tuple[Walked, int, int]]:
    """Yield the parts of a batch: runs first, then stretches of columns, else some records one by one."""
    first, short = 0, 0
    while short < _SHORT_MAX and count - first > WORTH_IT and (run := walk_run(data, position, end, count, first)):
        yield run.walked, run.end, run.records
        first, position, short = first + run.records, run.end, short + (run.records < WORTH_IT)
    if count - first >= _COLUMNS_FROM:
        from tenure.protocol.columnar.check import walk_stretches

        for part in walk_stretches(data, position, end, count - first, first):
            yield part
            position, first = part[1], first + part[2]
    while first < count:
        part = walk_some(data, position, end, min(_ONE_BY_ONE, count - first), first, _ONE_BY_ONE)
        yield part
        position, first = part[1], first + part[2]


class Run(NamedTuple):
    records: int
    end: int
    walked: Walked


def walk_run(data: bytes, position: int, end: int, count: int, first: int) -> Run | None:
    """Check from record `first` of `count`, which begins at `position`, as far as the next ones have the same shape.

    Return None if that is not worth it, or if `walk_records` has to find the error, if there is one.
    """
    try:
        time_at = behind_varint(data, position) + 1
        offset_at = behind_varint(data, time_at)
        key_at = behind_varint(data, offset_at)
        value_at = behind_value(data, key_at)
        headers_at = behind_value(data, value_at)
        size = headers_at + 1 - position
        one = walk_records(data, position, position + size, 1, first)
        fixed = [*range(position, time_at - 1), *range(key_at, behind_varint(data, key_at))]
        fixed += [*range(value_at, behind_varint(data, value_at)), headers_at]
    except (MalformedRecord, IndexError):
        return None
    until, deltas = _OFFSET_DELTAS.get(key_at - offset_at, (0, ()))
    more = min(count, until, first + (end - position) // size) - first - 1
    if more < 0:
        return None
    for at in fixed:
        more = _alike(data[at + size : position + size * (more + 1) : size], data[at : at + 1])
    for at in range(time_at, offset_at - 1):
        more = _alike(data[at + size : position + size * (more + 1) : size], _CONTINUED)
    more = _alike(data[offset_at - 1 + size : position + size * (more + 1) : size], _ENDED)
    stop = position + size * (more + 1)
    for at, known in zip(range(offset_at, key_at), deltas, strict=False):
        if data[at + size : stop : size] != known[first + 1 : first + 1 + more]:
            return None
    deltas_ms = _times([data[at:stop:size] for at in range(time_at, offset_at)])
    return Run(more + 1, stop, one._replace(oldest_delta_ms=min(deltas_ms), newest_delta_ms=max(deltas_ms)))


def _alike(column: bytes, wanted: bytes) -> int:
    """Return the number of leading bytes that are among these."""
    if wanted is _ENDED and column.isascii():
        return len(column)
    return len(column) - len(column.lstrip(wanted))


def _times(columns: list[bytes]) -> list[int]:
    """Return the distinct values of varints whose first bytes are the first column, and so on."""
    if len(columns) == 1:
        return [(time >> 1) ^ -(time & 1) for time in set(columns[0])]
    return [decoded(bytes(time)) for time in set(zip(*columns, strict=True))]
