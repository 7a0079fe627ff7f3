"""Decoder of committed offsets that were read as columns.

Nearly all records of `__consumer_offsets` are committed offsets in the version that Kafka 4.3 writes. Their fields are
at fixed positions. So they are decoded all at once, into one dictionary per group. All other records are decoded one by
one.
"""

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, Final, TypeAlias

import numpy as np

from tenure.coordinator.groups.records import OffsetsRead
from tenure.protocol.columnar.table import Bytes, Ints
from tenure.protocol.columnar.walk import Bools, sliding_words
from tenure.protocol.coordinator_logs.consumer_offsets import (
    OFFSET_KEY_BYTES_MIN,
    OffsetCommitValue,
    read_names,
    shared_topic_id,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tenure.runtime.codecs import Content
from tenure.runtime.columnar_replay import ChunkColumns

Commit: TypeAlias = tuple[tuple[GroupId, TopicName], PartitionId, OffsetCommitValue]

_OFFSET_KEY: Final = 1
_PLAIN_BYTES: Final = 42
"""Size of a commit's value without metadata: version, offset, leader epoch, length, timestamp, one tagged field."""
_PLAIN_VERSION: Final = 4
_LENGTH_AT: Final = 14
"""Position of the byte with the length of the metadata. As in all compact strings, the byte is the length plus one."""
_TOPIC_ID_TAG: Final = 0x010010
"""Bytes before a topic id, as a number: one tagged field, tag 0, 16 bytes."""


def records_and_commits(columns: ChunkColumns) -> Iterator[tuple[int, Content | OffsetsRead]]:
    """Yield (offset, (key, value)) of a single record, or (offset, several commits of one group), ascending by offset.

    `columns` must not contain a key twice. A tombstone of a committed offset is left out: the shard is empty when the
    load begins, so there is nothing to delete.
    """
    is_offset = _offset_keys(columns)
    is_commit = is_offset & _plain_values(columns)
    is_gone = is_offset & (columns.value_length < 0)
    commits = columns.select_rows(is_commit)
    try:
        decoded = _decode_commits(commits)
    except (MalformedMessage, UnicodeDecodeError):
        others, decoded, commits = columns, [], columns.select_rows(slice(0))
    else:
        others = columns.select_rows(~is_commit & ~is_gone)
    before = 0
    cuts = np.searchsorted(commits.offset, others.offset).tolist()
    contents = zip(others.offset.tolist(), others.key_bytes(), others.value_bytes(), cuts, strict=True)
    for offset, key, value, cut in contents:
        if before < cut:
            yield from _by_group(decoded[before:cut], offset - 1)
            before = cut
        yield offset, (key, value)
    if before < len(decoded):
        yield from _by_group(decoded[before:], int(commits.offset[-1]))


def _by_group(commits: list[Commit], last_offset: int) -> Iterator[tuple[int, OffsetsRead]]:
    groups: dict[GroupId, dict[tuple[TopicName, PartitionId], OffsetCommitValue]] = {}
    for (group_id, topic), partition, value in commits:
        offsets = groups.get(group_id)
        if offsets is None:
            offsets = groups[group_id] = {}
        offsets[topic, partition] = value
    for group_id, offsets in groups.items():
        yield last_offset, OffsetsRead(group_id, offsets)


def _offset_keys(columns: ChunkColumns) -> Bools:
    """Return a mask of the keys that are valid keys of committed offsets.

    A key is valid if its type is that of a committed offset, and the lengths of its names add up to the key's length.
    """
    raw = np.frombuffer(columns.buffer, np.uint8)
    at, end = columns.key_at, columns.key_end
    is_offset: Bools = end - at >= OFFSET_KEY_BYTES_MIN
    is_offset &= _int16(raw, at) == _OFFSET_KEY
    topic_at = at + 4 + _int16(raw, at + 2)
    is_offset &= topic_at <= end - 6
    is_offset &= topic_at + 6 + _int16(raw, topic_at) == end
    return is_offset


def _plain_values(columns: ChunkColumns) -> Bools:
    raw = np.frombuffer(columns.buffer, np.uint8)
    at, length = columns.value_at, columns.value_length
    is_plain: Bools = length >= _PLAIN_BYTES
    is_plain &= _int16(raw, at) == _PLAIN_VERSION
    is_plain &= length == _PLAIN_BYTES - 1 + _byte(raw, at + _LENGTH_AT)
    tag_at = at + length - 19
    is_plain &= _int16(raw, tag_at) << 8 | _byte(raw, tag_at + 2) == _TOPIC_ID_TAG
    return is_plain & (_byte(raw, at + _LENGTH_AT) < 0x80)


def _byte(raw: Bytes, positions: Ints) -> Ints:
    """Return the byte at each position. A position outside of the buffer gives the first or last byte of the buffer."""
    return raw[np.clip(positions, 0, len(raw) - 1)].astype(np.int64)


def _int16(raw: Bytes, positions: Ints) -> Ints:
    return _byte(raw, positions) << 8 | _byte(raw, positions + 1)


def _decode_commits(commits: ChunkColumns) -> list[Commit]:
    """Decode the commits. Raises MalformedMessage or UnicodeDecodeError."""
    buffer, at, end = commits.buffer, commits.value_at, commits.value_at + commits.value_length
    names = map(read_names, _slices(buffer, commits.key_at + 2, commits.key_end - 4))
    metadata: Iterable[str] = repeat("")
    if (commits.value_length != _PLAIN_BYTES).any():
        metadata = [text.decode() for text in _slices(buffer, at + _LENGTH_AT + 1, end - 27)]
    values = map(
        OffsetCommitValue,
        _ints(buffer, at + 2, ">i8"),
        _ints(buffer, at + 10, ">i4"),
        metadata,
        _ints(buffer, end - 27, ">i8"),
        repeat(-1),
        map(shared_topic_id, _slices(buffer, end - 16, end)),
    )
    partitions: Any = _ints(buffer, commits.key_end - 4, ">i4")
    return list(zip(names, partitions, values, strict=True))


def _slices(buffer: bytes, start: Ints, end: Ints) -> list[bytes]:
    return [buffer[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)]


def _ints(buffer: bytes, positions: Ints, kind: str) -> list[int]:
    numbers: list[int] = sliding_words(np.frombuffer(buffer, np.uint8), kind)[positions].tolist()
    return numbers
