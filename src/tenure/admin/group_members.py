"""Removal of members from a group by an administrator before their sessions time out (KIP-345).

LeaveGroup removes members of the classic protocol. Since Kafka 4.3, it also removes members of the consumer protocol.
For any other member, this module sends the heartbeat that the member itself would send to leave. Coordinators do not
check the member epoch of such a heartbeat (rule 3.5).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tenure.admin.group_description import GroupDescription, MemberDescription
from tenure.admin.groups import describe
from tenure.client.net.cluster import Cluster
from tenure.client.queries.group_changes import leave_consumer_group, leave_group, leave_streams_group
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import MemberIdentity
from tenure.protocol.special_values import CONSUMER, STREAMS
from tenure.protocol.types import InstanceId, MemberId

REASON: Final = "removed by an administrator"
REASON_CHARACTERS_MAX: Final = 255
"""Longest reason that Kafka's clients send; they cut off the rest."""

TROUBLE: Final = {
    ErrorCode.UNKNOWN_MEMBER_ID: "it is not in the group",
    ErrorCode.FENCED_INSTANCE_ID: "another member uses the instance id now",
}


class MemberToRemove(NamedTuple):
    """Member to remove: a static one by its instance id, or any member by its member id."""

    group_instance_id: str | None = None
    member_id: str = ""

    def __str__(self) -> str:
        return f"instance '{self.group_instance_id}'" if self.group_instance_id else f"member '{self.member_id}'"


class RemovedMember(NamedTuple):
    """Result of the removal of one member."""

    member: MemberToRemove
    trouble: str
    """Reason why the member was not removed; empty on success."""


async def remove_members(
    cluster: Cluster, group_id: str, members: Sequence[MemberToRemove] | None, reason: str = ""
) -> list[RemovedMember]:
    """Remove the given members, or all members for None; return one result per member.

    An unknown member has an error in its result, and the others are removed nevertheless.

    Raises:
        RequestRefused: The group does not exist (GROUP_ID_NOT_FOUND).
    """
    group = await describe(cluster, group_id)
    wanted = (
        [_member_to_remove(member) for member in group.members] if members is None else list(dict.fromkeys(members))
    )
    if not wanted:
        return []
    if group.group_type == STREAMS:  # LeaveGroup does not know streams groups
        return [RemovedMember(member, _trouble(await _leave_for(cluster, group, member))) for member in wanted]
    outcomes = await leave_group(cluster, group_id, [_identity(member, reason) for member in wanted])
    outcome = dict(zip(wanted, outcomes, strict=True))
    if group.group_type == CONSUMER:
        for member in [member for member, code in outcome.items() if code is ErrorCode.UNKNOWN_MEMBER_ID]:
            outcome[member] = await _leave_for(cluster, group, member)
    return [RemovedMember(member, _trouble(error_code)) for member, error_code in outcome.items()]


def _identity(member: MemberToRemove, reason: str) -> MemberIdentity:
    full_reason = f"{REASON}: {reason}" if reason else REASON
    return MemberIdentity(
        member_id=MemberId(member.member_id),
        group_instance_id=None if member.group_instance_id is None else InstanceId(member.group_instance_id),
        reason=full_reason[:REASON_CHARACTERS_MAX],
    )


async def _leave_for(cluster: Cluster, group: GroupDescription, wanted: MemberToRemove) -> ErrorCode:
    """Send the leave heartbeat of a consumer or streams member in its place; return the coordinator's error code.

    The member is found by instance id or member id. The code is UNKNOWN_MEMBER_ID if the group has no such member.
    """
    leave = leave_streams_group if group.group_type == STREAMS else leave_consumer_group
    for member in group.members:
        if wanted in (MemberToRemove(member.group_instance_id), MemberToRemove(None, member.member_id)):
            return await leave(cluster, group.group_id, member.member_id, member.group_instance_id)
    return ErrorCode.UNKNOWN_MEMBER_ID


def _member_to_remove(member: MemberDescription) -> MemberToRemove:
    """Return the instance id of a static member, or the member id of a dynamic one.

    If another process takes over the instance id before the removal, the other process is removed.
    """
    return (
        MemberToRemove(member.group_instance_id) if member.group_instance_id else MemberToRemove(None, member.member_id)
    )


def _trouble(error_code: ErrorCode) -> str:
    if error_code is ErrorCode.NONE:
        return ""
    return f"{TROUBLE.get(error_code, error_code.message)} ({error_code.name})"
