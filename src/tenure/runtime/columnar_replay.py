"""Columns of a large chunk of a log: key, offset and value of every record, without a Python object per record.

A chunk may be compressed. A chunk that has transactions or records without keys, or looks invalid, must be decoded
record by record; that decoder also reports the errors of an invalid chunk. The module needs numpy, so no module that is
loaded at the start may import it.
"""

import sys
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from tenure.protocol.batches import CorruptBatch
from tenure.protocol.columnar.table import INT64_MAX, Bytes, Ints, SuspectData, Table, read_table
from tenure.protocol.columnar.walk import record_starts, sliding_words, varints
from tenure.protocol.records import MalformedRecord

Words = np.ndarray[Any, np.dtype[np.uint64]]

_STRETCH_ROWS: Final = 16_384
"""Number of records decoded together: numpy's intermediate arrays then fit into the processor's cache."""
_TRANSACTIONAL_OR_CONTROL: Final = 0x30
_WORD_BYTES: Final = 8
_MASKS: Final = np.array([(1 << 8 * size) - 1 for size in range(_WORD_BYTES + 1)], np.uint64)
"""Mask for the first n bytes of a word, by n, in the byte order of this machine."""


class ChunkColumns:
    """Records of one chunk as columns, ascending by offset.

    `key_at`, `key_end` and `value_at` are indices into `buffer`. A value length of -1 means a tombstone.
    """

    __slots__ = ("buffer", "key_at", "key_end", "offset", "value_at", "value_length")

    def __init__(
        self, buffer: bytes, offset: Ints, key_at: Ints, key_end: Ints, value_at: Ints, value_length: Ints
    ) -> None:
        self.buffer = buffer
        self.offset = offset
        self.key_at = key_at
        self.key_end = key_end
        self.value_at = value_at
        self.value_length = value_length

    def select_rows(self, rows: Any) -> "ChunkColumns":
        """Return the selected rows, in the same buffer. `rows` is a mask, or indices in ascending order."""
        columns = (self.offset, self.key_at, self.key_end, self.value_at, self.value_length)
        return ChunkColumns(self.buffer, *(column[rows] for column in columns))

    def compact(self) -> "ChunkColumns":
        """Return the same records in a buffer of their own, so that the memory of the chunk can be freed."""
        ends = self.value_at + np.maximum(self.value_length, 0)
        places = zip(self.key_at.tolist(), ends.tolist(), strict=True)
        parts = [self.buffer[start:end] for start, end in places]
        sizes = ends - self.key_at
        key_at = np.cumsum(sizes) - sizes
        moved = key_at - self.key_at
        padding = bytes(_WORD_BYTES)
        return ChunkColumns(
            b"".join([*parts, padding]),
            self.offset,
            key_at,
            self.key_end + moved,
            self.value_at + moved,
            self.value_length,
        )

    def key_bytes(self) -> list[bytes]:
        buffer = self.buffer
        return [buffer[start:end] for start, end in zip(self.key_at.tolist(), self.key_end.tolist(), strict=True)]

    def value_bytes(self) -> list[bytes | None]:
        buffer, places = self.buffer, zip(self.value_at.tolist(), self.value_length.tolist(), strict=True)
        return [buffer[at : at + length] if length >= 0 else None for at, length in places]

    def key_words(self, bytes_max: int) -> Iterator[Words]:
        """Yield one array with the lengths of all keys, then one array for each eight bytes of the keys.

        Every array has one element per key. Bytes after the first `bytes_max` are left out; missing bytes are zeros.
        """
        raw = np.frombuffer(self.buffer, np.uint8)
        length = self.key_end - self.key_at
        shortest, longest = int(length.min()), int(length.max())
        yield length.view(np.uint64)
        for skipped in range(0, min(longest, bytes_max), _WORD_BYTES):
            if shortest >= skipped + _WORD_BYTES:
                yield sliding_words(raw, np.uint64)[self.key_at + skipped]
                continue
            word = np.zeros(len(length), np.uint64)
            rows = np.flatnonzero(length > skipped)
            word[rows] = _first_bytes(raw, self.key_at[rows] + skipped, length[rows] - skipped)
            yield word


def _first_bytes(raw: Bytes, positions: Ints, count: Ints) -> Words:
    """Return one word of eight bytes for each position in the buffer `raw`: the next `count` bytes, then zeros.

    If `count` is greater than eight, the word has eight bytes of the buffer. Near the end of the buffer, the word is
    read from an earlier position and shifted.
    """
    every = sliding_words(raw, np.uint64)
    readable = np.minimum(positions, len(every) - 1)
    shifted = every[readable] >> ((positions - readable) << 3).view(np.uint64)
    words: Words = shifted & _MASKS[np.minimum(count, _WORD_BYTES)]
    return words


def read_columns(chunk: bytes, alias_prefix: bytes) -> ChunkColumns | None:
    """Return the records of a chunk as columns; None if the chunk must be decoded record by record.

    Keys in columns are compared as bytes. This is wrong for keys that begin with the two bytes `alias_prefix`: such a
    key replaces another one with different bytes (`Codec.compaction_key`). A chunk with such a key must be decoded
    record by record, too.
    """
    try:
        table = read_table(chunk, 0, INT64_MAX, control=True)
        if not len(table.start) or (table.header["attributes"] & _TRANSACTIONAL_OR_CONTROL).any():
            return None
        columns = _Columns(table)
    except (SuspectData, MalformedRecord, CorruptBatch, IndexError):
        return None
    if not columns.are_sound or columns.any_key_begins_with(alias_prefix):
        return None
    return ChunkColumns(
        bytes(table.buffer), columns.offset, columns.key_at, columns.key_end, columns.value_at, columns.value_length
    )


class _Columns:
    def __init__(self, table: Table) -> None:
        self._raw: Bytes = np.frombuffer(table.buffer, np.uint8)
        starts = record_starts(table, self._raw)
        self.offset = np.repeat(table.header["base_offset"].astype(np.int64), table.counts)
        self.key_at, self.key_end = np.empty_like(starts), np.empty_like(starts)
        self.value_at, self.value_length = np.empty_like(starts), np.empty_like(starts)
        self.are_sound = sys.byteorder == "little"
        """True if every record has a key, and its fields lie in order within the record."""
        for first in range(0, len(starts), _STRETCH_ROWS):
            self._decode(starts[first : first + _STRETCH_ROWS], slice(first, first + _STRETCH_ROWS))
        self.are_sound &= bool((np.diff(self.offset) > 0).all())

    def any_key_begins_with(self, prefix: bytes) -> bool:
        pairs = sliding_words(self._raw, np.uint16)
        return bool((pairs[self.key_at] == int.from_bytes(prefix, sys.byteorder)).any())

    def _decode(self, starts: Ints, rows: slice) -> None:
        raw = self._raw
        length, at = varints(raw, starts)
        end = at + length
        _, at = varints(raw, at + 1)  # the timestamp, after the attributes
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
