"""DescribeTopicPartitions (API key 75, KIP-966): a bounded number of partitions, with a cursor for the rest."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from tenure.broker.config.keys import MAX_REQUEST_PARTITION_SIZE_LIMIT
from tenure.broker.requests.authorized_operations import operations
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import allowed_names, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.topic_descriptions import partitions, why_unknown
from tenure.coordinator.metadata.commands import DescribeTopics
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS
from tenure.protocol.acls import AclOperation, ResourceType
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
        """Respond after the metadata shard has answered, so that the response contains durable topics only.

        The shard answers when all topics that it had before the command are durable.
        """
        request.go_on(_answer(context, request, message))

    context.metadata.ask(DescribeTopics([]), request.callback(respond))


def _refusal(message: DescribeTopicPartitionsRequest) -> DescribeTopicPartitionsResponse | None:
    """Return an error if the cursor is invalid, else None. A valid cursor is in a requested topic."""
    cursor, names = message.cursor, [topic.name for topic in message.topics]
    if cursor is None or (cursor.partition_index >= 0 and (not names or cursor.topic_name in names)):
        return None
    refused = [DescribeTopicPartitionsResponseTopic(ErrorCode.INVALID_REQUEST, name) for name in names]
    return DescribeTopicPartitionsResponse(topics=refused)


def _answer(context: Context, request: Request, message: DescribeTopicPartitionsRequest) -> Iterator[None]:
    response = _refusal(message) or (yield from _response(context, request, message))
    yield from request.answer_in_steps(response)


def _response(
    context: Context, request: Request, message: DescribeTopicPartitionsRequest
) -> Generator[None, None, DescribeTopicPartitionsResponse]:
    cursor = message.cursor or START
    names, refused = _authorized(context, request, message)
    room = max(1, min(message.response_partition_limit, context.settings[MAX_REQUEST_PARTITION_SIZE_LIMIT]))
    described: list[DescribeTopicPartitionsResponseTopic] = []
    for name in sorted(name for name in names if name >= cursor.topic_name):
        if room == 0:
            following = Cursor(name, PartitionId(0))
            return DescribeTopicPartitionsResponse(topics=described + refused, next_cursor=following)
        topic = context.topics.named(name)
        if topic is None:
            described.append(_unknown(context, request, name))
            yield
            continue
        first = cursor.partition_index if name == cursor.topic_name else 0
        end = min(topic.partitions, first + room)
        described.append((yield from _described(context, request, topic, range(first, end))))
        if end < topic.partitions:
            following = Cursor(name, PartitionId(end))
            return DescribeTopicPartitionsResponse(topics=described + refused, next_cursor=following)
        room -= max(0, end - first)
    return DescribeTopicPartitionsResponse(topics=described + refused)


def _authorized(
    context: Context, request: Request, message: DescribeTopicPartitionsRequest
) -> tuple[set[TopicName], list[DescribeTopicPartitionsResponseTopic]]:
    """Return the topics to describe, and the responses for named topics that the client may not DESCRIBE."""
    names = {topic.name for topic in message.topics}
    if not names:
        may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
        return {name for name in context.topics.names if may_see is None or may_see(name)}, []
    allowed = allowed_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    forbidden = sorted(name for name in names if name not in allowed)
    error_code = ErrorCode.TOPIC_AUTHORIZATION_FAILED
    return names.difference(forbidden), [DescribeTopicPartitionsResponseTopic(error_code, name) for name in forbidden]


def _unknown(context: Context, request: Request, name: TopicName) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        why_unknown(name),
        name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=operations(context, request, ResourceType.TOPIC, name),
    )


def _described(
    context: Context, request: Request, topic: "Topic", indexes: range
) -> Generator[None, None, DescribeTopicPartitionsResponseTopic]:
    described = yield from partitions(context, topic, indexes, WITHOUT_OTHER_REPLICAS)
    return DescribeTopicPartitionsResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.topic_id,
        topic.name in INTERNAL_TOPICS,
        described,
        operations(context, request, ResourceType.TOPIC, topic.name),
    )


route = Route(DescribeTopicPartitionsRequest, handle)
