"""Value types of the client's public interface."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tenure.values import (
    NO_IDENTITY,
    Assigned,
    Event,
    Identity,
    Lost,
    OffsetAndMetadata,
    Revoked,
    TopicPartition,
)

__all__ = [
    "NO_IDENTITY",
    "Assigned",
    "Event",
    "GroupMetadata",
    "Identity",
    "ListedOffset",
    "Lost",
    "OffsetAndMetadata",
    "OpenTransaction",
    "PartitionDescription",
    "RecordMetadata",
    "Revoked",
    "SubscriptionPattern",
    "TopicDescription",
    "TopicLayout",
    "TopicPartition",
]


@dataclass(frozen=True, slots=True)
class SubscriptionPattern:
    """Subscription to all topics whose whole name matches an RE2 expression.

    The group's coordinator evaluates the expression (`group.protocol=consumer`).
    """

    pattern: str


class RecordMetadata(NamedTuple):
    """Topic, partition and offset of a written record."""

    topic: str
    partition: int
    offset: int
    """Offset of the record; -1 if the broker does not return it: with `acks` 0, and after some retries."""


class GroupMetadata(NamedTuple):
    """Group id and member identity with which a transaction commits offsets (KIP-447)."""

    group_id: str
    identity: Identity = NO_IDENTITY
    """Identity of the member; `NO_IDENTITY` without a membership. Then only the transactional id fences zombies."""


class OpenTransaction(NamedTuple):
    """Data that a process needs to write in a transaction. Picklable, so that another process can use it."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    transaction_version: int
    """Level of Kafka's feature `transaction.version`.

    1: AddPartitionsToTxn adds partitions to the transaction. 2: Produce adds them, and the end of each transaction
    increments the producer epoch (KIP-890).
    """


class ListedOffset(NamedTuple):
    """Result of ListOffsets. `offset` is -1 if no record has the timestamp or a later one."""

    offset: int
    timestamp_ms: int
    leader_epoch: int


class PartitionDescription(NamedTuple):
    """Leader and replicas of a partition, as broker ids."""

    partition: int
    leader: int
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


class TopicDescription(NamedTuple):
    """Id and partitions of a topic."""

    topic: str
    topic_id: bytes
    """UUID of the topic as 16 bytes; all zero if the broker has no topic ids."""
    partitions: tuple[PartitionDescription, ...]
    is_internal: bool


class TopicLayout(NamedTuple):
    """Number of partitions of a topic, and racks of their replicas, for assignors."""

    partitions: int
    replica_racks: Sequence[Collection[str]] = ()
    """Racks of the brokers with a replica, by partition. Empty, or one entry per partition."""
