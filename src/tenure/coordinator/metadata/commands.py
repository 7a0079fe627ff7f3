"""What the metadata shard can be asked. Each request is one command; answers stand in `answers.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName


@dataclass(slots=True)
class NewTopic:
    """-1 for partitions or replicas: the broker's default. `assignments` excludes both."""

    name: TopicName
    partitions: int = -1
    replication_factor: int = -1
    assignments: Mapping[PartitionId, Sequence[BrokerId]] = field(default_factory=dict)
    configs: Mapping[str, str | None] = field(default_factory=dict)
    """Checked by the caller, who knows the topic settings; kept here."""


@dataclass(slots=True)
class CreateTopics:
    """Answered `TopicsCreated`."""

    topics: Sequence[NewTopic]
    validate_only: bool = False


@dataclass(slots=True)
class TopicToDelete:
    """By name, or by id with `name` None."""

    name: TopicName | None
    topic_id: TopicId


@dataclass(slots=True)
class DeleteTopics:
    """Answered `TopicsRemoved`. The broker then tells the groups shards and removes the partitions' files."""

    topics: Sequence[TopicToDelete]


@dataclass(slots=True)
class MorePartitions:
    """`count` is the new total. `assignments`, if given, names the replicas of each new partition in order."""

    name: TopicName
    count: int
    assignments: Sequence[Sequence[BrokerId]] | None = None


@dataclass(slots=True)
class CreatePartitions:
    """Answered `PartitionsCreated`."""

    topics: Sequence[MorePartitions]
    validate_only: bool = False


@dataclass(slots=True)
class DescribeTopics:
    """Answered `TopicsDescribed`, once what it tells is durable. `names` None: all."""

    names: Sequence[TopicName] | None = None


@dataclass(slots=True)
class AllocateProducerIds:
    """Answered `ProducerIdBlock`."""
