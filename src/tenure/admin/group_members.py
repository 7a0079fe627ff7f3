"""Removing members from a group, as KIP-345's administrator does: static seats by name, before their session ends.

LeaveGroup is made for it, but before Kafka 4.3 it knows no members that speak the protocol of KIP-848. Nobody asks such
a member for its epoch when it leaves (rule 3.5), so there what each would say itself is said for it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from tenure.admin.group_description import CONSUMER, GroupDescription, MemberDescription
from tenure.admin.groups import describe
from tenure.client.cluster import Cluster
from tenure.client.group_changes import leave_consumer_group, leave_group
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import MemberIdentity
from tenure.protocol.types import InstanceId, MemberId

REASON: Final = "removed by an administrator"
REASON_CHARACTERS_MAX: Final = 255
"""As much of a reason as Kafka's clients send."""

TROUBLE: Final = {
    ErrorCode.UNKNOWN_MEMBER_ID: "it is not in the group",
    ErrorCode.FENCED_INSTANCE_ID: "another member has the seat by now",
}


class MemberToRemove(NamedTuple):
    """A static member by its instance id, or any by its member id."""

    group_instance_id: str | None = None
    member_id: str = ""

    def __str__(self) -> str:
        return f"instance '{self.group_instance_id}'" if self.group_instance_id else f"member '{self.member_id}'"


class RemovedMember(NamedTuple):
    member: MemberToRemove
    trouble: str
    """Why it was not removed; empty if it was."""


async def remove_members(
    cluster: Cluster, group_id: str, members: Sequence[MemberToRemove] | None, reason: str = ""
) -> list[RemovedMember]:
    """One result each; None removes all. What nobody heard of is told and hinders nothing else.

    Raises `RequestRefused` (GROUP_ID_NOT_FOUND).
    """
    group = await describe(cluster, group_id)
    wanted = [_of(member) for member in group.members] if members is None else list(dict.fromkeys(members))
    if not wanted:
        return []
    told = await leave_group(cluster, group_id, [_identity(member, reason) for member in wanted])
    outcome = dict(zip(wanted, told, strict=True))
    if group.group_type == CONSUMER:
        for member in [member for member, code in outcome.items() if code is ErrorCode.UNKNOWN_MEMBER_ID]:
            outcome[member] = await _leave_for(cluster, group, member)
    return [RemovedMember(member, _trouble(error_code)) for member, error_code in outcome.items()]


def _identity(member: MemberToRemove, reason: str) -> MemberIdentity:
    told = f"{REASON}: {reason}" if reason else REASON
    return MemberIdentity(
        member_id=MemberId(member.member_id),
        group_instance_id=None if member.group_instance_id is None else InstanceId(member.group_instance_id),
        reason=told[:REASON_CHARACTERS_MAX],
    )


async def _leave_for(cluster: Cluster, group: GroupDescription, wanted: MemberToRemove) -> ErrorCode:
    """A static member is known by both of its ids there."""
    for member in group.members:
        if wanted in (MemberToRemove(member.group_instance_id), MemberToRemove(None, member.member_id)):
            return await leave_consumer_group(cluster, group.group_id, member.member_id, member.group_instance_id)
    return ErrorCode.UNKNOWN_MEMBER_ID


def _of(member: MemberDescription) -> MemberToRemove:
    """By instance id where there is one: whoever took the seat since it was described leaves all the same."""
    return (
        MemberToRemove(member.group_instance_id) if member.group_instance_id else MemberToRemove(None, member.member_id)
    )


def _trouble(error_code: ErrorCode) -> str:
    if error_code is ErrorCode.NONE:
        return ""
    return f"{TROUBLE.get(error_code, error_code.message)} ({error_code.name})"
