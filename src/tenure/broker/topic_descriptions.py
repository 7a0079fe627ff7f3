"""What Metadata and DescribeTopicPartitions say of topics alike."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tenure.broker.topic_names import is_valid_topic_name
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import BrokerId, PartitionId, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.coordinator.metadata.topics import Topic

T = TypeVar("T")
NewPartition: TypeAlias = Callable[[ErrorCode, PartitionId, BrokerId, int, list[BrokerId], list[BrokerId]], T]
"""(error code, partition, leader, leader epoch, replicas, those in sync)"""


def partitions(broker: "Broker", topic: "Topic", indexes: Iterable[int], new: NewPartition[T]) -> list[T]:
    """Each is led by the one broker that there is, and has no other replica."""
    node_id, nodes = broker.node_id, [broker.node_id]
    leader_epoch = broker.logs.leader_epoch
    return [
        new(ErrorCode.NONE, PartitionId(index), node_id, leader_epoch(topic, index), nodes, nodes) for index in indexes
    ]


def why_unknown(name: TopicName) -> ErrorCode:
    """What is said of a topic that is not there."""
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if is_valid_topic_name(name) else ErrorCode.INVALID_TOPIC_EXCEPTION
