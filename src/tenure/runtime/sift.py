"""A large chunk of a log by the column: every record's key, offset and value's place, without a Python object for each.

Only plain, uncompressed-or-not, keyed records are sifted; a chunk with transactions, or one in which anything looks
wrong, is left to the row decoder, which says what and where. Needs numpy: nothing on the start-up path may import this.
"""

import sys
from collections.abc import Collection
from typing import Any, Final

import numpy as np

from tenure.protocol.columnar_table import INT64_MAX, Doubtful, Ints, Table, read_table
from tenure.protocol.columnar_walk import record_starts, varints, words
from tenure.protocol.records import CorruptBatch, MalformedRecord

_STRETCH_ROWS: Final = 16_384
"""Decoded at once: what numpy makes on the way then stays in the processor's cache."""
_TRANSACTIONAL_OR_CONTROL: Final = 0x30


class Sifted:
    """One chunk. `keys` and `offsets` are those of every record."""

    __slots__ = ("_columns", "buffer", "keys", "offsets")

    def __init__(self, buffer: bytes, columns: "_Columns") -> None:
        self.buffer = buffer
        self._columns = columns
        places = zip(columns.key_at.tolist(), columns.key_end.tolist(), strict=True)
        self.keys: list[bytes] = [buffer[start:end] for start, end in places]
        self.offsets: list[int] = columns.offset.tolist()

    def forget_keys(self) -> None:
        """They have been taken over."""
        self.keys, self.offsets = [], []

    def values_at(self, offsets: Ints) -> tuple[list[int], list[bytes | None]]:
        """Those of the offsets, which ascend, that are in this chunk, and their values."""
        columns, buffer = self._columns, self.buffer
        first, last = np.searchsorted(offsets, (columns.offset[0], columns.offset[-1] + 1))
        wanted = offsets[first:last]
        rows = np.searchsorted(columns.offset, wanted)
        found = columns.offset[rows] == wanted
        rows, wanted = rows[found], wanted[found]
        places = zip(columns.value_at[rows].tolist(), columns.value_length[rows].tolist(), strict=True)
        return wanted.tolist(), [buffer[at : at + length] if length >= 0 else None for at, length in places]


def in_order(offsets: Collection[int]) -> Ints:
    return np.sort(np.fromiter(offsets, np.int64, len(offsets)))


def sift(chunk: bytes, other_names: bytes) -> Sifted | None:
    """None: decode it by the row. That is also for keys that begin with `other_names`, two bytes."""
    try:
        table = read_table(chunk, 0, INT64_MAX, control=True)
        if not len(table.start) or (table.header["attributes"] & _TRANSACTIONAL_OR_CONTROL).any():
            return None
        columns = _Columns(table)
    except (Doubtful, MalformedRecord, CorruptBatch, IndexError):
        return None
    if not columns.are_sound or columns.any_key_begins_with(other_names):
        return None
    return Sifted(table.buffer, columns)


class _Columns:
    def __init__(self, table: Table) -> None:
        self._raw = raw = np.frombuffer(table.buffer, np.uint8)
        starts = record_starts(table, raw)
        self.offset = np.repeat(table.header["base_offset"].astype(np.int64), table.counts)
        self.key_at, self.key_end = np.empty_like(starts), np.empty_like(starts)
        self.value_at, self.value_length = np.empty_like(starts), np.empty_like(starts)
        self.are_sound = True
        """Every record has a key, and its parts lie within it, one behind the other in rising offsets."""
        for first in range(0, len(starts), _STRETCH_ROWS):
            self._decode(starts[first : first + _STRETCH_ROWS], slice(first, first + _STRETCH_ROWS))
        self.are_sound &= bool((np.diff(self.offset) > 0).all())

    def any_key_begins_with(self, prefix: bytes) -> bool:
        pairs = words(self._raw, np.uint16)
        return bool((pairs[self.key_at] == int.from_bytes(prefix, sys.byteorder)).any())

    def _decode(self, starts: Ints, rows: slice) -> None:
        raw = self._raw
        length, at = varints(raw, starts)
        end = at + length
        _, at = varints(raw, at + 1)  # the timestamp, behind the attributes
        offset_delta, at = varints(raw, at)
        key_length, key_at = varints(raw, at)
        key_end = key_at + key_length
        readable: Any = np.minimum(key_end, len(raw) - 1)
        value_length, value_at = varints(raw, readable)
        sound = (key_length >= 2) & (offset_delta >= 0) & (key_end < end) & (value_length >= -1)
        sound &= value_at + np.maximum(value_length, 0) < end
        self.are_sound &= bool(sound.all())
        self.offset[rows] += offset_delta
        self.key_at[rows], self.key_end[rows] = key_at, key_end
        self.value_at[rows], self.value_length[rows] = value_at, value_length
