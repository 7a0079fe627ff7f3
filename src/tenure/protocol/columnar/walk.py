"""Search for the start of each record: the only serial part of `decode`, divided into independent pieces.

Where a record begins depends on the length of the one before. Walking one chain of lengths costs an iteration
of Python's loop per record. Walking hundreds of chains in parallel costs a few numpy calls per step. Many small
batches are many chains. A few large ones are made into many:

- *Guess.* At even distances in a large batch the bytes are searched for what looks like a record start: no attributes,
  and an offset delta that the record after it continues. A batch whose offset deltas count up without gaps, as a
  producer writes them, so tells how many records lie between two guesses.
- *Prove.* The piece between two guesses is walked from the first, for that many records, and must end exactly where the
  second begins. The first piece of a batch begins with the batch and the last ends with it: when all pieces of a batch
  end where they should, then, from one to the next, every guess was a record start.
- *Else* the batch is walked record by record: values that look like records cost time, and never a row.
"""

from array import array
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np

from tenure.limits.protocol import ARROW_BUFFER_BYTES_MAX
from tenure.protocol.columnar.table import INT64_MAX, RECORD_BYTES_MIN, Bytes, Doubtful, Ints, Table
from tenure.protocol.message import Data

Bools = np.ndarray[Any, np.dtype[np.bool_]]

_ABREAST_MIN: Final = 40
"""Chains walked abreast from which on numpy's fixed cost per step is less than Python's per record (measured)."""
_CUT_FROM: Final = 2_000
"""Records from which on cutting costs less than it saves (measured)."""


def record_starts(table: Table, raw: Bytes) -> Ints:
    counts = table.counts
    if (counts * RECORD_BYTES_MIN > table.end - table.start).any():
        raise Doubtful
    first = np.cumsum(counts) - counts
    starts = np.empty(int(counts.sum()), np.int64)
    is_proven = _walk_in_pieces(table, raw, first, starts)
    for batch in np.flatnonzero(~is_proven).tolist():
        slot, count = int(first[batch]), int(counts[batch])
        starts[slot : slot + count], end = follow(table.buffer, int(table.start[batch]), count)
        if end != table.end[batch]:
            raise Doubtful
    return starts


def _walk_in_pieces(table: Table, raw: Bytes, first: Ints, starts: Ints) -> Bools:
    """Fill `starts`, and return a mask of the batches whose starts are proven.

    Batches with a very long piece are left out: that piece would be walked alone, which costs more than Python's loop.
    """
    if len(starts) < min(_CUT_FROM, _ABREAST_MIN * table.counts.max()):
        return np.zeros(len(first), np.bool_)
    pieces = _pieces(table, raw, first)
    is_proven = np.ones(len(first), np.bool_)
    is_proven[pieces.batch[pieces.counts * _ABREAST_MIN > len(starts)]] = False
    pieces = _Pieces(*(column[is_proven[pieces.batch]] for column in pieces))
    if not len(pieces.counts) or pieces.counts.sum() < _ABREAST_MIN * pieces.counts.max():
        return np.zeros(len(first), np.bool_)
    is_proven[pieces.batch[~_walk_abreast(pieces, raw, starts)]] = False
    return is_proven


