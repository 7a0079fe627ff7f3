"""DescribeTopicPartitions (75, KIP-966): topics by name, a bounded number of partitions, and a cursor for the next."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from tenure.broker.config.keys import MAX_REQUEST_PARTITION_SIZE_LIMIT
from tenure.broker.requests.authorized_operations import TOPIC
from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.topic_descriptions import partitions, why_unknown
from tenure.broker.topic_names import INTERNAL_TOPICS
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
    from tenure.coordinator.metadata.topics import Topic

START: Final = Cursor(TopicName(""), PartitionId(0))
WITHOUT_OTHER_REPLICAS: Final = partial(
    DescribeTopicPartitionsResponsePartition, eligible_leader_replicas=[], last_known_elr=[]
)


def handle(context: Context, request: Request, message: DescribeTopicPartitionsRequest) -> None:
    def respond(_: object) -> None:
        """Respond after the shard's answer: its state is durable then."""
        request.go_on(_answer(context, request, message))

    context.metadata.ask(DescribeTopics([]), respond)


def _refusal(message: DescribeTopicPartitionsRequest) -> DescribeTopicPartitionsResponse | None:
    """Return the error of the request: a cursor must be at a partition of a requested topic."""
    cursor, names = message.cursor, [topic.name for topic in message.topics]
    if cursor is None or (cursor.partition_index >= 0 and (not names or cursor.topic_name in names)):
        return None
    refused = [DescribeTopicPartitionsResponseTopic(ErrorCode.INVALID_REQUEST, name) for name in names]
    return DescribeTopicPartitionsResponse(topics=refused)


def _answer(context: Context, request: Request, message: DescribeTopicPartitionsRequest) -> Iterator[None]:
    response = _refusal(message) or (yield from _response(context, message))
    yield from request.answer_in_steps(response)


def _response(
    context: Context, message: DescribeTopicPartitionsRequest
) -> Generator[None, None, DescribeTopicPartitionsResponse]:
    cursor = message.cursor or START
    names = {topic.name for topic in message.topics} or set(context.topics.names)
    room = max(1, min(message.response_partition_limit, context.settings[MAX_REQUEST_PARTITION_SIZE_LIMIT]))
    described: list[DescribeTopicPartitionsResponseTopic] = []
    for name in sorted(name for name in names if name >= cursor.topic_name):
        if room == 0:
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=Cursor(name, PartitionId(0)))
        topic = context.topics.named(name)
        if topic is None:
            described.append(_unknown(name))
            yield
            continue
        first = cursor.partition_index if name == cursor.topic_name else 0
        end = min(topic.partitions, first + room)
        described.append((yield from _described(context, topic, range(first, end))))
        if end < topic.partitions:
            return DescribeTopicPartitionsResponse(topics=described, next_cursor=Cursor(name, PartitionId(end)))
        room -= max(0, end - first)
    return DescribeTopicPartitionsResponse(topics=described)


def _unknown(name: TopicName) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        why_unknown(name),
        name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=TOPIC,
    )


def _described(
    context: Context, topic: "Topic", indexes: range
) -> Generator[None, None, DescribeTopicPartitionsResponseTopic]:
    described = yield from partitions(context, topic, indexes, WITHOUT_OTHER_REPLICAS)
    return DescribeTopicPartitionsResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.topic_id,
        topic.name in INTERNAL_TOPICS,
        described,
        TOPIC,
    )


route = Route(DescribeTopicPartitionsRequest, handle)
