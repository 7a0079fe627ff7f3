"""Search for the start of each record, for `decode`.

A record begins with its length, so the start of the next record is known only after this length was read. Following the
lengths one by one takes one iteration of a Python loop per record. It is faster to follow them in hundreds of sections
of the data at the same time: each step takes a few numpy calls and finds one more record in every section.

A small batch is one section. A large batch is divided:

- *Guess.* At equal distances in the batch, search for bytes that look like the start of a record: the attributes are 0,
  and the next record has an offset delta that is greater by one. Producers write offset deltas without gaps. So the
  difference of the offset deltas at two guesses is the number of records between them. A section begins at each guess.
- *Prove.* Follow the lengths in each section for its number of records. If they end exactly where the next section
  begins, and those of the last section at the end of the batch, each guess was the start of a record.
- *Otherwise* follow the lengths of the whole batch one by one. A wrong guess costs time, but does not lead to a wrong
  result.
"""

from array import array
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np

from tenure.limits.protocol import ARROW_BUFFER_BYTES_MAX
from tenure.protocol.columnar.table import INT64_MAX, RECORD_BYTES_MIN, Bytes, Ints, SuspectData, Table
from tenure.protocol.message import Data

Bools = np.ndarray[Any, np.dtype[np.bool_]]

_PARALLEL_SECTIONS_MIN: Final = 40
"""Smallest number of sections that are followed together. For fewer, a Python loop is faster (measured)."""
_DIVIDED_FROM: Final = 2_000
"""Smallest number of records of a response for which large batches are divided. For fewer records, this takes longer
than it saves (measured)."""


def record_starts(table: Table, raw: Bytes) -> Ints:
    counts = table.counts
    if (counts * RECORD_BYTES_MIN > table.end - table.start).any():
        raise SuspectData
    first = np.cumsum(counts) - counts
    starts = np.empty(int(counts.sum()), np.int64)
    is_proven = _walk_in_sections(table, raw, first, starts)
    for batch in np.flatnonzero(~is_proven).tolist():
        slot, count = int(first[batch]), int(counts[batch])
        starts[slot : slot + count], end = follow(table.buffer, int(table.start[batch]), count)
        if end != table.end[batch]:
            raise SuspectData
    return starts


def _walk_in_sections(table: Table, raw: Bytes, first: Ints, starts: Ints) -> Bools:
    """Write the starts of records into `starts`, and return a mask of the batches for which these starts are proven.

    Batches with a very long section are left out: after the ends of the other sections, it would be followed alone,
    which takes longer than a Python loop.
    """
    if len(starts) < min(_DIVIDED_FROM, _PARALLEL_SECTIONS_MIN * table.counts.max()):
        return np.zeros(len(first), np.bool_)
    sections = _sections(table, raw, first)
    is_proven = np.ones(len(first), np.bool_)
    is_proven[sections.batch[sections.counts * _PARALLEL_SECTIONS_MIN > len(starts)]] = False
    sections = _Sections(*(column[is_proven[sections.batch]] for column in sections))
    if not len(sections.counts) or sections.counts.sum() < _PARALLEL_SECTIONS_MIN * sections.counts.max():
        return np.zeros(len(first), np.bool_)
    is_proven[sections.batch[~_walk_in_parallel(sections, raw, starts)]] = False
    return is_proven


def follow(buffer: Data, position: int, count: int) -> tuple[Ints, int]:
    """Return the starts of `count` records, and the end of the last one. The first record begins at `position`.

    Lengths of one and two bytes are decoded inline, because nearly all are that short. Raises IndexError if a record
    ends beyond the buffer, and SuspectData if a length has more than 32 bits.
    """
    starts = array("q")
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
    return np.frombuffer(starts, np.int64), position


def _end_of_long_record(buffer: Data, position: int) -> int:
    length = shift = 0
    while (byte := buffer[position]) >= 0x80:
        length |= (byte & 0x7F) << shift
        shift += 7
        position += 1
        if shift > 28:  # a length has 32 bits
            raise SuspectData
    length |= byte << shift
    return position + 1 + (length >> 1)


# --- many sections at the same time -----------------------------------------------------------------------------------


class _Sections(NamedTuple):
    """Columns of all sections, in order. A section has the records of a whole batch, or of a part of one."""

    start: Ints
    end: Ints
    counts: Ints
    slot: Ints
    """Index of each section's first record among the records of all batches."""
    batch: Ints


_INVALID_SIZE: Final = ARROW_BUFFER_BYTES_MAX + 1
"""Record size to assume for bytes that cannot be a record. A section with such a record ends beyond the buffer, so it
proves nothing."""