def follow(buffer: Data, position: int, count: int) -> tuple[Ints, int]:
    """Return the starts of `count` records, and the end of the last, one by one.

    Lengths of one and two bytes are decoded inline, because nearly all are. Raises IndexError.
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
            raise Doubtful
    length |= byte << shift
    return position + 1 + (length >> 1)


# --- many chains abreast ----------------------------------------------------------------------------------------------


class _Pieces(NamedTuple):
    """Chains of records, in order: where they begin and end, whole batches or parts of them."""

    start: Ints
    end: Ints
    counts: Ints
    slot: Ints
    """Number of records in all earlier batches."""
    batch: Ints


_RUNS_AWAY: Final = ARROW_BUFFER_BYTES_MAX + 1
"""Size of bytes that cannot be a record: the chain then ends after all buffers, so no start is proven by it."""


def _walk_abreast(pieces: _Pieces, raw: Bytes, starts: Ints) -> Bools:
    """Fill `starts`, one record of each piece per step; return a mask of the pieces that end at the expected position.

    Pieces are sorted by length, longest first, so the unfinished ones are always a prefix. A piece that starts at a
    wrong guess may reach any position, but reads never leave the buffer: positions near its end are clamped.
    """
    order = np.argsort(-pieces.counts, kind="stable")
    slot = pieces.slot[order]
    position = pieces.start[order]
    pairs = words(raw, np.uint16)
    last = len(raw) - RECORD_BYTES_MIN
    going_on = len(order) - np.searchsorted(pieces.counts[order][::-1], np.arange(pieces.counts.max()), side="right")
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
    proven[order] = position == pieces.end[order]
    return proven


def _sizes() -> Ints:
    """Return the size of a record with its length by its first two bytes.

    The low byte is first; 0 if the length has more bytes.
    """
    low, high = np.arange(0x10000) & 0xFF, np.arange(0x10000) >> 8
    width = np.where(low < 0x80, 1, 2)
    zigzag = np.where(low < 0x80, low, high << 7 | low & 0x7F)
    size = np.where((zigzag & 1 == 0) & (width + (zigzag >> 1) >= RECORD_BYTES_MIN), width + (zigzag >> 1), _RUNS_AWAY)
    return np.where((low < 0x80) | (high < 0x80), size, 0)


_SIZE_OF_RECORD: Final = _sizes()


def _size_of_long(raw: Bytes, at: Ints) -> Ints:
    size = np.full(len(at), _RUNS_AWAY)
    rows = np.flatnonzero(_ends_soon(raw, at))
    length, behind = varints(raw, at[rows])
    size[rows] = np.where(length >= RECORD_BYTES_MIN, behind - at[rows] + length, _RUNS_AWAY)
    return size


# --- pieces of large batches ------------------------------------------------------------------------------------------

_PIECE_RECORDS: Final = 0.5
"""Records of a piece, as a multiple of the square root of all: each piece costs a search, a longer one more steps."""
_WINDOW_RECORDS: Final = 3
"""Average records that are searched for a start before a guess is given up."""
_LOOK_AHEAD_BYTES: Final = 24
"""Maximum size of two varints and a length: positions nearer to the end of the buffer are no guesses."""


def _pieces(table: Table, raw: Bytes, first: Ints) -> _Pieces:
    """Return the batches, large ones cut at apparent record starts.

    A guess that does not count more records than the ones before it is dropped, so no piece is empty.
    """
    start, slot, batch = table.start, first, np.arange(len(first))
    total = int(table.counts.sum())
    parts = np.where(table.header["last_delta"] + 1 == table.counts, table.counts / (_PIECE_RECORDS * total**0.5), 1)
    if total >= _CUT_FROM and (parts >= 2).any():
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
    return _Pieces(start, end, np.diff(np.append(slot, total)), slot, batch)


class _Guesses(NamedTuple):
    start: Ints
    offset_delta: Ints
    batch: Ints


def _guesses(table: Table, raw: Bytes, parts: Ints) -> _Guesses:
    """Divide each batch at points of equal distance, and return where a record seems to begin after each of them.

    `parts` contains the number of parts of each batch.
    """
    batch = np.repeat(np.arange(len(parts)), parts - 1)
    number = np.arange(len(batch)) - np.repeat(np.cumsum(parts - 1) - parts, parts - 1)
    size = table.end - table.start
    cut = table.start[batch] + size[batch] * number // parts[batch]
    is_cut = parts > 1
    window = int(_WINDOW_RECORDS * size[is_cut].sum() / table.counts[is_cut].sum())
    fits = cut <= len(raw) - window
    cut, batch = cut[fits], batch[fits]
    point, within = np.divmod(np.flatnonzero(_runs(raw, window)[cut] == 0), window)
    attributes_at, batch = cut[point] + within, batch[point]

    length_bytes = 1 + (raw[attributes_at - 2] >= 0x80)
    start = attributes_at - length_bytes
    behind = start + _SIZE_OF_RECORD[words(raw, np.uint16)[start]]
    fine = (raw[attributes_at - 1] < 0x80) & (start >= table.start[batch])
    fine &= behind <= np.minimum(table.end[batch], len(raw) - _LOOK_AHEAD_BYTES)
    point, start, batch, behind = point[fine], start[fine], batch[fine], behind[fine]
    offset_delta = _offset_delta(raw, start)
    fine = (offset_delta > 0) & (offset_delta + 1 < table.counts[batch])
    fine[fine] = _offset_delta(raw, behind[fine]) == offset_delta[fine] + 1
    _, chosen = np.unique(point[fine], return_index=True)
    return _Guesses(start[fine][chosen], offset_delta[fine][chosen], batch[fine][chosen])


def _offset_delta(raw: Bytes, start: Ints) -> Ints:
    """Return the offset delta of a record at each position; -1 if there is none with at most two bytes of length."""
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


def words(raw: Bytes, kind: type[np.integer[Any]] | str) -> Any:
    """Return a view of the word at each position of `raw`, aligned or not, without a copy."""
    size = np.dtype(kind).itemsize
    return np.ndarray((len(raw) - size + 1,), kind, raw.data, strides=(1,))


def _runs(raw: Bytes, size: int) -> Any:
    """Return a view of `size` bytes from each position of `raw`."""
    return np.ndarray((len(raw) - size + 1, size), np.uint8, raw.data, strides=(1, 1))


_HIGH_BITS: Final = np.uint64(0x8080_8080_8080_8080)


def _ends_soon(raw: Bytes, at: Ints) -> Bools:
    """Return which varints end within eight bytes; the bytes at a guess may be anything."""
    kept: Bools = words(raw, np.uint64)[np.minimum(at, len(raw) - 8)] & _HIGH_BITS != _HIGH_BITS
    return kept


def varints(raw: Bytes, at: Ints) -> tuple[Ints, Ints]:
    """Return the zigzag varints at these positions, and the positions after them."""
    byte = raw[at]
    at = at + 1
    value = byte.astype(np.int64)
    goes_on = byte >= 0x80
    if goes_on.any():
        second = raw[np.minimum(at, len(raw) - 1)]  # what a varint of one byte does not need may lie past the end
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
            raise Doubtful
        value[rows] |= (byte & 0x7F) << shift
        at[rows] += 1
        rows = rows[byte >= 0x80]
        shift += 7
