"""LeaveGroup (API key 13).

Changes: v1 throttle time, v3 a list of members, v4 flexible encoding, v5 reason.

In v0 to v2, a request has one member, and the error code of the response is the error of this member.
"""

from tenure.broker.requests.group_request import GroupRequest, client_reason
from tenure.broker.requests.route import to_group
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Left
from tenure.coordinator.groups.commands import LeaveGroup, Leaver
from tenure.protocol.messages import LeaveGroupRequest, LeaveGroupResponse, MemberResponse


def command(message: LeaveGroupRequest, request: GroupRequest) -> LeaveGroup:
    if request.version < 3:
        return LeaveGroup(message.group_id, [Leaver(message.member_id)])
    return LeaveGroup(
        message.group_id,
        [
            Leaver(member.member_id, member.group_instance_id, client_reason(member.reason))
            for member in message.members
        ],
    )


def response(answer: Left | Refused, request: GroupRequest) -> LeaveGroupResponse:
    if isinstance(answer, Refused):
        return LeaveGroupResponse(error_code=answer.error_code)
    if request.version < 3:
        return LeaveGroupResponse(error_code=answer.members[0].error_code)
    return LeaveGroupResponse(
        members=[
            MemberResponse(member.member_id, member.group_instance_id, member.error_code) for member in answer.members
        ]
    )


route = to_group(LeaveGroupRequest, command, response)
