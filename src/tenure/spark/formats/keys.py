"""Partitions of keys, to check that the key of a state is the key of its topic's partitions.

Producers with Kafka's default partitioner write a record to partition murmur2(key bytes) mod partitions. The bytes of a
string are its UTF-8; those of an integer are its digits, as Python's producers and text tools write it. If producers
serialise keys in another way (Java's LongSerializer), state can be kept by the column `_key`, which has the bytes.
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
    """Return the keys as the bytes that records have."""
    return keys if pa.types.is_binary(keys.type) else keys.cast(pa.string()).cast(pa.binary())


def key_partitions(keys: pa.Array, partitions: int) -> pa.Array:
    """Return the partition of each key; null for a null key, which has no fixed partition."""
    hashed = pa.array(partitions_for_keys(key_bytes(keys), partitions), pa.int32())
    return hashed if not keys.null_count else pc.if_else(keys.is_valid(), hashed, None)
