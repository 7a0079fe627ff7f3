"""LeaveGroup to a consumer group (rule 3.9): by classic members, or by an operator for members of either protocol.

The group epoch is raised once for all members of a request.
"""

from tenure.coordinator.groups.answers import Left, LeftMember
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.commands import LeaveGroup, Leaver
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.leave import Removal
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.migration.request_sender import find_member
from tenure.coordinator.shard import AskId, CoordinatorResult
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


def leave_consumer_group(ask: AskId, group: ConsumerGroup, leave: LeaveGroup) -> CoordinatorResult | Removal:
    left: list[LeftMember] = []
    gone: dict[MemberId, tuple[Member, Leaver]] = {}
    for leaver in leave.members:
        member = _leaver(group, leaver)
        error_code = member if isinstance(member, ErrorCode) else ErrorCode.NONE
        left.append(LeftMember(leaver.member_id, leaver.group_instance_id, error_code))
        if isinstance(member, Member):
            gone.setdefault(member.member_id, (member, leaver))
    replies = ((ask, Left(left)),)
    if not gone:
        return CoordinatorResult((), replies)
    first, leaver = next(iter(gone.values()))
    why = Why(Cause.LEFT if leaver.member_id else Cause.REMOVED, first.member_id, leaver.reason)
    return Removal([member for member, _ in gone.values()], why, replies)


def _leaver(group: ConsumerGroup, leaver: Leaver) -> Member | ErrorCode:
    """Return the member that leaves, or an error. A request without a member id comes from an operator."""
    instance_id = leaver.group_instance_id
    if leaver.member_id or instance_id is None:
        return find_member(group, leaver.member_id, instance_id)
    holder_id = group.static_members.get(instance_id)
    return ErrorCode.UNKNOWN_MEMBER_ID if holder_id is None else group.members[holder_id]
