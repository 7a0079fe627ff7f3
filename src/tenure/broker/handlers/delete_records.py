"""DeleteRecords (API key 21). Changes: v2 flexible encoding.

Offset -1 stands for the high watermark. As soon as the request is answered, consumers no longer see the records. Their
segments are removed when retention is enforced next. As in Kafka, the request is refused for a topic whose only cleanup
policy is `compact`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DeleteRecordsPartition,
    DeleteRecordsPartitionResult,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic

HIGH_WATERMARK: Final = -1
NO_OFFSET: Final = -1


def handle(context: Context, request: Request, message: DeleteRecordsRequest) -> Iterator[None]:
    topics = []
    for requested in message.topics:
        if is_allowed(context, request, AclOperation.DELETE, ResourceType.TOPIC, requested.name):
            partitions = yield from in_steps(
                _partition(context, context.topics.named(requested.name), partition)
                for partition in requested.partitions
            )
        else:
            refused = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            partitions = [
                DeleteRecordsPartitionResult(partition.partition_index, NO_OFFSET, refused)
                for partition in requested.partitions
            ]
        topics.append(DeleteRecordsTopicResult(requested.name, partitions))
        yield
    yield from request.answer_in_steps(DeleteRecordsResponse(topics=topics))


def _partition(
    context: Context, topic: "Topic | None", requested: DeleteRecordsPartition
) -> DeleteRecordsPartitionResult:
    index = requested.partition_index
    if topic is None or not 0 <= index < topic.partitions:
        return DeleteRecordsPartitionResult(index, NO_OFFSET, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if topic.name in INTERNAL_TOPICS:
        return DeleteRecordsPartitionResult(index, NO_OFFSET, ErrorCode.INVALID_TOPIC_EXCEPTION)
    try:
        log = context.logs.of(topic, index)
        if not log.partition.settings.deletes:
            return DeleteRecordsPartitionResult(index, NO_OFFSET, ErrorCode.POLICY_VIOLATION)
        before = log.high_watermark if requested.offset == HIGH_WATERMARK else requested.offset
        return DeleteRecordsPartitionResult(index, log.partition.delete_records(before), ErrorCode.NONE)
    except LOG_ERRORS as error:
        return DeleteRecordsPartitionResult(index, NO_OFFSET, error_code_of(error))


route = Route(DeleteRecordsRequest, handle)
