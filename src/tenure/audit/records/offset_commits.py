"""Columns of offset commits, decoded with numpy, because nearly all records of `__consumer_offsets` are offset commits.

All versions of the value begin with version and offset; version 3 and later have the leader epoch next. Then follow the
metadata and the commit timestamp (rule 6.3).
"""

from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.audit.records.big_endian import BinaryColumn
from tenure.protocol.coordinator_logs.consumer_offsets import (
    OFFSET_WITH_TOPIC_ID,
    OffsetCommitValue,
)
from tenure.protocol.types import TopicId, topic_id_text

NEWEST: Final = max(OffsetCommitValue.VERSIONS)
WITH_LEADER_EPOCH: Final = 3
TOPIC_ID_BYTES: Final = 16
TOPIC_ID: Final = b"\x01\x00\x10"
"""Bytes before a topic id: one tagged field, tag 0, 16 bytes."""


class CommitKeys(NamedTuple):
    """Distinct keys of offset commits as columns."""

    good: Any
    """False for a damaged key."""
    groups: pa.Array
    topics: pa.Array
    partitions: Any


class CommitValues(NamedTuple):
    """Values of offset commits as columns, one entry for each record."""

    good: Any
    """False for a damaged value, and for a version that is not known."""
    versions: Any
    offsets: Any
    commit_times_ms: Any
    ends: Any
    """Position after the commit timestamp, where version 4 has its tagged fields."""


def commit_keys(keys: pa.Array) -> CommitKeys:
    """Decode keys of types 0 and 1: group, topic and partition."""
    column = BinaryColumn(keys)
    group_at, group_size = column.start + 4, column.int16(column.start + 2).astype(numpy.int64)
    topic_at = group_at + group_size + 2
    topic_size = column.int16(topic_at - 2).astype(numpy.int64)
    partition_at = topic_at + topic_size
    good = (group_size >= 0) & (topic_size >= 0) & (partition_at + 4 == column.end)
    groups = column.strings(group_at, group_size, good)
    topics = column.strings(topic_at, topic_size, good)
    good &= pc.and_(groups.is_valid(), topics.is_valid()).to_numpy(zero_copy_only=False)
    return CommitKeys(good, groups, topics, column.int32(partition_at))


def commit_values(column: BinaryColumn) -> CommitValues:
    """Decode versions, offsets and commit timestamps. `good` is False for a null value."""
    start, end = column.start, column.end
    versions = column.int16(start)
    known = (column.length >= 2) & (versions >= 0) & (versions <= NEWEST)
    metadata = start + 10 + 4 * (versions >= WITH_LEADER_EPOCH)
    flexible = versions >= OFFSET_WITH_TOPIC_ID
    length = column.int16(metadata).astype(numpy.int64)
    head = numpy.full(len(start), 2, numpy.int64)
    if flexible.any():
        compact, sizes = _compact_lengths(column, metadata)
        length, head = numpy.where(flexible, compact, length), numpy.where(flexible, sizes, head)
    times = metadata + head + length
    good = known & (length >= 0) & (times + 8 <= end)
    return CommitValues(good, versions, column.int64(start + 2), column.int64(times), times + 8)


def _compact_lengths(column: BinaryColumn, positions: Any) -> tuple[Any, Any]:
    """Decode the length of compact strings: an unsigned varint of the length plus one.

    Also return the varint's size.
    """
    number = numpy.zeros(len(positions), numpy.int64)
    size = numpy.zeros(len(positions), numpy.int64)
    more = numpy.ones(len(positions), bool)
    for index in range(3):  # Metadata have at most 32 kB.
        if not more.any():
            break
        byte = column.byte(positions + index).astype(numpy.int64)
        number += numpy.where(more, (byte & 0x7F) << (7 * index), 0)
        size += more
        more &= byte >= 0x80
    return number - 1, size


def topic_ids(column: BinaryColumn, values: CommitValues, rows: Any) -> pa.Array:
    """Return the topic ids of some records as text; null for records without one."""
    ends = values.ends[rows]
    tags = column.bytes(ends, len(TOPIC_ID) + TOPIC_ID_BYTES)
    has_id = (values.versions[rows] >= OFFSET_WITH_TOPIC_ID) & (column.end[rows] - ends >= tags.shape[1])
    has_id &= (tags[:, : len(TOPIC_ID)] == numpy.frombuffer(TOPIC_ID, numpy.uint8)).all(axis=1)
    ids = pa.py_buffer(numpy.ascontiguousarray(tags[:, len(TOPIC_ID) :]))
    encoded = pa.Array.from_buffers(pa.binary(TOPIC_ID_BYTES), len(rows), [None, ids]).dictionary_encode()
    texts = pa.array([topic_id_text(TopicId(each)) for each in encoded.dictionary.to_pylist()], pa.string())
    return texts.take(pa.array(encoded.indices.to_numpy(), mask=~has_id))
