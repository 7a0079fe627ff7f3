"""Reader of many messages with the same fields at once, such as the subscriptions of all members of a group.

Decoding one message after the other takes a Python object for each element of an array. This reader instead reads one
field of all messages with a few numpy calls. For an array field, it reads the first element in all messages, then the
second element in all messages, and so on. When only few messages have more elements, it reads those one by one.
"""

from collections.abc import Sequence
from struct import Struct as Packer
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]

NARROW_ROWS: Final = 24
"""Number of messages up to which elements are read one by one, because numpy calls would take longer."""
ELEMENT_BYTES_MIN: Final = 6
"""Size of an empty topic name and an empty array of partitions."""
PADDING: Final = bytes(4)
"""Bytes to append after the last message, because reads may pass its end: an integer is read before the end of the
message is checked, and names are read as words of eight bytes."""
SLOTS_PER_NAME: Final = 4
"""Minimum number of slots per name in the hash table of names, so that two names rarely have the same slot."""
HASH_FACTOR: Final = np.int64(0x9E37_79B9_7F4A_7C15 - (1 << 64))
HASH_SHIFT: Final = 48
"""Number of low bits of a hash that are not used. The high bits select the slot."""
SLOT_BITS_MAX: Final = 64 - HASH_SHIFT
KEEP_FIRST: Final = np.frombuffer(b"".join(b"\xff" * size + bytes(8 - size) for size in range(9)), np.int64)
"""Masks for words of eight bytes. The mask with index n keeps only the first n bytes."""

_int16: Final = Packer(">h")
_int32: Final = Packer(">i")


class TopicPartitions(NamedTuple):
    """Arrays of (topic, partition numbers) as columns, with one row per partition."""

    messages: Counts
    """Index of the message that contains each row, ascending."""
    topics: Counts
    """Index of the topic's name in `names`, for each row."""
    partitions: Counts
    names: list[bytes]

    def of(self, messages: Flags) -> "TopicPartitions":
        """Return the rows of the messages for which the mask `messages` is True."""
        rows = messages[self.messages]
        return TopicPartitions(self.messages[rows], self.topics[rows], self.partitions[rows], self.names)


