"""Search for the newest record of every key in columnar chunks.

It sorts numbers: a look-up of a million keys one by one would take longer than the rest of a load. Keys are hashed to
64 bits and their rows sorted by hash; of equal hashes the last row counts. Different keys may have the same hash, so
the keys behind equal hashes are compared, word by word. If they differ, which happens only on purpose, or if keys are
too long to keep their words, they are compared as bytes.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tenure.protocol.columnar.table import Ints
from tenure.runtime.columnar_replay import ChunkColumns, Words

KEY_BYTES_MAX: Final = 128
"""Size of a key that is kept as words; the names of a group and a topic are rarely longer together."""
_FACTOR: Final = np.array([0x9E37_79B9_7F4A_7C15], np.uint64)
"""Odd, of no pattern; an array, because a number warns when it overflows."""


def newest_of_each_key(chunks: Sequence[ChunkColumns]) -> list[ChunkColumns]:
    """Return the same chunks, in ascending order of offsets, without records that a later one replaces."""
    rows = _newest_rows(chunks, *_words_and_hashes(chunks))
    return [chunk.only(own) for chunk, own in _by_chunk(chunks, rows) if len(own)]


def _by_chunk(chunks: Sequence[ChunkColumns], rows: Ints) -> Iterator[tuple[ChunkColumns, Ints]]:
    """Yield each chunk with its rows. `rows` are numbered over all chunks, the results within the chunk."""
    first = 0
    for chunk in chunks:
        end = first + len(chunk.offset)
        yield chunk, rows[slice(*np.searchsorted(rows, (first, end)))] - first
        first = end


def _words_and_hashes(chunks: Sequence[ChunkColumns]) -> tuple[list[Words], Words]:
    """Return the keys' lengths and words, and their hashes.

    The words are the first ones, the second ones and so on, with zeros after the ends of keys. Such zeros do not
    change a hash: other keys of the chunk do not matter.
    """
    count = sum([len(chunk.offset) for chunk in chunks])
    hashes = np.zeros(count, np.uint64)
    words: list[Words] = []
    first = 0
    for chunk in chunks:
        end, factor = first + len(chunk.offset), _FACTOR
        for place, word in enumerate(chunk.key_words(KEY_BYTES_MAX)):
            if place == len(words):
                words.append(np.zeros(count, np.uint64))
            words[place][first:end] = word
            hashes[first:end] += word * factor
            factor = factor * _FACTOR
        first = end
    return words, hashes


def _newest_rows(chunks: Sequence[ChunkColumns], words: Sequence[Words], hashes: Words) -> Ints:
    """Return the newest row of each key, ascending."""
    order = np.argsort(hashes)
    hashes = hashes[order]
    group = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    sizes = np.diff(group, append=len(order))
    newest = np.maximum.reduceat(order, group)
    newest_of = np.empty_like(order)
    newest_of[order] = np.repeat(newest, sizes)
    is_doubtful = words[0] > KEY_BYTES_MAX
    for word in words:  # in the order of the log, in which neighbours are replaced by neighbours
        is_doubtful |= word != word[newest_of]
    if not is_doubtful.any():
        return np.sort(newest)
    doubtful = np.logical_or.reduceat(is_doubtful[order], group)
    apart = _told_apart(chunks, np.sort(order[np.repeat(doubtful, sizes)]))
    return np.sort(np.concatenate((newest[~doubtful], apart)))


def _told_apart(chunks: Sequence[ChunkColumns], rows: Ints) -> Ints:
    """Return the newest row of each key, comparing whole keys instead of hashes."""
    keys = [key for chunk, own in _by_chunk(chunks, rows) for key in chunk.only(own).key_bytes()]
    newest = dict(zip(keys, rows.tolist(), strict=True))
    return np.fromiter(newest.values(), np.int64, len(newest))
