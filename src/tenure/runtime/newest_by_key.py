"""Search for the newest record of every key in columnar chunks.

Each key is hashed to 64 bits, and the records are sorted by hash with numpy. Of the records with equal hashes, the last
one is taken. Looking up a million keys one by one in a dictionary would take longer than the rest of a load.

Two different keys may have the same hash, so keys with equal hashes are compared word by word. If their words differ,
or if the keys are too long to be kept as words, these keys are compared as bytes. Different keys with equal hashes are
so rare that only an attacker can produce them.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tenure.protocol.columnar.table import Ints
from tenure.runtime.columnar_replay import ChunkColumns, Words

KEY_BYTES_MAX: Final = 128
"""Longest key that is kept as words; the names of a group and a topic together are rarely longer."""
_FACTOR: Final = np.array([0x9E37_79B9_7F4A_7C15], np.uint64)
"""Multiplier of the hash: odd, with irregular bits. It is an array because numpy warns when a scalar overflows."""


def newest_of_each_key(chunks: Sequence[ChunkColumns]) -> list[ChunkColumns]:
    """Return the chunks without the records that a later record replaces. Chunks are in ascending order of offsets."""
    rows = _newest_rows(chunks, *_words_and_hashes(chunks))
    return [chunk.select_rows(own) for chunk, own in _by_chunk(chunks, rows) if len(own)]


def _by_chunk(chunks: Sequence[ChunkColumns], rows: Ints) -> Iterator[tuple[ChunkColumns, Ints]]:
    """Yield each chunk with the selected records in it, as indices within the chunk.

    `rows` are the selected records as ascending indices over all chunks together.
    """
    first = 0
    for chunk in chunks:
        end = first + len(chunk.offset)
        yield chunk, rows[slice(*np.searchsorted(rows, (first, end)))] - first
        first = end


def _words_and_hashes(chunks: Sequence[ChunkColumns]) -> tuple[list[Words], Words]:
    """Return (words, hashes) for the keys of all chunks.

    Every array has one element per key. `words[0]` has the lengths of the keys, `words[1]` their first eight bytes,
    `words[2]` the next eight bytes, and so on, as `ChunkColumns.key_words` yields them. A word after the end of a key
    is 0. It does not change the hash of this key, so a hash does not depend on the longest key.
    """
    count = sum([len(chunk.offset) for chunk in chunks])
    hashes = np.zeros(count, np.uint64)
    words: list[Words] = []
    first = 0
    for chunk in chunks:
        end, factor = first + len(chunk.offset), _FACTOR
        for index, word in enumerate(chunk.key_words(KEY_BYTES_MAX)):
            if index == len(words):
                words.append(np.zeros(count, np.uint64))
            words[index][first:end] = word
            hashes[first:end] += word * factor
            factor = factor * _FACTOR
        first = end
    return words, hashes


def _newest_rows(chunks: Sequence[ChunkColumns], words: Sequence[Words], hashes: Words) -> Ints:
    """Return the index of the newest record of each key, ascending, over all chunks together."""
    order = np.argsort(hashes)
    hashes = hashes[order]
    group = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    sizes = np.diff(group, append=len(order))
    newest = np.maximum.reduceat(order, group)
    newest_of = np.empty_like(order)
    newest_of[order] = np.repeat(newest, sizes)
    is_doubtful = words[0] > KEY_BYTES_MAX
    for word in words:  # in log order, which makes nearly sequential memory accesses
        is_doubtful |= word != word[newest_of]
    if not is_doubtful.any():
        return np.sort(newest)
    doubtful = np.logical_or.reduceat(is_doubtful[order], group)
    newest_of_doubtful = _newest_by_whole_key(chunks, np.sort(order[np.repeat(doubtful, sizes)]))
    return np.sort(np.concatenate((newest[~doubtful], newest_of_doubtful)))


def _newest_by_whole_key(chunks: Sequence[ChunkColumns], rows: Ints) -> Ints:
    """Return the index of the newest record of each key, among the indices `rows`. Compares whole keys."""
    keys = [key for chunk, own in _by_chunk(chunks, rows) for key in chunk.select_rows(own).key_bytes()]
    newest = dict(zip(keys, rows.tolist(), strict=True))
    return np.fromiter(newest.values(), np.int64, len(newest))
