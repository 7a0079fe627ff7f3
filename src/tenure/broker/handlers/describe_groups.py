"""DescribeGroups (API key 15).

Changes: v1 throttle time, v3 authorized operations, v4 group.instance.id, v5 flexible encoding, v6 GROUP_ID_NOT_FOUND
with a message. In older versions a missing group is "Dead", without an error (rule 2.16).
"""

from collections.abc import Callable, Iterator
from typing import cast

from tenure.broker.requests.authorized_operations import operations_if_asked_for
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Described
from tenure.coordinator.groups.commands import DescribeGroup
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribedGroup,
    DescribedGroupMember,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)
from tenure.protocol.types import GroupId


def handle(context: Context, request: Request, message: DescribeGroupsRequest) -> Iterator[None]:
    def respond(groups: list[object]) -> None:
        response = DescribeGroupsResponse(groups=cast("list[DescribedGroup]", groups))
        request.go_on(request.answer_in_steps(response))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        group_id = message.groups[index]
        if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.GROUP, group_id):
            slot(DescribedGroup(ErrorCode.GROUP_AUTHORIZATION_FAILED, group_id=group_id))
            return
        operations = operations_if_asked_for(
            context, request, ResourceType.GROUP, group_id, is_asked_for=message.include_authorized_operations
        )
        then = request.callback(_translated(group_id, operations, request, slot))
        context.groups.ask(group_id, DescribeGroup(group_id), then)

    return Gathering(len(message.groups), respond).ask_each(ask)


def _translated(
    group_id: GroupId, operations: int, request: Request, then: Callable[[object], None]
) -> Callable[[object], None]:
    def translate(answer: object) -> None:
        if isinstance(answer, Described):
            then(_described(answer, operations))
        elif isinstance(answer, Refused):
            then(_refused(group_id, answer, operations, request.version))

    return translate


def _refused(group_id: GroupId, answer: Refused, operations: int, version: int) -> DescribedGroup:
    if answer.error_code is not ErrorCode.GROUP_ID_NOT_FOUND:
        return DescribedGroup(answer.error_code, group_id=group_id)
    if version < 6:
        return DescribedGroup(group_id=group_id, group_state="Dead", authorized_operations=operations)
    return DescribedGroup(answer.error_code, f"Group {group_id} not found.", group_id, "Dead")


def _described(answer: Described, operations: int) -> DescribedGroup:
    return DescribedGroup(
        group_id=answer.group_id,
        group_state=answer.state,
        protocol_type=answer.protocol_type,
        protocol_data=answer.protocol_name,
        members=[
            DescribedGroupMember(
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                member.metadata,
                member.assignment,
            )
            for member in answer.members
        ],
        authorized_operations=operations,
    )


route = Route(DescribeGroupsRequest, handle)
