"""Value types of group members that the client and pipelines share."""

from typing import Final, NamedTuple, TypeAlias


class TopicPartition(NamedTuple):
    """A partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class OffsetAndMetadata(NamedTuple):
    """Committed position, or a position to commit. `offset` is that of the next record to read."""

    offset: int
    metadata: str = ""
    leader_epoch: int = -1
    """Leader epoch of the last record that was read; -1 if it is unknown."""


class Identity(NamedTuple):
    """Identity of a member when it planned its work. The commit of this work carries it.

    Therefore the group rejects the commit if the member lost a partition after planning, even if it got the partition
    back.
    """

    member_id: str
    group_instance_id: str | None
    generation_id: int

    def __str__(self) -> str:
        return f"{self.group_instance_id or self.member_id} (generation {self.generation_id})"


NO_IDENTITY: Final = Identity("", None, -1)


class Assigned(NamedTuple):
    """Event: the member received an assignment.

    `partitions` are all partitions that the member now owns. Commits of these partitions carry `identity`.
    """

    identity: Identity
    partitions: tuple[TopicPartition, ...]
    added: tuple[TopicPartition, ...]
    """Partitions that the member did not own before this assignment, or that it lost and got back."""


class Revoked(NamedTuple):
    """Event: a rebalance revokes these partitions. They can be committed until the revocation is acknowledged."""

    partitions: tuple[TopicPartition, ...]


class Lost(NamedTuple):
    """Event: the membership is lost. Work that was planned under it cannot be committed."""

    partitions: tuple[TopicPartition, ...]


Event: TypeAlias = Assigned | Revoked | Lost
