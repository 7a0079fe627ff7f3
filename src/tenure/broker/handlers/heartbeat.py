"""Heartbeat (API key 12). Changes: v1 throttle time, v3 group.instance.id, v4 flexible encoding."""

from tenure.broker.requests.group_request import GroupRequest
from tenure.broker.requests.route import to_group
from tenure.coordinator.answers import Accepted, Refused
from tenure.coordinator.groups.commands import Heartbeat
from tenure.protocol.messages import HeartbeatRequest, HeartbeatResponse


def command(message: HeartbeatRequest, _: GroupRequest) -> Heartbeat:
    return Heartbeat(message.group_id, message.member_id, message.group_instance_id, message.generation_id)


def response(answer: Accepted | Refused, _: GroupRequest) -> HeartbeatResponse:
    return HeartbeatResponse(error_code=answer.error_code)


route = to_group(HeartbeatRequest, command, response)
