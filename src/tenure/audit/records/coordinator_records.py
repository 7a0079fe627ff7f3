"""Records of `__consumer_offsets` as rows: key and value as bytes, with the group of each record.

The partition of a record is not murmur2 of its key: the coordinator derives it from Java's hash of the group id (rule
6.2). Therefore the group is the key of the pipeline's state, and `group_partitions` is the pipeline's partitioner.
"""

from dataclasses import dataclass
from typing import Final

import numpy
import pyarrow as pa

from tenure.audit.records.big_endian import BinaryColumn
from tenure.pipeline.state.layers import combined
from tenure.pipeline.values.decoded_records import Decoded
from tenure.spark.formats.record_values import Raw

TOPIC: Final = "__consumer_offsets"
GROUP: Final = "group"

NEWEST_TYPE: Final = 23
"""Newest type of record whose layout is known: its key begins with the group (rule 6.3)."""


@dataclass(frozen=True, slots=True)
class CoordinatorRecords(Raw):
    """Format that leaves keys and values as bytes and adds the group of each key: null if unknown or damaged."""

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: the group, then the columns of `raw()`."""
        return pa.schema([pa.field(GROUP, pa.string()), *Raw().schema])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows. Keys and groups are dictionary columns, because few distinct ones occur.

        The result has no bad records, because the audit counts unreadable records itself.
        """
        rows = Raw().decode(records, partition).rows
        keys = combined(rows["key"]).dictionary_encode()
        of_key = groups_of(keys.dictionary).dictionary_encode()
        groups = pa.DictionaryArray.from_arrays(of_key.indices.take(keys.indices), of_key.dictionary)
        rows = rows.set_column(rows.column_names.index("key"), "key", keys)
        return Decoded(rows.add_column(0, GROUP, groups), [])


def groups_of(keys: pa.Array) -> pa.Array:
    """Return the group id at the start of each key; null for an unknown type or a damaged key."""
    column = BinaryColumn(keys)
    types, sizes = column.int16(column.start), column.int16(column.start + 2).astype(numpy.int64)
    is_known = (column.length >= 4) & (types >= 0) & (types <= NEWEST_TYPE)
    is_known &= (sizes >= 0) & (4 + sizes <= column.length)
    return column.strings(column.start + 4, sizes, is_known)
