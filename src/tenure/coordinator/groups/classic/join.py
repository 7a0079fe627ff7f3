"""JoinGroup to a classic group (rule 2.4). J0 to J5, in the docstrings below, are the parts of this rule.

The order of the checks is visible on the wire. The size of the group is checked first. A static member that restarts
joins with an empty member id, so a full group refuses even this member.

A dynamic member without an id gets one and has to join again with it (KIP-394). Otherwise, a client that times out and
tries again would leave an unused member each time. A static member does not need this: it is identified by its instance
id, whatever its member id was (`replace.py`).
"""

from typing import Final

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic import logged
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.rebalance import (
    joined,
    maybe_complete_join_phase,
    prepare_rebalance,
    rebalance_or_complete,
)
from tenure.coordinator.groups.classic.replace import replace_static_member
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT, choose_reserve_members
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.groups.records import (
    JoinParked,
    MemberAdded,
    MemberPending,
    MemberRemoved,
    MemberUpdated,
    SessionExtended,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.limits.coordinator import NEW_MEMBER_JOIN_TIMEOUT_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId

ALWAYS_OPEN: Final = frozenset({State.EMPTY, State.DEAD})


def join_group(groups: Groups, ask: AskId, group: ClassicGroup | None, join: JoinGroup, now: Now) -> CoordinatorResult:
    if not join.group_id:
        return refuse(ask, ErrorCode.INVALID_GROUP_ID, join.member_id)
    settings = groups.settings
    if not settings.allows_session_timeout(join.session_timeout_ms):
        return refuse(ask, ErrorCode.INVALID_SESSION_TIMEOUT, join.member_id)
    if group is None and join.member_id:
        return refuse(ask, ErrorCode.UNKNOWN_MEMBER_ID, join.member_id)

    if group is not None:
        draft = Draft(groups, group, now, looks_ahead=not _needs_no_copy(group, join))
    else:
        draft = Draft(groups, groups.new_classic_group(join.group_id), now)
        draft.emit(logged.empty(draft.group, draft.group.generation_id, now.wall_ms))
    if not _may_join(draft.group, join.member_id, settings.group_max_size):
        if join.member_id:
            draft.emit(MemberRemoved(join.group_id, join.member_id, Why(Cause.NO_ROOM, reason=join.reason)))
        draft.refuse(ask, ErrorCode.GROUP_MAX_SIZE_REACHED)
    elif join.member_id:
        _known_member_joins(draft, ask, join)
    else:
        _nameless_member_joins(draft, groups, ask, join)
    return draft.result()


def _needs_no_copy(group: ClassicGroup, join: JoinGroup) -> bool:
    """Return whether the join can be handled without a copy of the group.

    This is the case if the client only gets a new member id, or if the join phase waits for other members, too. The
    rest of the group then stays unchanged.
    """
    if not join.member_id and join.group_instance_id is None and join.known_member_id_required:
        return True
    if group.state is not State.PREPARING_REBALANCE:
        return False
    if join.member_id or join.group_instance_id is None:
        return group.awaits_others_than(join.member_id)
    return group.awaits_others_than(group.static_members.get(join.group_instance_id))


def _may_join(group: ClassicGroup, member_id: MemberId, size_max: int) -> bool:
    """Return whether the member may join: it is in the group already, or the group is not full (J1).

    Pending member ids do not count. So two clients with pending ids may compete for the last place. During a rebalance,
    only members that have joined again count.
    """
    if group.state in ALWAYS_OPEN:
        return True
    if group.state is State.PREPARING_REBALANCE:
        return member_id in group.parked_joins or len(group.parked_joins) < size_max
    return member_id in group.members or len(group.members) < size_max


def _nameless_member_joins(draft: Draft, groups: Groups, ask: AskId, join: JoinGroup) -> None:
    """Let a member without a member id join (J2)."""
    group = draft.group
    if group.state is State.DEAD:
        return draft.refuse(ask, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    if not group.supports(join.protocol_type, join.protocols):
        return draft.refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    instance_id = join.group_instance_id
    member_id = groups.new_member_id(join.client_id if instance_id is None else instance_id)
    if instance_id is not None and instance_id in group.static_members:
        return replace_static_member(draft, ask, join, group.static_members[instance_id], member_id)
    if instance_id is None and join.known_member_id_required:
        deadline_ms = draft.now.tick_ms + join.session_timeout_ms
        draft.emit(MemberPending(group.group_id, member_id, deadline_ms))
        return draft.refuse(ask, ErrorCode.MEMBER_ID_REQUIRED, member_id)
    return _add(draft, ask, join, member_id)


def _known_member_joins(draft: Draft, ask: AskId, join: JoinGroup) -> None:
    """Let a member with a member id join (J3)."""
    group, member_id = draft.group, join.member_id
    if group.state is State.DEAD:
        return draft.refuse(ask, ErrorCode.COORDINATOR_NOT_AVAILABLE, member_id)
    if not group.supports(join.protocol_type, join.protocols):
        return draft.refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, member_id)
    if member_id in group.pending_members:
        if join.group_instance_id is not None:
            return draft.refuse(ask, ErrorCode.UNKNOWN_SERVER_ERROR)
        return _add(draft, ask, join, member_id)
    member = group.find_member(member_id, join.group_instance_id)
    if isinstance(member, ErrorCode):
        return draft.refuse(ask, member, member_id)
    return _member_rejoins(draft, ask, join, member)


def _member_rejoins(draft: Draft, ask: AskId, join: JoinGroup, member: Member) -> None:
    """Let a member of the group join again (rows 8 to 13 in the table of J3)."""
    group = draft.group
    unchanged = tuple(join.protocols) == member.protocols
    leads = member.member_id == group.leader
    if group.state is State.PREPARING_REBALANCE:
        _update(draft, ask, join, member)
        maybe_complete_join_phase(draft)
    elif unchanged and (group.state is State.COMPLETING_REBALANCE or not leads):
        draft.reply(ask, joined(group, member.member_id))
    else:  # a leader that joins again starts a rebalance even if its metadata is unchanged
        _update(draft, ask, join, member)
        cause = Cause.LEADER_JOINED if unchanged else Cause.JOINED_CHANGED
        prepare_rebalance(draft, Why(cause, member.member_id, join.reason))


def _add(draft: Draft, ask: AskId, join: JoinGroup, member_id: MemberId) -> None:
    """Add a new member.

    Parked members send no heartbeats. So the first session of a member has a fixed length, after which a client that
    has disappeared during the join phase is removed (2.5.1).
    """
    group_id = join.group_id
    member = Member(
        member_id,
        join.group_instance_id,
        join.client_id,
        join.client_host,
        join.session_timeout_ms,
        join.rebalance_timeout_ms,
        tuple(join.protocols),
    )
    draft.emit(MemberAdded(group_id, join.protocol_type, member, join.reason))
    if _joins_the_reserve(draft.group, member_id):
        return _join_as_reserve_member(draft, ask, member)
    draft.emit(JoinParked(group_id, member_id, ask))
    draft.emit(SessionExtended(group_id, member_id, draft.now.tick_ms + NEW_MEMBER_JOIN_TIMEOUT_MS))
    return rebalance_or_complete(draft, Why(Cause.JOINED, member_id, join.reason))


def _joins_the_reserve(group: ClassicGroup, member_id: MemberId) -> bool:
    return (
        group.state is State.STABLE
        and member_id in choose_reserve_members(group)
        and group.winning_protocol() == group.protocol_name
    )


def _join_as_reserve_member(draft: Draft, ask: AskId, member: Member) -> None:
    """Add a reserve member. All others keep their partitions, so no member has to join again."""
    group, member_id = draft.group, member.member_id
    draft.emit(logged.with_members(group, {**group.assignments, member_id: RESERVE_ASSIGNMENT}))
    draft.emit(SessionExtended(group.group_id, member_id, draft.now.tick_ms + member.session_timeout_ms))
    draft.reply(ask, joined(group, member_id))


def _update(draft: Draft, ask: AskId, join: JoinGroup, member: Member) -> None:
    """Update a member that joins again. Its client id and host stay those of its first join (2.5.2)."""
    updated = Member(
        member.member_id,
        member.group_instance_id,
        member.client_id,
        member.client_host,
        join.session_timeout_ms,
        join.rebalance_timeout_ms,
        tuple(join.protocols),
    )
    draft.emit(MemberUpdated(join.group_id, updated, join.reason))
    draft.emit(JoinParked(join.group_id, member.member_id, ask))