def _walk_in_parallel(sections: _Sections, raw: Bytes, starts: Ints) -> Bools:
    """Follow all sections at the same time, one record per step. Return a mask of the sections that end as expected.

    Writes the starts of records into `starts`. Internally, the sections are sorted by their number of records, largest
    first, so the unfinished ones come first. After a wrong guess, a position may be anywhere. Positions beyond the end
    of the buffer are replaced by the last one before reading.
    """
    order = np.argsort(-sections.counts, kind="stable")
    slot = sections.slot[order]
    position = sections.start[order]
    pairs = sliding_words(raw, np.uint16)
    last = len(raw) - RECORD_BYTES_MIN
    going_on = len(order) - np.searchsorted(
        sections.counts[order][::-1], np.arange(sections.counts.max()), side="right"
    )
    for step, width in enumerate(going_on.tolist()):
        at = position[:width]
        starts[slot[:width] + step] = at
        readable = np.minimum(at, last)
        size = _SIZE_OF_RECORD.take(pairs[readable])
        if not size.all():
            long = np.flatnonzero(size == 0)
            size[long] = _size_of_long(raw, readable[long])
        at += size
    proven = np.empty(len(order), np.bool_)
    proven[order] = position == sections.end[order]
    return proven


def _sizes() -> Ints:
    """Return a table of record sizes. The index is the first two bytes of the record as a little-endian number.

    The size includes the length field. It is 0 if the length has more than two bytes.
    """
    low, high = np.arange(0x10000) & 0xFF, np.arange(0x10000) >> 8
    width = np.where(low < 0x80, 1, 2)
    zigzag = np.where(low < 0x80, low, high << 7 | low & 0x7F)
    size = np.where(
        (zigzag & 1 == 0) & (width + (zigzag >> 1) >= RECORD_BYTES_MIN), width + (zigzag >> 1), _INVALID_SIZE
    )
    return np.where((low < 0x80) | (high < 0x80), size, 0)


_SIZE_OF_RECORD: Final = _sizes()


def _size_of_long(raw: Bytes, at: Ints) -> Ints:
    size = np.full(len(at), _INVALID_SIZE)
    rows = np.flatnonzero(_ends_soon(raw, at))
    length, behind = varints(raw, at[rows])
    size[rows] = np.where(length >= RECORD_BYTES_MIN, behind - at[rows] + length, _INVALID_SIZE)
    return size


# --- sections of large batches ----------------------------------------------------------------------------------------

_SECTION_RECORDS: Final = 0.5
"""Number of records per section, as a multiple of the square root of the number of all records.

More sections need more searches for guesses, and longer sections need more steps.
"""
_WINDOW_RECORDS: Final = 3
"""Number of bytes to search for the start of a record, as a multiple of the average record size."""
_LOOK_AHEAD_BYTES: Final = 24
"""Greatest size of a length and two varints.

No record start is guessed at positions nearer to the end of the buffer.
"""


def _sections(table: Table, raw: Bytes, first: Ints) -> _Sections:
    """Return the sections of all batches; large batches are divided at guessed starts of records.

    A guess without a higher offset delta than the guesses before it is dropped, so no section is empty.
    """
    start, slot, batch = table.start, first, np.arange(len(first))
    total = int(table.counts.sum())
    parts = np.where(table.header["last_delta"] + 1 == table.counts, table.counts / (_SECTION_RECORDS * total**0.5), 1)
    if total >= _DIVIDED_FROM and (parts >= 2).any():
        guessed = _guesses(table, raw, np.maximum(parts.astype(np.int64), 1))
        start = np.concatenate((start, guessed.start))
        order = np.argsort(start, kind="stable")
        start = start[order]
        batch = np.concatenate((batch, guessed.batch))[order]
        slot = np.concatenate((slot, first[guessed.batch] + guessed.offset_delta))[order]
        rising = np.concatenate(([True], slot[1:] > np.maximum.accumulate(slot)[:-1]))
        start, slot, batch = start[rising], slot[rising], batch[rising]
    is_last = np.append(batch[1:] != batch[:-1], True)
    end = np.where(is_last, table.end[batch], np.append(start[1:], 0))
    return _Sections(start, end, np.diff(np.append(slot, total)), slot, batch)


class _Guesses(NamedTuple):
    start: Ints
    offset_delta: Ints
    batch: Ints


