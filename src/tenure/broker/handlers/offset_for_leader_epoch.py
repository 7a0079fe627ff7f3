"""OffsetForLeaderEpoch (API key 23).

Changes: v2 current leader epoch and throttle time, v3 replica id, v4 flexible encoding.

A consumer sends the leader epoch of its last record. From the end offset of that epoch it sees whether the log still
has the record, or was truncated (KIP-320).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.offset_for_leader_epoch import EpochEndOffset
from tenure.protocol.messages import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopicResult,
)

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic

NO_EPOCH: Final = -1


def handle(context: Context, request: Request, message: OffsetForLeaderEpochRequest) -> Iterator[None]:
    topics = []
    authorization = context.authorization
    is_replica = authorization is None or authorization.would_allow(
        request, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, CLUSTER_NAME
    )
    for topic in message.topics:
        if is_replica or is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC, topic.topic):
            partitions = yield from in_steps(
                _partition(context, context.topics.named(topic.topic), requested) for requested in topic.partitions
            )
        else:
            refused = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            partitions = [EpochEndOffset(refused, requested.partition) for requested in topic.partitions]
        topics.append(OffsetForLeaderTopicResult(topic.topic, partitions))
        yield
    yield from request.answer_in_steps(OffsetForLeaderEpochResponse(topics=topics))


def _partition(context: Context, topic: "Topic | None", requested: OffsetForLeaderPartition) -> EpochEndOffset:
    if topic is None or not 0 <= requested.partition < topic.partitions:
        return EpochEndOffset(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, requested.partition)
    try:
        log = context.logs.of(topic, requested.partition)
    except LOG_ERRORS as error:
        return EpochEndOffset(error_code_of(error), requested.partition)
    if error_code := log.check_epoch(requested.current_leader_epoch):
        return EpochEndOffset(error_code, requested.partition)
    end = log.partition.end_offset_for_epoch(requested.leader_epoch)
    if end.leader_epoch == NO_EPOCH:
        return EpochEndOffset(ErrorCode.NONE, requested.partition)
    return EpochEndOffset(
        ErrorCode.NONE, requested.partition, end.leader_epoch, min(end.end_offset, log.high_watermark)
    )


route = Route(OffsetForLeaderEpochRequest, handle)
