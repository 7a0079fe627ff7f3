"""Columns of offset commits, decoded with numpy, because nearly all records of `__consumer_offsets` are offset commits.

All versions of the value begin with version and offset; version 3 and later have the leader epoch next. Then follow the
metadata and the commit timestamp (rule 6.3).
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa

from tenure.audit.records.big_endian import BinaryColumn
from tenure.limits.audit import COMMIT_KEYS_REMEMBERED_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import (
    OFFSET_WITH_TOPIC_ID,
    OffsetCommitKey,
    OffsetCommitValue,
    read_offset,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import TopicId, topic_id_text

NEWEST: Final = max(OffsetCommitValue.VERSIONS)
WITH_LEADER_EPOCH: Final = 3
TOPIC_ID_BYTES: Final = 16
TOPIC_ID: Final = b"\x01\x00\x10"
"""Bytes before a topic id: one tagged field, tag 0, 16 bytes."""


class CommitKeys(NamedTuple):
    """Distinct keys of records, and for each record the index of its key."""

    codes: Any
    keys: list[OffsetCommitKey | None]
    """None for a damaged key."""


class CommitValues(NamedTuple):
    """Values of offset commits as columns, one entry for each record."""

    good: Any
    """False for a damaged value, and for a version that is not known."""
    versions: Any
    offsets: Any
    commit_times_ms: Any
    ends: Any
    """Place after the commit timestamp, where version 4 has its tagged fields."""


def commit_keys(keys: pa.ChunkedArray) -> CommitKeys:
    """Return the keys of offset commits."""
    encoded = keys.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    return CommitKeys(encoded.indices.to_numpy(), [_key(key) for key in encoded.dictionary.to_pylist()])


@lru_cache(COMMIT_KEYS_REMEMBERED_MAX)
def _key(key: bytes) -> OffsetCommitKey | None:
    try:
        return read_offset(key, None)[0]
    except MalformedMessage:
        return None


def commit_values(column: BinaryColumn) -> CommitValues:
    """Decode values that are not null."""
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


def _compact_lengths(column: BinaryColumn, at: Any) -> tuple[Any, Any]:
    """Decode the length of compact strings: an unsigned varint of the length plus one.

    Also return the varint's size.
    """
    number = numpy.zeros(len(at), numpy.int64)
    size = numpy.zeros(len(at), numpy.int64)
    more = numpy.ones(len(at), bool)
    for index in range(3):  # Metadata have at most 32 kB.
        byte = column.byte(at + index).astype(numpy.int64)
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
