"""Conversion between a shard's durable records and the bytes of its log."""

from typing import Any, Final, Protocol, TypeAlias, cast

from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.protocol.coordinator_logs import cluster_metadata, consumer_offsets
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupTargetAssignmentMemberValue,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.message import MalformedMessage, Message

GROUP_METADATA_VERSION: Final = 3
"""Version that Kafka writes since 2.3; version 4 exists and is not written (rule 6.3)."""
CONSUMER_GROUP_VERSION: Final = 0
"""The only version of all records of consumer groups."""
OFFSET_TYPE: Final = b"\0\1"
"""First two bytes of the key of a committed offset: its type."""
OFFSET_COMMIT_VERSION: Final = 4
"""Version that Kafka 4.3 writes: the first with a topic id."""
OFFSET_COMMIT_EXPIRING_VERSION: Final = 1
"""The only version of a committed offset that contains an expiry time."""


Content: TypeAlias = tuple[bytes | None, bytes | None]
"""Key and value of a record, undecoded."""


class Codec(Protocol):
    """Encoder and decoder of the records in the log of one coordinator."""

    ALIAS_PREFIX: bytes | None
    """First two bytes of the keys for which `compaction_key` returns another key. None if the log is never read as
    columns."""

    def encode(self, record: LogRecord | TransactionalRecord) -> tuple[bytes | None, bytes | None]:
        """Encode key and value of the record in the log."""

    def decode(self, key: bytes | None, value: bytes | None) -> LogRecord | None:
        """Decode a record. Return None for an unknown record type that may be skipped. Raises MalformedMessage."""

    def compaction_key(self, key: bytes | None) -> bytes | None:
        """Return the key by which records replace each other: of all records with an equal result, the last one counts.

        None means that no later record replaces this one.
        """


class GroupsCodec:
    """Codec of `__consumer_offsets` (rule 6.3)."""

    ALIAS_PREFIX: bytes | None = b"\0\0"

    def encode(self, record: LogRecord | TransactionalRecord) -> tuple[bytes | None, bytes | None]:
        key: Any = record.key
        value: Any = record.value
        if value is None:
            content = None
        elif type(value) is TargetAssignment:
            content = value.encode(CONSUMER_GROUP_VERSION)
        else:
            content = consumer_offsets.encode_value(value, _version_of(value))
        encoded = consumer_offsets.encode_key(key), content
        if type(key) is not OffsetCommitKey:  # nearly all records are offsets
            self.group_encoded(key, value)
        return encoded

    def group_encoded(self, key: object, value: object) -> None:
        """Do nothing. A subclass can override this to observe each record of a group that is about to be written.

        This method is not called for committed offsets.
        """

    def decode(self, key: bytes | None, value: bytes | None) -> LogRecord | None:
        if key is None:
            raise MalformedMessage("a record of __consumer_offsets has no key")
        if key[:2] == OFFSET_TYPE:
            return LogRecord(*consumer_offsets.read_offset(key, value))
        found = consumer_offsets.decode_record(key, value)
        if isinstance(found, consumer_offsets.UnknownRecord):
            return None
        if type(found[1]) is ConsumerGroupTargetAssignmentMemberValue:
            return LogRecord(found[0], TargetAssignment.of_record(found[1]))
        return LogRecord(*found)

    def compaction_key(self, key: bytes | None) -> bytes | None:
        """Return the key unchanged, or with type 1 instead of type 0. None for a record without a key.

        Keys of both types are those of committed offsets; type 0 is in very old logs only. A record with one type
        replaces an earlier record with the other type.
        """
        return b"\0\1" + key[2:] if key is not None and key[:2] == self.ALIAS_PREFIX else key


def _version_of(value: object) -> int:
    if type(value) is OffsetCommitValue:
        return OFFSET_COMMIT_VERSION if value.expire_timestamp < 0 else OFFSET_COMMIT_EXPIRING_VERSION
    return GROUP_METADATA_VERSION if type(value) is GroupMetadataValue else CONSUMER_GROUP_VERSION


class MetadataCodec:
    """Codec of `__cluster_metadata`, whose records have no keys, so that no record replaces another."""

    ALIAS_PREFIX: bytes | None = None

    def encode(self, record: LogRecord | TransactionalRecord) -> tuple[bytes | None, bytes | None]:
        return None, cluster_metadata.encode_record(cast("Message", record.value))

    def decode(self, key: bytes | None, value: bytes | None) -> LogRecord | None:  # noqa: ARG002
        if value is None:
            raise MalformedMessage("a record of __cluster_metadata has no value")
        found = cluster_metadata.decode_record(value)
        return None if isinstance(found, cluster_metadata.UnknownRecord) else LogRecord(None, found)

    def compaction_key(self, key: bytes | None) -> bytes | None:  # noqa: ARG002
        return None
