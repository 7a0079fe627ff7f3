"""JoinGroup (API key 11).

Changes: v1 rebalance timeout, v2 throttle time, v4 MEMBER_ID_REQUIRED, v5 group.instance.id, v6 flexible encoding, v7
protocol type, nullable protocol name, v8 reason, v9 skip assignment.
"""

from tenure.broker.requests.context import Context
from tenure.broker.requests.group_request import GroupRequest, client_reason
from tenure.broker.requests.permissions import visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import to_group
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Joined
from tenure.coordinator.groups.commands import JoinGroup
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.messages import JoinGroupRequest, JoinGroupResponse, JoinGroupResponseMember
from tenure.protocol.types import GenerationId, MemberId


def command(message: JoinGroupRequest, request: GroupRequest) -> JoinGroup:
    rebalance_timeout_ms = message.rebalance_timeout_ms if request.version >= 1 else message.session_timeout_ms
    return JoinGroup(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        request.client_id or "",
        request.client_host,
        message.session_timeout_ms,
        rebalance_timeout_ms,
        message.protocol_type,
        [(protocol.name, protocol.metadata) for protocol in message.protocols],
        known_member_id_required=request.version >= 4,
        skip_assignment_supported=request.version >= 9,
        reason=client_reason(message.reason),
    )


def response(answer: Joined | Refused, request: GroupRequest) -> JoinGroupResponse:
    if isinstance(answer, Refused):
        return JoinGroupResponse(
            error_code=answer.error_code,
            generation_id=GenerationId(-1),
            protocol_name=None if request.version >= 7 else "",  # rule 2.4: "response on error"
            leader=MemberId(""),
            member_id=answer.member_id,
        )
    return JoinGroupResponse(
        generation_id=answer.generation_id,
        protocol_type=answer.protocol_type,
        protocol_name=answer.protocol_name,
        leader=answer.leader,
        skip_assignment=answer.skip_assignment,
        member_id=answer.member_id,
        members=[
            JoinGroupResponseMember(member.member_id, member.group_instance_id, member.metadata)
            for member in answer.members
        ],
    )


def authorize(context: Context, request: Request, _: JoinGroupRequest, join: JoinGroup) -> None:
    """Store in `join` which topics the client may DESCRIBE, as in Kafka.

    The join may cause the coordinator to match the regular expressions of other members against all topics. Then only
    topics that the client may DESCRIBE can match.
    """
    join.may_describe = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)


route = to_group(JoinGroupRequest, command, response, authorize)
