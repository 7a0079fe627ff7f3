"""Partitions of groups in `__consumer_offsets`, computed for a whole column of names (rule 6.2)."""

from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.records.big_endian import BinaryColumn
from tenure.protocol.coordinator_logs.partition import partition_of

FACTOR: Final = 31
"""Base of Java's hash code of a string: c[0] * 31**(n-1) + ... + c[n-1], modulo 2**32."""

ASCII_END: Final = 0x80


def group_partitions(groups: pa.Array, partitions: int) -> pa.Array:
    """Return the partition of each group (`KeyPartitions`); null for a null group."""
    encoded = groups.dictionary_encode()
    return pc.take(pa.array(_partitions_of(encoded.dictionary, partitions), pa.int32()), encoded.indices)


def _partitions_of(names: pa.Array, partitions: int) -> Any:
    """Return the partitions of distinct names. Names that are not ASCII are hashed one by one, as UTF-16."""
    column = BinaryColumn(names)
    codes = _ascii_hash_codes(column).view(numpy.int32).astype(numpy.int64)
    found = numpy.where(codes == -(2**31), 0, numpy.abs(codes)) % partitions
    others = _sums(column, column.data >= ASCII_END, numpy.int64)
    for index in numpy.flatnonzero(others).tolist():
        found[index] = partition_of(names[index].as_py(), partitions)
    return found


def _ascii_hash_codes(column: BinaryColumn) -> Any:
    """Return Java's hash code of each value, whose bytes are its characters."""
    places = numpy.arange(len(column.data))
    after = numpy.repeat(column.end, column.length) - places[: column.length.sum()] - 1
    powers = numpy.full(max(int(column.length.max(initial=0)), 1), FACTOR, numpy.uint32)
    powers[0] = 1
    powers = numpy.multiply.accumulate(powers)
    terms = numpy.zeros(len(column.data), numpy.uint32)
    terms[: len(after)] = column.data[: len(after)] * powers[after]
    return _sums(column, terms, numpy.uint32)


def _sums(column: BinaryColumn, terms: Any, dtype: Any) -> Any:
    """Return, for each value, the sum of `terms` over its bytes.

    `terms` has one element for each byte of the column. If `dtype` is unsigned, sums wrap around.
    """
    sums = numpy.append(numpy.zeros(1, dtype), numpy.cumsum(terms, dtype=dtype))
    return sums[column.end] - sums[column.start]
