"""SyncGroup (API key 14).

Changes: v1 throttle time, v3 group.instance.id, v4 flexible encoding, v5 protocol type and name, required.
"""

from tenure.broker.requests.group_request import GroupRequest
from tenure.broker.requests.route import to_group
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Synced
from tenure.coordinator.groups.commands import SyncGroup
from tenure.protocol.messages import SyncGroupRequest, SyncGroupResponse


def command(message: SyncGroupRequest, request: GroupRequest) -> SyncGroup:
    return SyncGroup(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        message.generation_id,
        message.protocol_type,
        message.protocol_name,
        {assignment.member_id: assignment.assignment for assignment in message.assignments},
        protocol_required=request.version >= 5,
    )


def response(answer: Synced | Refused, _: GroupRequest) -> SyncGroupResponse:
    if isinstance(answer, Refused):
        return SyncGroupResponse(error_code=answer.error_code)
    return SyncGroupResponse(
        protocol_type=answer.protocol_type, protocol_name=answer.protocol_name, assignment=answer.assignment
    )


route = to_group(SyncGroupRequest, command, response)
