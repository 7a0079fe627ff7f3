"""ConsumerGroupHeartbeat (68). v1 regular expressions, and member ids that clients choose."""

from collections.abc import Mapping

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import to_group
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatAssignment,
    HeartbeatTopicPartitions,
)
from tenure.protocol.types import PartitionId, TopicId


def command(message: ConsumerGroupHeartbeatRequest, request: Request) -> ConsumerHeartbeat:
    owned = message.topic_partitions
    return ConsumerHeartbeat(
        message.group_id,
        message.member_id,
        message.member_epoch,
        message.instance_id,
        message.rack_id,
        message.rebalance_timeout_ms,
        message.subscribed_topic_names,
        message.subscribed_topic_regex,
        message.server_assignor,
        None if owned is None else [(topic.topic_id, topic.partitions) for topic in owned],
        request.client_id or "",
        request.client_host,
        draws_own_id=request.version >= 1,
    )


def response(answer: HeartbeatAnswered | Refused, _: Request) -> ConsumerGroupHeartbeatResponse:
    if isinstance(answer, Refused):
        return ConsumerGroupHeartbeatResponse(error_code=answer.error_code, error_message=answer.message or None)
    return ConsumerGroupHeartbeatResponse(
        member_id=answer.member_id,
        member_epoch=answer.member_epoch,
        heartbeat_interval_ms=answer.heartbeat_interval_ms,
        assignment=None if answer.assignment is None else _assignment(answer.assignment),
    )


def _assignment(assigned: Mapping[TopicId, Mapping[PartitionId, int]]) -> HeartbeatAssignment:
    return HeartbeatAssignment(
        [HeartbeatTopicPartitions(topic_id, list(partitions)) for topic_id, partitions in assigned.items()]
    )


def authorize(
    context: Context, request: Request, message: ConsumerGroupHeartbeatRequest, beat: ConsumerHeartbeat
) -> ConsumerGroupHeartbeatResponse | None:
    """Refuse a member that may not DESCRIBE all topics that it subscribes to by name (KAFKA-18813)."""
    for name in message.subscribed_topic_names or ():
        if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC, name):
            return ConsumerGroupHeartbeatResponse(error_code=ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    beat.may_describe = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    return None


route = to_group(ConsumerGroupHeartbeatRequest, command, response, authorize)
