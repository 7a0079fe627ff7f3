"""What the metadata shard can be asked. Each request is one command; answers stand in `answers.py`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tenure.coordinator.values import value
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


@value
class NewTopic:
    """-1 for partitions or replicas: the broker's default. `assignments` excludes both."""

    name: TopicName
    partitions: int = -1
    replication_factor: int = -1
    assignments: Mapping[PartitionId, Sequence[BrokerId]] = NONE
    configs: Mapping[str, str | None] = NONE
    """Checked by the caller, who knows the topic settings; kept here."""


@value
class CreateTopics:
    """Answered `TopicsCreated`."""

    topics: Sequence[NewTopic]
    validate_only: bool = False


@value
class TopicToDelete:
    """By name, or by id with `name` None."""

    name: TopicName | None
    topic_id: TopicId


@value
class DeleteTopics:
    """Answered `TopicsRemoved`. The broker then tells the groups shards and removes the partitions' files."""

    topics: Sequence[TopicToDelete]


@value
class MorePartitions:
    """`count` is the new total. `assignments`, if given, names the replicas of each new partition in order."""

    name: TopicName
    count: int
    assignments: Sequence[Sequence[BrokerId]] | None = None


@value
class CreatePartitions:
    """Answered `PartitionsCreated`."""

    topics: Sequence[MorePartitions]
    validate_only: bool = False


@value
class DescribeTopics:
    """Answered `TopicsDescribed`, once what it tells is durable. `names` None: all."""

    names: Sequence[TopicName] | None = None


@value
class AllocateProducerIds:
    """Answered `ProducerIdBlock`."""