class ParallelReader:
    """Reader with one position in each message. If a message ends too early, its entry in `is_valid` becomes False."""

    def __init__(self, data: bytes, positions: Counts, ends: Counts) -> None:
        """Start to read message i at `positions[i]`; it ends at `ends[i]`. `data` has all messages, then PADDING."""
        self._data: Final = data
        self._int16s: Final = np.ndarray(max(0, len(data) - 1), ">i2", data, strides=(1,))
        self._int32s: Final = np.ndarray(max(0, len(data) - 3), ">i4", data, strides=(1,))
        self._positions = positions
        self._ends: Final = ends
        self.is_valid = np.ones(len(positions), np.bool_)

    @classmethod
    def of(cls, messages: Sequence[bytes]) -> "ParallelReader":
        ends = np.cumsum(np.fromiter(map(len, messages), np.int64, len(messages)))
        starts = np.concatenate(([0], ends[:-1])) if len(ends) else ends
        return cls(b"".join([*messages, PADDING]), starts, ends)

    def int16(self) -> Counts:
        values = self._int16s[np.minimum(self._positions, len(self._int16s) - 1)].astype(np.int64)
        self.skip(np.int64(2))
        return values

    def int32(self, where: Flags | None = None, default: int = 0) -> Counts:
        """Read an int32 from each message that the mask `where` selects; the result is `default` for the others."""
        values = self._int32s[np.minimum(self._positions, len(self._int32s) - 1)].astype(np.int64)
        if where is None:
            self.skip(np.int64(4))
            return values
        self.skip(np.where(where, 4, 0))
        return np.where(where, values, default)

    def skip(self, sizes: Counts | np.int64) -> None:
        """Skip bytes of each message: `sizes` has one size per message, or one for all.

        A message becomes invalid if its size is negative, or passes the end of the message.
        """
        positions = self._positions + sizes
        self.is_valid &= (positions >= self._positions) & (positions <= self._ends)
        self._positions = np.where(self.is_valid, positions, self._ends)

    def nullable_bytes(self) -> "ParallelReader":
        """Read nullable bytes with an int32 size from each message. Return a reader of them, in which null is empty."""
        sizes = self.int32()
        self.is_valid &= sizes >= -1
        starts = self._positions
        self.skip(np.maximum(sizes, 0))
        return ParallelReader(self._data, starts, self._positions)

    def nullable_strings(self, where: Flags) -> list[str | None]:
        """Read a nullable string with an int16 size from each message that `where` selects; None for the others."""
        found: list[str | None] = [None] * len(where)
        at = np.flatnonzero(where & self.is_valid)
        sizes = self._int16s[np.minimum(self._positions[at], len(self._int16s) - 1)].astype(np.int64)
        starts = self._positions[at] + 2
        skipped = np.zeros(len(where), np.int64)
        skipped[at] = np.where(sizes >= -1, 2 + np.maximum(sizes, 0), -1)
        self.skip(skipped)
        for row in np.flatnonzero((sizes >= 0) & self.is_valid[at]).tolist():
            start, size = int(starts[row]), int(sizes[row])
            found[int(at[row])] = self._data[start : start + size].decode(errors="replace")
        return found

    def topic_partitions(self, where: Flags | None = None) -> TopicPartitions:
        """Read an array of (topic, array of partition numbers) from each message that `where` selects; default: all."""
        counts = self.int32(where)
        self.is_valid &= (counts >= 0) & (counts * ELEMENT_BYTES_MIN <= self._ends - self._positions)
        counts = np.where(self.is_valid, counts, 0)
        names, sizes, numbers = self._elements(counts)
        owners = np.repeat(np.arange(len(counts)), counts)
        is_lost = ~self.is_valid[owners]
        sizes[is_lost] = numbers[is_lost] = 0
        topics, distinct = _distinct(self._data, names, sizes)
        firsts = names + sizes + 4 - 4 * (np.cumsum(numbers) - numbers)
        at = np.repeat(firsts, numbers) + 4 * np.arange(int(numbers.sum()))
        return TopicPartitions(
            np.repeat(owners, numbers),
            np.repeat(topics, numbers),
            self._int32s[at].astype(np.int64),
            distinct,
        )

    def _elements(self, counts: Counts) -> tuple[Counts, Counts, Counts]:
        """Read `counts[i]` elements (topic, array of partition numbers) of message i.

        Return, for all elements, the position and size of the topic name, and the number of partitions. The reader's
        positions advance to the end of these elements.
        """
        names, sizes, numbers = np.zeros((3, int(counts.sum())), np.int64)
        firsts = np.cumsum(counts) - counts
        self._positions = self._positions.copy()  # other readers have the same array
        rows = np.flatnonzero(counts)
        step = 0
        while len(rows) > NARROW_ROWS:
            starts = self._positions[rows]
            size = self._int16s[starts].astype(np.int64)
            ends = starts + 2 + size
            number = self._int32s[np.clip(ends, 0, len(self._int32s) - 1)].astype(np.int64)
            ends += 4 + 4 * number
            is_valid = (size >= 0) & (number >= 0) & (ends <= self._ends[rows])
            elements = firsts[rows] + step
            names[elements], sizes[elements], numbers[elements] = starts + 2, size, number
            self._positions[rows] = np.where(is_valid, ends, self._ends[rows])
            self.is_valid[rows] = is_valid
            step += 1
            rows = rows[is_valid & (counts[rows] > step)]
        for row in rows.tolist():
            start, stop = int(firsts[row]) + step, int(firsts[row] + counts[row])
            names[start:stop], sizes[start:stop], numbers[start:stop] = self._elements_of(row, stop - start)
        return names, sizes, numbers

    def _elements_of(self, row: int, count: int) -> tuple[list[int], list[int], list[int]]:
        """Read `count` elements of message `row` one by one. Return the same three facts about them as `_elements`."""
        names, sizes, numbers = [0] * count, [0] * count, [0] * count
        data, at, end = self._data, int(self._positions[row]), int(self._ends[row])
        for element in range(count):
            size = _int16.unpack_from(data, at)[0] if at + 2 <= end else -1
            number = _int32.unpack_from(data, at + 2 + size)[0] if size >= 0 and at + 6 + size <= end else -1
            names[element], sizes[element] = at + 2, max(size, 0)
            at += 6 + size + 4 * number
            if number < 0 or at > end:
                self.is_valid[row] = False
                at = end
                break
            numbers[element] = number
        self._positions[row] = at
        return names, sizes, numbers


def _distinct(data: bytes, starts: Counts, sizes: Counts) -> tuple[Counts, list[bytes]]:
    """Return, for each name, its index in the list of distinct names, and this list.

    All names in a hash slot are compared with one name of the slot. Only those that differ from it are looked up one by
    one in a dict.
    """
    words = _words_of(data, starts, sizes)
    hashes = sizes.copy()
    for word in words:
        hashes = (hashes ^ word) * HASH_FACTOR
    count = 1 << min(SLOT_BITS_MAX, (SLOTS_PER_NAME * len(starts)).bit_length())
    slots = hashes >> HASH_SHIFT & count - 1
    chosen = np.full(count, -1)
    chosen[slots] = np.arange(len(starts))
    differs = sizes != sizes[chosen[slots]]
    for word in words:
        differs |= word != word[chosen[slots]]

    numbers: dict[bytes, int] = {}
    used = np.flatnonzero(chosen >= 0)
    for slot, name in zip(used.tolist(), _names(data, starts[chosen[used]], sizes[chosen[used]]), strict=True):
        chosen[slot] = numbers.setdefault(name, len(numbers))
    found = chosen[slots]
    rows = np.flatnonzero(differs)
    for row, name in zip(rows.tolist(), _names(data, starts[rows], sizes[rows]), strict=True):
        found[row] = numbers.setdefault(name, len(numbers))
    return found, list(numbers)


def _words_of(data: bytes, starts: Counts, sizes: Counts) -> list[Counts]:
    """Return the first eight bytes of all names, then the next eight bytes, and so on; 0 beyond the end of a name."""
    eights = np.ndarray(max(0, len(data) - 7), np.int64, data, strides=(1,))
    words = []
    for skipped in range(0, int(sizes.max(initial=0)), 8):
        left = np.clip(sizes - skipped, 0, 8)
        words.append(eights[np.where(left > 0, starts + skipped, 0)] & KEEP_FIRST[left])
    return words


def _names(data: bytes, starts: Counts, sizes: Counts) -> list[bytes]:
    return [data[start:end] for start, end in zip(starts.tolist(), (starts + sizes).tolist(), strict=True)]
