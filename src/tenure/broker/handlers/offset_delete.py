"""OffsetDelete (47). Topics and partitions that do not exist are refused here, and stand before the others in the
response; an error of the whole group leaves all of them out (rule 2.17).
"""

from collections.abc import Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import OffsetsDeleted
from tenure.coordinator.groups.commands import DeleteOffsets
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetDeleteRequest,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from tenure.protocol.types import PartitionId, TopicName

Results = list[tuple[tuple[TopicName, PartitionId], ErrorCode]]


def handle(context: Context, request: Request, message: OffsetDeleteRequest) -> Iterator[None]:
    refused: Results = []
    wanted: list[tuple[TopicName, PartitionId]] = []
    for asked in message.topics:
        for partition in asked.partitions:
            topic = context.topics.named(asked.name)
            where = asked.name, partition.partition_index
            if topic is None or not 0 <= partition.partition_index < topic.partitions:
                refused.append((where, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
            else:
                wanted.append(where)
            yield

    def respond(answer: object) -> None:
        if isinstance(answer, OffsetsDeleted):
            request.go_on(_answer(request, refused + list(zip(wanted, answer.error_codes, strict=True))))
        elif isinstance(answer, Refused):
            request.answer(OffsetDeleteResponse(error_code=answer.error_code))

    context.groups.ask(message.group_id, DeleteOffsets(message.group_id, wanted), respond)


def _answer(request: Request, results: Results) -> Iterator[None]:
    topics: dict[TopicName, OffsetDeleteResponseTopic] = {}
    for (topic, partition), error_code in results:
        if topic not in topics:
            topics[topic] = OffsetDeleteResponseTopic(topic)
        topics[topic].partitions.append(OffsetDeleteResponsePartition(partition, error_code))
        yield
    yield from request.answer_in_steps(OffsetDeleteResponse(topics=list(topics.values())), len(results))


route = Route(OffsetDeleteRequest, handle)
