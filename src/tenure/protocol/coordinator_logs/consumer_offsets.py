"""Records of `__consumer_offsets`, which are the state of group coordinators (rule 6.3).

A key is an int16 record type and its fields. A value is an int16 version and its fields; a record without a value is a
tombstone. Readers may skip unknown record types. An unknown version of a known type is an error, because skipping it
would lose a group.
"""

from contextlib import suppress
from functools import lru_cache
from struct import Struct as Packer
from sys import intern
from typing import Final, NamedTuple, TypeAlias

from tenure.limits.protocol import GROUP_TOPIC_NAMES_CACHED_MAX, OFFSET_KEYS_CACHED_MAX
from tenure.protocol.codec import decode, encode
from tenure.protocol.generated.consumer_group_records import (
    ClassicMemberMetadata,
    ClassicProtocol,
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupPartitionMetadataValue,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    CurrentTopicPartitions,
    TargetTopicPartitions,
)
from tenure.protocol.generated.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
)
from tenure.protocol.generated.streams_group_records import (
    CurrentTaskIds,
    LastAssignmentConfig,
    StreamsClientTag,
    StreamsEndpoint,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
    TargetTaskIds,
    TopologyCopartitionGroup,
    TopologySubtopology,
    TopologyTopicConfig,
    TopologyTopicInfo,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GroupId, PartitionId, TopicId, TopicName

__all__ = [
    "ClassicMemberMetadata",
    "ClassicProtocol",
    "ConsumerGroupCurrentMemberAssignmentKey",
    "ConsumerGroupCurrentMemberAssignmentValue",
    "ConsumerGroupKey",
    "ConsumerGroupMemberMetadataKey",
    "ConsumerGroupMemberMetadataValue",
    "ConsumerGroupMetadataKey",
    "ConsumerGroupMetadataValue",
    "ConsumerGroupPartitionMetadataKey",
    "ConsumerGroupPartitionMetadataValue",
    "ConsumerGroupRegularExpressionKey",
    "ConsumerGroupRegularExpressionValue",
    "ConsumerGroupTargetAssignmentMemberKey",
    "ConsumerGroupTargetAssignmentMemberValue",
    "ConsumerGroupTargetAssignmentMetadataKey",
    "ConsumerGroupTargetAssignmentMetadataValue",
    "ConsumerGroupValue",
    "CurrentTaskIds",
    "CurrentTopicPartitions",
    "GroupMetadataKey",
    "GroupMetadataValue",
    "Key",
    "LastAssignmentConfig",
    "MemberMetadata",
    "OffsetCommitKey",
    "OffsetCommitValue",
    "StreamsClientTag",
    "StreamsEndpoint",
    "StreamsGroupCurrentMemberAssignmentKey",
    "StreamsGroupCurrentMemberAssignmentValue",
    "StreamsGroupKey",
    "StreamsGroupMemberMetadataKey",
    "StreamsGroupMemberMetadataValue",
    "StreamsGroupMetadataKey",
    "StreamsGroupMetadataValue",
    "StreamsGroupTargetAssignmentMemberKey",
    "StreamsGroupTargetAssignmentMemberValue",
    "StreamsGroupTargetAssignmentMetadataKey",
    "StreamsGroupTargetAssignmentMetadataValue",
    "StreamsGroupTopologyKey",
    "StreamsGroupTopologyValue",
    "StreamsGroupValue",
    "TargetTaskIds",
    "TargetTopicPartitions",
    "TopologyCopartitionGroup",
    "TopologySubtopology",
    "TopologyTopicConfig",
    "TopologyTopicInfo",
    "UnknownRecord",
    "Value",
    "decode_record",
    "encode_key",
    "encode_value",
    "read_names",
    "read_offset",
    "shared_topic_id",
]

ConsumerGroupKey: TypeAlias = (
    ConsumerGroupMetadataKey
    | ConsumerGroupPartitionMetadataKey
    | ConsumerGroupMemberMetadataKey
    | ConsumerGroupTargetAssignmentMetadataKey
    | ConsumerGroupTargetAssignmentMemberKey
    | ConsumerGroupCurrentMemberAssignmentKey
    | ConsumerGroupRegularExpressionKey
)
ConsumerGroupValue: TypeAlias = (
    ConsumerGroupMetadataValue
    | ConsumerGroupPartitionMetadataValue
    | ConsumerGroupMemberMetadataValue
    | ConsumerGroupTargetAssignmentMetadataValue
    | ConsumerGroupTargetAssignmentMemberValue
    | ConsumerGroupCurrentMemberAssignmentValue
    | ConsumerGroupRegularExpressionValue
)
StreamsGroupKey: TypeAlias = (
    StreamsGroupMetadataKey
    | StreamsGroupMemberMetadataKey
    | StreamsGroupTargetAssignmentMetadataKey
    | StreamsGroupTargetAssignmentMemberKey
    | StreamsGroupCurrentMemberAssignmentKey
    | StreamsGroupTopologyKey
)
StreamsGroupValue: TypeAlias = (
    StreamsGroupMetadataValue
    | StreamsGroupMemberMetadataValue
    | StreamsGroupTargetAssignmentMetadataValue
    | StreamsGroupTargetAssignmentMemberValue
    | StreamsGroupCurrentMemberAssignmentValue
    | StreamsGroupTopologyValue
)
Key: TypeAlias = OffsetCommitKey | GroupMetadataKey | ConsumerGroupKey | StreamsGroupKey
Value: TypeAlias = OffsetCommitValue | GroupMetadataValue | ConsumerGroupValue | StreamsGroupValue


class UnknownRecord(NamedTuple):
    """Record of an unknown type."""

    type: int


_int16: Final = Packer(">h")

OFFSET_KEY_BYTES_MIN: Final = 10
"""Size of a key with empty names: type, two lengths, partition."""
OFFSET_WITH_TOPIC_ID: Final = 4
"""First version of OffsetCommitValue with a topic id."""
_PLAIN_OFFSET: Final = Packer(">hqiBq3s16s")
"""Packer of a whole OffsetCommitValue v4 without metadata.

Its parts are version, offset, leader epoch, length of the metadata plus one, commit timestamp, `_TOPIC_ID_TAG` and
topic id.
"""
_TOPIC_ID_TAG: Final = b"\x01\x00\x10"
"""Bytes before a topic id: one tagged field, tag 0, 16 bytes."""
_KINDS: Final[dict[int, tuple[type[Key], type[Value]]]] = {
    0: (OffsetCommitKey, OffsetCommitValue),  # very old logs; the same fields as type 1
    1: (OffsetCommitKey, OffsetCommitValue),
    2: (GroupMetadataKey, GroupMetadataValue),
    3: (ConsumerGroupMetadataKey, ConsumerGroupMetadataValue),
    4: (ConsumerGroupPartitionMetadataKey, ConsumerGroupPartitionMetadataValue),
    5: (ConsumerGroupMemberMetadataKey, ConsumerGroupMemberMetadataValue),
    6: (ConsumerGroupTargetAssignmentMetadataKey, ConsumerGroupTargetAssignmentMetadataValue),
    7: (ConsumerGroupTargetAssignmentMemberKey, ConsumerGroupTargetAssignmentMemberValue),
    8: (ConsumerGroupCurrentMemberAssignmentKey, ConsumerGroupCurrentMemberAssignmentValue),
    16: (ConsumerGroupRegularExpressionKey, ConsumerGroupRegularExpressionValue),
    17: (StreamsGroupMetadataKey, StreamsGroupMetadataValue),
    19: (StreamsGroupMemberMetadataKey, StreamsGroupMemberMetadataValue),
    20: (StreamsGroupTargetAssignmentMetadataKey, StreamsGroupTargetAssignmentMetadataValue),
    21: (StreamsGroupTargetAssignmentMemberKey, StreamsGroupTargetAssignmentMemberValue),
    22: (StreamsGroupCurrentMemberAssignmentKey, StreamsGroupCurrentMemberAssignmentValue),
    23: (StreamsGroupTopologyKey, StreamsGroupTopologyValue),
}


def encode_key(key: Key) -> bytes:
    if type(key) is OffsetCommitKey:
        return _offset_key(key.group, key.topic, key.partition)
    return _int16.pack(key.KEY) + encode(key, 0)


@lru_cache(OFFSET_KEYS_CACHED_MAX)
def _offset_key(group: GroupId, topic: TopicName, partition: PartitionId) -> bytes:
    """Encode the key of a committed offset; cached, because the same partitions are committed again and again."""
    return _int16.pack(OffsetCommitKey.KEY) + encode(OffsetCommitKey(group, topic, partition), 0)


def encode_value(value: Value, version: int) -> bytes:
    return _int16.pack(version) + encode(value, version)


def decode_record(key: bytes, value: bytes | None) -> tuple[Key, Value | None] | UnknownRecord:
    """Return (key, value); the value is None for a tombstone. Raises MalformedMessage."""
    kind = _int16_of(key, "key")
    if kind not in _KINDS:
        return UnknownRecord(kind)
    if kind <= OffsetCommitKey.KEY:
        return read_offset(key, value)
    key_class, value_class = _KINDS[kind]
    found = decode(key_class, 0, key, 2)
    return found, None if value is None else _read_value(value_class, found, value)


def read_offset(key: bytes, value: bytes | None) -> tuple[OffsetCommitKey, OffsetCommitValue | None]:
    """Decode a record of a committed offset, whose key has type 0 or 1.

    Nearly all records are of this kind. This special function makes loading three times as fast.
    """
    return _read_offset_key(key), None if value is None else _read_offset_value(key, value)


def _read_value(value_class: type[Value], key: Key, value: bytes) -> Value:
    version = _int16_of(value, "value")
    if version not in value_class.VERSIONS:
        raise MalformedMessage(f"the value of {key} has the unknown version {version} of {value_class.__name__}")
    return decode(value_class, version, value, 2)


def _read_offset_key(data: bytes) -> OffsetCommitKey:
    """Decode the key of a committed offset. Keys of one topic share the strings for group and topic."""
    if len(data) < OFFSET_KEY_BYTES_MIN:
        raise MalformedMessage(f"the key of an offset has {len(data)} bytes, fewer than {OFFSET_KEY_BYTES_MIN}")
    group, topic = read_names(data[2:-4])
    return OffsetCommitKey(group, topic, PartitionId(int.from_bytes(data[-4:], "big", signed=True)))


@lru_cache(GROUP_TOPIC_NAMES_CACHED_MAX)
def read_names(data: bytes) -> tuple[GroupId, TopicName]:
    """Return group and topic from the key of a committed offset; cached, so that equal names share one string.

    `data` is the key without its type and partition.
    """
    end = int.from_bytes(data[:2], "big") + 2
    if len(data) - end - 2 == int.from_bytes(data[end : end + 2], "big"):
        with suppress(UnicodeDecodeError):
            return GroupId(intern(data[2:end].decode())), TopicName(intern(data[end + 2 :].decode()))
    found = decode(OffsetCommitKey, 0, data + bytes(4))
    return GroupId(intern(found.group)), TopicName(intern(found.topic))


def _read_offset_value(key: bytes, value: bytes) -> OffsetCommitValue:
    """Decode the value of a committed offset. A value with a topic id and without metadata has a fast path."""
    if len(value) == _PLAIN_OFFSET.size:
        version, offset, leader_epoch, length, commit_timestamp, tag, topic_id = _PLAIN_OFFSET.unpack(value)
        if version == OFFSET_WITH_TOPIC_ID and length == 1 and tag == _TOPIC_ID_TAG:
            return OffsetCommitValue(offset, leader_epoch, "", commit_timestamp, -1, shared_topic_id(topic_id))
    found = _read_value(OffsetCommitValue, _read_offset_key(key), value)
    assert isinstance(found, OffsetCommitValue)
    return found


@lru_cache(OFFSET_KEYS_CACHED_MAX)
def shared_topic_id(data: bytes) -> TopicId:
    """Return a topic id; cached, so that all offsets of a topic share one object."""
    return TopicId(data)


def _int16_of(data: bytes, part: str) -> int:
    if len(data) < 2:
        raise MalformedMessage(f"the {part} of a coordinator record has {len(data)} bytes, too few for a version")
    number: int = _int16.unpack_from(data)[0]
    return number
