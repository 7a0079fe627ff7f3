"""On which partition a topic's producers put a key, for the check that a state's key is the topic's partitioning key.

Producers in Kafka's default put a record into partition murmur2(key bytes) mod partitions. The bytes of a string are
its UTF-8; those of an integer are its digits, as Python's producers and text tools write it. Where producers serialise
otherwise (Java's LongSerializer), state can be kept by the column `_key`, which has the bytes themselves.
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
"""The types that a key may have, in Spark's words."""


def key_bytes(keys: pa.Array) -> pa.Array:
    """Keys as records have them."""
    return keys if pa.types.is_binary(keys.type) else keys.cast(pa.string()).cast(pa.binary())


def key_partitions(keys: pa.Array, partitions: int) -> pa.Array:
    """The partition of each key; null for a null key, which belongs nowhere."""
    hashed = pa.array(partitions_for_keys(key_bytes(keys), partitions), pa.int32())
    return hashed if not keys.null_count else pc.if_else(keys.is_valid(), hashed, None)
