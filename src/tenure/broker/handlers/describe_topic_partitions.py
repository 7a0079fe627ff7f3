"""DescribeTopicPartitions (75, KIP-966): topics in the order of their names, so many partitions in one answer, and a
cursor that says where the next one goes on.
"""

from typing import TYPE_CHECKING, Final

from tenure.broker.handlers.metadata import ALL_TOPIC_OPERATIONS
from tenure.broker.keys import MAX_REQUEST_PARTITION_SIZE_LIMIT
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.broker.topic_names import INTERNAL_TOPICS, is_valid_topic_name
from tenure.coordinator.metadata.commands import DescribeTopics
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    Cursor,
    DescribeTopicPartitionsRequest,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)
from tenure.protocol.types import PartitionId, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.coordinator.metadata.topics import Topic

START: Final = Cursor(TopicName(""), PartitionId(0))


def handle(broker: "Broker", request: Request, message: DescribeTopicPartitionsRequest) -> None:
    def respond(_: object) -> None:
        """The shard has answered, so what it knows by now is durable and may be told."""
        request.answer(_refusal(message) or _response(broker, message))

    broker.metadata.ask(DescribeTopics([]), respond)


def _refusal(message: DescribeTopicPartitionsRequest) -> DescribeTopicPartitionsResponse | None:
    """A cursor stands at a partition of a topic that is asked for."""
    cursor, names = message.cursor, [topic.name for topic in message.topics]
    if cursor is None or (cursor.partition_index >= 0 and (not names or cursor.topic_name in names)):
        return None
    refused = [DescribeTopicPartitionsResponseTopic(ErrorCode.INVALID_REQUEST, name) for name in names]
    return DescribeTopicPartitionsResponse(topics=refused)


def _response(broker: "Broker", message: DescribeTopicPartitionsRequest) -> DescribeTopicPartitionsResponse:
    cursor = message.cursor or START
    names = {topic.name for topic in message.topics} or set(broker.topics.names)
    room = max(1, min(message.response_partition_limit, broker.settings[MAX_REQUEST_PARTITION_SIZE_LIMIT]))
    described: list[DescribeTopicPartitionsResponseTopic] = []
    for name in sorted(name for name in names if name >= cursor.topic_name):
        if room == 0:
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=Cursor(name, PartitionId(0)))
        topic = broker.topics.named(name)
        if topic is None:
            described.append(_unknown(name))
            continue
        first = cursor.partition_index if name == cursor.topic_name else 0
        end = min(topic.partitions, first + room)
        described.append(_described(broker, topic, range(first, end)))
        if end < topic.partitions:
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=Cursor(name, PartitionId(end)))
        room -= max(0, end - first)
    return DescribeTopicPartitionsResponse(topics=described)


def _unknown(name: TopicName) -> DescribeTopicPartitionsResponseTopic:
    is_valid = is_valid_topic_name(name)
    error_code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if is_valid else ErrorCode.INVALID_TOPIC_EXCEPTION
    return DescribeTopicPartitionsResponseTopic(
        error_code, name, is_internal=name in INTERNAL_TOPICS, topic_authorized_operations=ALL_TOPIC_OPERATIONS
    )


def _described(broker: "Broker", topic: "Topic", partitions: range) -> DescribeTopicPartitionsResponseTopic:
    nodes = [broker.node_id]
    return DescribeTopicPartitionsResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.topic_id,
        topic.name in INTERNAL_TOPICS,
        [
            DescribeTopicPartitionsResponsePartition(
                ErrorCode.NONE,
                PartitionId(index),
                broker.node_id,
                broker.logs.leader_epoch(topic, index),
                replica_nodes=nodes,
                isr_nodes=nodes,
                eligible_leader_replicas=[],
                last_known_elr=[],
            )
            for index in partitions
        ],
        ALL_TOPIC_OPERATIONS,
    )


route = Route(DescribeTopicPartitionsRequest, handle)