def _guesses(table: Table, raw: Bytes, parts: Ints) -> _Guesses:
    """Return guessed starts of records: after each division point of a batch, the first position that seems to be one.

    `parts` is the number of parts of equal size into which each batch is divided. A division point has no guess if no
    position shortly after it looks like the start of a record.
    """
    batch = np.repeat(np.arange(len(parts)), parts - 1)
    number = np.arange(len(batch)) - np.repeat(np.cumsum(parts - 1) - parts, parts - 1)
    size = table.end - table.start
    cut = table.start[batch] + size[batch] * number // parts[batch]
    is_cut = parts > 1
    window = int(_WINDOW_RECORDS * size[is_cut].sum() / table.counts[is_cut].sum())
    fits = cut <= len(raw) - window
    cut, batch = cut[fits], batch[fits]
    point, within = np.divmod(np.flatnonzero(_sliding_rows(raw, window)[cut] == 0), window)
    attributes_at, batch = cut[point] + within, batch[point]

    length_bytes = 1 + (raw[attributes_at - 2] >= 0x80)
    start = attributes_at - length_bytes
    behind = start + _SIZE_OF_RECORD[sliding_words(raw, np.uint16)[start]]
    fine = (raw[attributes_at - 1] < 0x80) & (start >= table.start[batch])
    fine &= behind <= np.minimum(table.end[batch], len(raw) - _LOOK_AHEAD_BYTES)
    point, start, batch, behind = point[fine], start[fine], batch[fine], behind[fine]
    offset_delta = _offset_delta(raw, start)
    fine = (offset_delta > 0) & (offset_delta + 1 < table.counts[batch])
    fine[fine] = _offset_delta(raw, behind[fine]) == offset_delta[fine] + 1
    _, chosen = np.unique(point[fine], return_index=True)
    return _Guesses(start[fine][chosen], offset_delta[fine][chosen], batch[fine][chosen])


def _offset_delta(raw: Bytes, start: Ints) -> Ints:
    """Return the offset delta of the record at each position.

    The delta is -1 for positions without a record, and for records whose length field has more than two bytes.
    """
    offset_delta = np.full(len(start), -1)
    attributes_at = start + 1 + (raw[start] >= 0x80)
    rows = np.flatnonzero(raw[attributes_at] == 0)
    at = attributes_at[rows] + 1
    for_time = _ends_soon(raw, at)
    rows, (_, at) = rows[for_time], varints(raw, at[for_time])
    for_delta = _ends_soon(raw, at)
    offset_delta[rows[for_delta]] = varints(raw, at[for_delta])[0]
    return offset_delta


# --- varints ----------------------------------------------------------------------------------------------------------


def sliding_words(raw: Bytes, kind: type[np.integer[Any]] | str) -> Any:
    """Return a view with one value for each byte of `raw`: the value of the numpy type `kind` that begins there."""
    size = np.dtype(kind).itemsize
    return np.ndarray((len(raw) - size + 1,), kind, raw.data, strides=(1,))


def _sliding_rows(raw: Bytes, size: int) -> Any:
    """Return a view with one row for each byte of `raw`: the `size` bytes that begin there."""
    return np.ndarray((len(raw) - size + 1, size), np.uint8, raw.data, strides=(1, 1))


_HIGH_BITS: Final = np.uint64(0x8080_8080_8080_8080)


def _ends_soon(raw: Bytes, at: Ints) -> Bools:
    """Return a mask of the positions with a varint of at most eight bytes.

    At a wrongly guessed start of a record, there may be none.
    """
    kept: Bools = sliding_words(raw, np.uint64)[np.minimum(at, len(raw) - 8)] & _HIGH_BITS != _HIGH_BITS
    return kept


def varints(raw: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the zigzag varints at the given positions, and the positions after them."""
    byte = raw[at]
    at = at + 1
    value = byte.astype(np.int64)
    goes_on = byte >= 0x80
    if goes_on.any():
        second = raw[np.minimum(at, len(raw) - 1)]  # the second byte may be beyond the end if the varint has one byte
        value &= 0x7F
        value |= _SECOND[second] * goes_on
        at += goes_on
        goes_on &= second >= 0x80
        _add_higher_bytes(raw, value, at, np.flatnonzero(goes_on))
    return (value >> 1 & INT64_MAX) ^ -(value & 1), at


_SECOND: Final = (np.arange(0x100) & 0x7F) << 7


def _add_higher_bytes(raw: Bytes, value: Ints, at: Ints, rows: Ints) -> None:
    shift = 14
    while rows.size:
        byte = raw[at[rows]].astype(np.int64)
        if shift == 63 and (byte > 1).any():
            raise SuspectData
        value[rows] |= (byte & 0x7F) << shift
        at[rows] += 1
        rows = rows[byte >= 0x80]
        shift += 7
