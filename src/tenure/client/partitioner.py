"""Which partition a key belongs to, as Java's default partitioner decides it: murmur2 of the key's bytes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa


def murmur2(key: bytes) -> int:
    """Java's `Utils.murmur2`, as an unsigned 32-bit number."""
    raise NotImplementedError


def partition_for_key(key: bytes, partitions: int) -> int:
    return (murmur2(key) & 0x7FFF_FFFF) % partitions


def murmur2_arrow(keys: "pa.Array") -> "npt.NDArray[np.uint32]":
    """`murmur2` of every key of a binary, large_binary, binary_view or string column; nulls hash as empty keys."""
    raise NotImplementedError


def partitions_for_keys(keys: "pa.Array", partitions: int) -> "npt.NDArray[np.int32]":
    raise NotImplementedError
