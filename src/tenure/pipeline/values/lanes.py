"""Partitions, lanes, and ranges of offsets."""

from dataclasses import dataclass
from typing import NamedTuple

from tenure.protocol.types import GenerationId, InstanceId, MemberId, PartitionId, TopicName
from tenure.values import Identity, TopicPartition


class Lane(NamedTuple):
    """Partition n of all co-partitioned input topics, with its state."""

    topics: tuple[TopicName, ...]
    partition: PartitionId

    def __str__(self) -> str:
        return f"{'+'.join(self.topics)}-{self.partition}"

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        return tuple(TopicPartition(topic, self.partition) for topic in self.topics)


@dataclass(frozen=True, slots=True)
class Range:
    """Records [start_offset, end_offset) of one partition."""

    topic: TopicName
    partition: PartitionId
    start_offset: int
    end_offset: int
    leader_epoch: int = -1
    topic_id: str | None = None
    """Topic id as Kafka's 22-character text; None if the broker does not send it."""

    def __len__(self) -> int:
        return self.end_offset - self.start_offset

    @property
    def topic_partition(self) -> TopicPartition:
        return TopicPartition(self.topic, self.partition)


@dataclass(frozen=True, slots=True)
class Writer:
    """Identity of the member that planned a batch, at plan time. The commit carries this identity.

    Therefore the group rejects the commit if the member lost the lane after planning, even if it got the lane back.
    """

    member_id: MemberId
    generation_id: GenerationId
    group_instance_id: InstanceId | None = None

    def __str__(self) -> str:
        return str(self.identity)

    @classmethod
    def of(cls, identity: Identity) -> "Writer":
        """Convert the client's identity of a member to a writer."""
        instance = identity.group_instance_id
        return cls(
            MemberId(identity.member_id),
            GenerationId(identity.generation_id),
            None if instance is None else InstanceId(instance),
        )

    @property
    def identity(self) -> Identity:
        """Identity of the member in its group."""
        return Identity(self.member_id, self.group_instance_id, self.generation_id)
