"""Records of `__consumer_offsets` as rows: key and value as bytes, with the group of each record.

The partition of a record is not murmur2 of its key: the coordinator derives it from Java's hash of the group id (rule
6.2). Therefore the group is the key of the pipeline's state, and `group_partitions` computes the partition of a group.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.audit import KEYS_REMEMBERED_MAX
from tenure.pipeline.values.bad_records import Decoded
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.spark.formats.record_values import Raw

TOPIC: Final = "__consumer_offsets"
GROUP: Final = "group"

NEWEST_TYPE: Final = 23
"""Newest type of record whose layout is known: its key begins with the group (rule 6.3)."""


@dataclass(frozen=True, slots=True)
class CoordinatorRecords(Raw):
    """Format of keys and values as bytes, with the group of each key. The group is null for unknown or damaged keys."""

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row."""
        return pa.schema([pa.field(GROUP, pa.string()), *Raw().schema])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows. None of them is a bad record: the audit counts unreadable records itself."""
        rows = Raw().decode(records, partition).rows
        return Decoded(rows.add_column(0, pa.field(GROUP, pa.string()), groups_of(rows["key"])), [])


def groups_of(keys: pa.ChunkedArray) -> pa.Array:
    """Return the group of each key; null for a key without a group. Each distinct key is decoded once."""
    encoded = keys.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    groups = pa.array([group_of(key) for key in encoded.dictionary.to_pylist()], pa.string())
    return groups.take(encoded.indices)


@lru_cache(KEYS_REMEMBERED_MAX)
def group_of(key: bytes) -> str | None:
    """Return the group id at the start of a key; None for an unknown type or a damaged key."""
    if len(key) < 4 or not 0 <= int.from_bytes(key[:2], "big", signed=True) <= NEWEST_TYPE:
        return None
    end = 4 + int.from_bytes(key[2:4], "big", signed=True)
    if not 4 <= end <= len(key):
        return None
    try:
        return key[4:end].decode()
    except UnicodeDecodeError:
        return None


def group_partitions(groups: pa.Array, partitions: int) -> pa.Array:
    """Return the partition of each group (`KeyPartitions`); null for a null group."""
    encoded = groups.dictionary_encode()
    places = pa.array([partition_of(group, partitions) for group in encoded.dictionary.to_pylist()], pa.int32())
    return pc.take(places, encoded.indices)
