"""Descriptions of topics, for Metadata and DescribeTopicPartitions."""

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from tenure.broker.requests.context import Context
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.metadata.topic_names import why_illegal
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import BrokerId, PartitionId, TopicName

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic

PARTITIONS_AT_ONCE: Final = 128
"""Partitions that one step describes; each takes about a microsecond."""

T = TypeVar("T")
NewPartition: TypeAlias = Callable[[ErrorCode, PartitionId, BrokerId, int, list[BrokerId], list[BrokerId]], T]
"""Constructor with (error code, partition, leader, leader epoch, replicas, in-sync replicas)."""


def partitions(
    context: Context, topic: "Topic", indexes: Iterable[int], new: NewPartition[T]
) -> Generator[None, None, list[T]]:
    """Describe the topic's partitions with the given indexes, in steps. `new` creates each description.

    This broker is the leader and the only replica of each partition.
    """
    node_id, nodes = context.node_id, [context.node_id]
    leader_epoch = context.logs.leader_epoch
    found = (
        new(ErrorCode.NONE, PartitionId(index), node_id, leader_epoch(topic, index), nodes, nodes) for index in indexes
    )
    return (yield from in_steps(found, PARTITIONS_AT_ONCE))


def why_unknown(name: TopicName) -> ErrorCode:
    """Return the error code for a name without a topic; INVALID_TOPIC_EXCEPTION if no topic may have the name."""
    return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if why_illegal(name) is None else ErrorCode.INVALID_TOPIC_EXCEPTION
