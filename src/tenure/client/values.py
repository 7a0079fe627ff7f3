"""What the client hands to its users: plain values, no behaviour."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias


class TopicPartition(NamedTuple):
    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class SubscriptionPattern:
    """Topics whose whole name matches, in RE2's syntax: the group's coordinator looks (`group.protocol=consumer`)."""

    pattern: str


class OffsetAndMetadata(NamedTuple):
    """A position to commit, or one that was committed. `offset` is the next record to read."""

    offset: int
    metadata: str = ""
    leader_epoch: int = -1


class RecordMetadata(NamedTuple):
    """Where a record that was sent is now."""

    topic: str
    partition: int
    offset: int
    """-1 where the broker does not say: with `acks` 0, and after some repetitions."""


class Identity(NamedTuple):
    """Who a member was when it planned its work: what a commit is fenced by."""

    member_id: str
    group_instance_id: str | None
    generation_id: int


NO_IDENTITY: Final = Identity("", None, -1)


class GroupMetadata(NamedTuple):
    """For which group a transaction commits offsets, and as which of its members: what fences them (KIP-447)."""

    group_id: str
    identity: Identity = NO_IDENTITY
    """`NO_IDENTITY` for who is no member: nothing but the transactional id fences then."""


class OpenTransaction(NamedTuple):
    """What it takes to write in a transaction. May travel to the process that does."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    transaction_version: int
    """1: partitions are added by name; 2: by writing to them, and every end raises the epoch (KIP-890)."""


class Assigned(NamedTuple):
    """A seat was taken: these partitions, all that the member has, belong to `identity`."""

    identity: Identity
    partitions: tuple[TopicPartition, ...]
    added: tuple[TopicPartition, ...]
    """Those among them that the member did not have before."""


class Revoked(NamedTuple):
    """The group rebalances. Work on these partitions may still be committed until the revocation is acknowledged."""

    partitions: tuple[TopicPartition, ...]


class Lost(NamedTuple):
    """The seat is gone: nothing planned under it can be committed any more."""

    partitions: tuple[TopicPartition, ...]


Event: TypeAlias = Assigned | Revoked | Lost


class ListedOffset(NamedTuple):
    """An answer of ListOffsets. `offset` is -1 where no record is as young as was asked."""

    offset: int
    timestamp_ms: int
    leader_epoch: int


class PartitionDescription(NamedTuple):
    partition: int
    leader: int
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


class TopicDescription(NamedTuple):
    topic: str
    topic_id: bytes
    """16 raw bytes; all zero from a broker that has no topic ids."""
    partitions: tuple[PartitionDescription, ...]
    is_internal: bool
