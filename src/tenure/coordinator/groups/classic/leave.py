"""LeaveGroup to a classic group (rule 2.11).

The members of a request are removed one after the other, in the order of the request. At most one rebalance starts,
after the last removal. Static members do not leave when they stop. An operator removes them, by instance id and without
a member id.
"""

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import Left, LeftMember
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.rebalance import rebalance_after_departure
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import LeaveGroup, Leaver
from tenure.coordinator.groups.records import MemberRemoved
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


def leave_group(groups: Groups, ask: AskId, group: AnyGroup | None, leave: LeaveGroup, now: Now) -> CoordinatorResult:
    if not leave.group_id:
        return refuse(ask, ErrorCode.INVALID_GROUP_ID)
    if not isinstance(group, ClassicGroup):
        refused = [_left(leaver, ErrorCode.UNKNOWN_MEMBER_ID) for leaver in leave.members]
        return CoordinatorResult((), [(ask, Left(refused))])
    if group.state is State.DEAD:
        return refuse(ask, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    draft = Draft(groups, group, now)
    left = [_left(leaver, _maybe_remove(draft, leaver)) for leaver in leave.members]
    draft.reply(ask, Left(left))
    gone = [leaver for leaver, entry in zip(leave.members, left, strict=True) if entry.error_code is ErrorCode.NONE]
    if gone and draft.group.state is not State.EMPTY:  # a pending id that leaves a Stable group starts a rebalance too
        went = group.members.keys() - draft.group.members.keys()
        only_reserve = len(went) == len(gone) and went <= group.reserve_members
        rebalance_after_departure(draft, _why(group, gone[0]), only_reserve=only_reserve)
    return draft.result()


def _maybe_remove(draft: Draft, leaver: Leaver) -> ErrorCode:
    group = draft.group
    if leaver.member_id in group.pending_members:
        draft.emit(MemberRemoved(group.group_id, leaver.member_id, _why(group, leaver)))
        return ErrorCode.NONE
    if leaver.member_id:
        member = group.find_member(leaver.member_id, leaver.group_instance_id)
        if isinstance(member, ErrorCode):
            return member
        remove_member(draft, leaver.member_id, _why(group, leaver))
        return ErrorCode.NONE
    if leaver.group_instance_id is None or leaver.group_instance_id not in group.static_members:
        return ErrorCode.UNKNOWN_MEMBER_ID
    remove_member(draft, group.static_members[leaver.group_instance_id], _why(group, leaver))
    return ErrorCode.NONE


def _why(group: ClassicGroup, leaver: Leaver) -> Why:
    """Return the cause of a departure, for the journal.

    A request with an instance id but no member id comes from an operator.
    """
    if leaver.member_id or leaver.group_instance_id is None:
        return Why(Cause.LEFT, leaver.member_id, leaver.reason)
    return Why(Cause.REMOVED, group.static_members[leaver.group_instance_id], leaver.reason)


def remove_member(draft: Draft, member_id: MemberId, why: Why) -> None:
    """Remove a member. Its parked join is answered with an error; its parked sync is not answered, as in Kafka."""
    group = draft.group
    draft.refuse(group.parked_joins.get(member_id), ErrorCode.UNKNOWN_MEMBER_ID)
    draft.emit(MemberRemoved(group.group_id, member_id, why))


def _left(leaver: Leaver, error_code: ErrorCode) -> LeftMember:
    return LeftMember(leaver.member_id, leaver.group_instance_id, error_code)
