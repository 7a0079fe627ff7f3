"""OffsetDelete (API key 47).

In the response, partitions that do not exist or that the client may not READ come first. If the whole group has an
error, the response contains no partitions (rule 2.17).
"""

from collections.abc import Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.partition_results import Result, answer_by_topic
from tenure.broker.requests.permissions import allowed_names, is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import OffsetsDeleted
from tenure.coordinator.groups.commands import DeleteOffsets
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetDeleteRequest,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from tenure.protocol.types import PartitionId, TopicName


def handle(context: Context, request: Request, message: OffsetDeleteRequest) -> Iterator[None]:
    if not is_allowed(context, request, AclOperation.DELETE, ResourceType.GROUP, message.group_id):
        request.answer(OffsetDeleteResponse(error_code=ErrorCode.GROUP_AUTHORIZATION_FAILED))
        return
    allowed = allowed_names(context, request, AclOperation.READ, ResourceType.TOPIC)
    unknown: list[Result] = []
    wanted: list[tuple[TopicName, PartitionId]] = []
    for requested in message.topics:
        topic = context.topics.named(requested.name)
        for each in requested.partitions:
            if requested.name not in allowed:
                unknown.append((requested.name, each.partition_index, ErrorCode.TOPIC_AUTHORIZATION_FAILED))
            elif topic is not None and 0 <= each.partition_index < topic.partitions:
                wanted.append((requested.name, each.partition_index))
            else:
                unknown.append((requested.name, each.partition_index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
            yield

    def respond(answer: OffsetsDeleted | Refused) -> None:
        if isinstance(answer, Refused):
            request.answer(OffsetDeleteResponse(error_code=answer.error_code))
        else:
            deleted = ((*where, code) for where, code in zip(wanted, answer.error_codes, strict=True))
            results, new_topic = [*unknown, *deleted], OffsetDeleteResponseTopic
            answer_by_topic(request, results, new_topic, OffsetDeleteResponsePartition, OffsetDeleteResponse)

    context.groups.ask(message.group_id, DeleteOffsets(message.group_id, wanted), request.callback(respond))


route = Route(OffsetDeleteRequest, handle)
