"""The records of `__consumer_offsets`: what a group coordinator remembers (rule 6.3).

A key is an int16 type and its fields; a value is an int16 version and its fields; no value is a tombstone. Unknown
types are for the reader to skip, an unknown version of a known value is an error: it would lose a group.
"""

from functools import lru_cache
from struct import Struct as Packer
from typing import Final, NamedTuple, TypeAlias

from tenure.limits import OFFSET_KEYS_REMEMBERED_MAX
from tenure.protocol.codec import decode, encode
from tenure.protocol.generated.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GroupId, PartitionId, TopicName

__all__ = [
    "GroupMetadataKey",
    "GroupMetadataValue",
    "Key",
    "MemberMetadata",
    "OffsetCommitKey",
    "OffsetCommitValue",
    "UnknownRecord",
    "Value",
    "decode_record",
    "encode_key",
    "encode_value",
]

Key: TypeAlias = OffsetCommitKey | GroupMetadataKey
Value: TypeAlias = OffsetCommitValue | GroupMetadataValue


class UnknownRecord(NamedTuple):
    """A record of a type that this version does not know."""

    type: int


_int16: Final = Packer(">h")
_int32: Final = Packer(">i")
_KINDS: Final[dict[int, tuple[type[Key], type[Value]]]] = {
    0: (OffsetCommitKey, OffsetCommitValue),  # very old logs; the same fields as type 1
    1: (OffsetCommitKey, OffsetCommitValue),
    2: (GroupMetadataKey, GroupMetadataValue),
}


def encode_key(key: Key) -> bytes:
    if type(key) is OffsetCommitKey:
        return _offset_key(key.group, key.topic, key.partition)
    return _int16.pack(key.KEY) + encode(key, 0)


@lru_cache(OFFSET_KEYS_REMEMBERED_MAX)
def _offset_key(group: GroupId, topic: TopicName, partition: PartitionId) -> bytes:
    """The same partitions are committed again and again."""
    return _int16.pack(OffsetCommitKey.KEY) + encode(OffsetCommitKey(group, topic, partition), 0)


def encode_value(value: Value, version: int) -> bytes:
    return _int16.pack(version) + encode(value, version)


def decode_record(key: bytes, value: bytes | None) -> tuple[Key, Value | None] | UnknownRecord:
    """(key, value), the value None for a tombstone; MalformedMessage if either cannot be read."""
    kind = _int16_of(key, "key")
    if kind not in _KINDS:
        return UnknownRecord(kind)
    key_class, value_class = _KINDS[kind]
    found = decode(key_class, 0, key, 2) if kind > OffsetCommitKey.KEY else _read_offset_key(key)
    if value is None:
        return found, None
    version = _int16_of(value, "value")
    if version not in value_class.VERSIONS:
        raise MalformedMessage(f"{value_class.__name__} v{version} of {found} is not known")
    return found, decode(value_class, version, value, 2)


def _read_offset_key(data: bytes) -> OffsetCommitKey:
    """As `decode` reads it, but that the names of a group and a topic are one string for all the offsets they have."""
    group_end = 4 + int.from_bytes(data[2:4], "big")
    topic_end = group_end + 2 + int.from_bytes(data[group_end : group_end + 2], "big")
    if topic_end + 4 != len(data):
        return decode(OffsetCommitKey, 0, data, 2)  # which says what is wrong
    group, topic = _name(data[4:group_end]), _name(data[group_end + 2 : topic_end])
    return OffsetCommitKey(GroupId(group), TopicName(topic), PartitionId(_int32.unpack_from(data, topic_end)[0]))


@lru_cache(OFFSET_KEYS_REMEMBERED_MAX)
def _name(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise MalformedMessage(f"{data!r} in an offset's key is not UTF-8") from error


def _int16_of(data: bytes, what: str) -> int:
    if len(data) < 2:
        raise MalformedMessage(f"the {what} of a coordinator record has {len(data)} bytes")
    number: int = _int16.unpack_from(data)[0]
    return number
