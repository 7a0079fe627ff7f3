"""Of sifted chunks, the newest record of every key: found by sorting numbers, where looking up a million keys one by
one would take longer than all the rest of a load.

Keys are hashed to 64 bits and their rows sorted by hash; of equal hashes the last row counts. A hash is no proof, so
the keys behind equal hashes are compared, word by word. Where they differ, which happens to nobody who does not mean
it, and where keys are too long to keep their words, they are told apart as bytes.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tenure.protocol.columnar_table import Ints
from tenure.runtime.sift import Sifted, Words

KEY_BYTES_MAX: Final = 128
"""Of a key, kept as words; a name of a group and of a topic are rarely longer together."""
_FACTOR: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_SHIFT: Final = np.uint64(29)


def newest_of_each_key(chunks: Sequence[Sifted]) -> list[Sifted]:
    """The same chunks, which hold rising offsets, without the records that a later one replaces."""
    words = _words(chunks)
    return [chunk.only(rows) for chunk, rows in _by_chunk(chunks, _newest_rows(chunks, words)) if len(rows)]


def _by_chunk(chunks: Sequence[Sifted], rows: Ints) -> Iterator[tuple[Sifted, Ints]]:
    """Rows of all chunks, counted through and ascending, as rows of each."""
    first = 0
    for chunk in chunks:
        end = first + len(chunk.offset)
        yield chunk, rows[slice(*np.searchsorted(rows, (first, end)))] - first
        first = end


def _words(chunks: Sequence[Sifted]) -> list[Words]:
    """The keys' lengths, their first words, their second ones, ...; zero where a key has ended."""
    count = sum([len(chunk.offset) for chunk in chunks])
    words: list[Words] = []
    first = 0
    for chunk in chunks:
        end = first + len(chunk.offset)
        for place, word in enumerate(chunk.key_words(KEY_BYTES_MAX)):
            if place == len(words):
                words.append(np.zeros(count, np.uint64))
            words[place][first:end] = word
        first = end
    return words


def _newest_rows(chunks: Sequence[Sifted], words: Sequence[Words]) -> Ints:
    """Ascending."""
    hashes = np.zeros(len(words[0]), np.uint64)
    for word in words:
        hashes = (hashes ^ word) * _FACTOR
        hashes ^= hashes >> _SHIFT
    order = np.argsort(hashes)
    hashes = hashes[order]
    group = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    sizes = np.diff(group, append=len(order))
    newest = np.maximum.reduceat(order, group)
    is_doubtful = words[0][order] > KEY_BYTES_MAX
    representative = np.repeat(newest, sizes)
    for word in words:
        is_doubtful |= word[order] != word[representative]
    doubtful = np.logical_or.reduceat(is_doubtful, group)
    if not doubtful.any():
        return np.sort(newest)
    apart = _told_apart(chunks, np.sort(order[np.repeat(doubtful, sizes)]))
    return np.sort(np.concatenate((newest[~doubtful], apart)))


def _told_apart(chunks: Sequence[Sifted], rows: Ints) -> Ints:
    """The newest of these rows, by what their keys are."""
    keys = [key for chunk, own in _by_chunk(chunks, rows) for key in chunk.only(own).key_bytes()]
    newest = dict(zip(keys, rows.tolist(), strict=True))
    return np.fromiter(newest.values(), np.int64, len(newest))
