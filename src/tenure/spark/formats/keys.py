"""Partitions of keys, to check that the key of a state is also the partitioning key of its topic.

Producers with Kafka's default partitioner write a record to partition murmur2(key bytes) mod partitions. The bytes of a
string are UTF-8. The bytes of an integer are its decimal digits, as Python's producers and text tools write them. If
producers serialise keys in another way (Java's LongSerializer), state can be kept by the column `_key`, which contains
the bytes.
"""

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.client.producer.partitioner import partitions_for_keys

KEY_TYPES: Final = {
    pa.string(): "string",
    pa.binary(): "binary",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
}
"""Types that a key may have, with Spark's names."""


def key_bytes(keys: pa.Array) -> pa.Array:
    """Convert keys to the bytes that records have as their keys."""
    return keys if pa.types.is_binary(keys.type) else keys.cast(pa.string()).cast(pa.binary())


def key_partitions(keys: pa.Array, partitions: int) -> pa.Array:
    """Return the partition of each key; null for a null key, which has no fixed partition."""
    hashed = pa.array(partitions_for_keys(key_bytes(keys), partitions), pa.int32())
    return hashed if not keys.null_count else pc.if_else(keys.is_valid(), hashed, None)
