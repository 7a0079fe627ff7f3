"""Partition of a key: murmur2 of its bytes, as in Java's default partitioner.

There are two implementations: for a single key, and for an Arrow column, which processes four bytes of every key at a
time. All arithmetic wraps at 32 bits; Java's `>>>` is the unsigned shift.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tenure.limits.client import PARTITIONER_KEYS_CACHED

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

SEED: Final = 0x9747_B28C
M: Final = 0x5BD1_E995
WORD: Final = 0xFFFF_FFFF
POSITIVE: Final = 0x7FFF_FFFF
"""Mask that clears the sign bit, as Java's `toPositive` does."""


def murmur2(key: bytes) -> int:
    """Return Java's `Utils.murmur2` as an unsigned 32-bit number."""
    length = len(key)
    whole = length & ~3
    h = SEED ^ length
    for position in range(0, whole, 4):
        k = int.from_bytes(key[position : position + 4], "little") * M & WORD
        h = (h * M & WORD) ^ ((k ^ k >> 24) * M & WORD)
    if whole != length:
        h = (h ^ int.from_bytes(key[whole:], "little")) * M & WORD
    h = (h ^ h >> 13) * M & WORD
    return h ^ h >> 15


@lru_cache(maxsize=PARTITIONER_KEYS_CACHED)
def partition_for_key(key: bytes, partitions: int) -> int:
    """Return the partition of a key in a topic that has `partitions` partitions."""
    return (murmur2(key) & POSITIVE) % partitions


def murmur2_arrow(keys: "pa.Array") -> "npt.NDArray[np.uint32]":
    """Return `murmur2` of each key of a binary or string column (uint32); a null hashes like an empty key."""
    import numpy as np

    data, starts, lengths = _bytes_of(keys)
    word = np.uint32
    h = word(SEED) ^ lengths.astype(word)
    blocks = lengths >> 2
    for block in range(int(blocks.max(initial=0))):
        rows = np.flatnonzero(blocks > block)
        position = starts[rows] + 4 * block
        k = _little_endian(data, position, 4) * word(M)
        h[rows] = h[rows] * word(M) ^ (k ^ k >> word(24)) * word(M)
    for rest in (1, 2, 3):
        rows = np.flatnonzero(lengths & 3 == rest)
        tail = _little_endian(data, starts[rows] + (lengths[rows] & ~3), rest)
        h[rows] = (h[rows] ^ tail) * word(M)
    h = (h ^ h >> word(13)) * word(M)
    return h ^ h >> word(15)


def partitions_for_keys(keys: "pa.Array", partitions: int) -> "npt.NDArray[np.int32]":
    """Return `partition_for_key` of each key of a column (int32)."""
    import numpy as np

    return ((murmur2_arrow(keys) & np.uint32(POSITIVE)) % np.uint32(partitions)).astype(np.int32)


def _little_endian(
    data: "npt.NDArray[np.uint8]", position: "npt.NDArray[np.int64]", width: int
) -> "npt.NDArray[np.uint32]":
    import numpy as np

    number = data[position].astype(np.uint32)
    for byte in range(1, width):
        number |= data[position + byte].astype(np.uint32) << np.uint32(8 * byte)
    return number


def _bytes_of(
    keys: "pa.Array",
) -> "tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]":
    """Return the concatenated bytes of all keys, and the start and length of each key."""
    import numpy as np
    import pyarrow as pa

    if isinstance(keys, pa.ChunkedArray):
        keys = keys.combine_chunks()
    keys = keys.cast(pa.large_binary())
    if keys.null_count:
        keys = keys.fill_null(b"")
    _, offsets_buffer, data_buffer = keys.buffers()
    if len(keys) == 0:
        return np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.int64)
    offsets = np.frombuffer(offsets_buffer, np.int64)[keys.offset : keys.offset + len(keys) + 1]
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.zeros(0, np.uint8)
    return data, offsets[:-1], offsets[1:] - offsets[:-1]
