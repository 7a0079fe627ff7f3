"""Rebalances of a classic group, up to the start of a generation (rules 2.7, 2.8).

The join phase ends when all members have joined again, or when the join timer expires. The initial rebalance of an
Empty group has no members to wait for. So its join phase lasts for a fixed delay, which each new member extends, up to
the rebalance timeout. With `group.expected.instance.ids`, the join phase ends when all expected instances have joined,
or after `group.expected.timeout.ms`. Later rebalances wait only for the members that the group has.

Static members that do not return in time remain members, but get no answer (KIP-345).
"""

from tenure.coordinator.groups.answers import Joined, JoinedMember
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic import logged
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.reserve import choose_reserve_members
from tenure.coordinator.groups.classic.states import MAY_REBALANCE, State
from tenure.coordinator.groups.records import (
    GenerationStarted,
    JoinTimerArmed,
    MemberRemoved,
    RebalanceStarted,
    SessionExtended,
    SyncTimerArmed,
)
from tenure.coordinator.shard import InvariantError
from tenure.limits.coordinator import INITIAL_DELAY_MIN_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, MemberId


def rebalance_or_complete(draft: Draft, why: Why) -> None:
    """Start a rebalance, or complete the join phase in progress, after a member has joined, changed or left."""
    if draft.group.state in MAY_REBALANCE:
        prepare_rebalance(draft, why)
    else:
        maybe_complete_join_phase(draft)


def rebalance_after_departure(draft: Draft, why: Why, *, only_reserve: bool) -> None:
    """Start a rebalance after members have left, or complete the join phase in progress.

    `only_reserve` is true if all of these members were reserve members, which have no partitions. A Stable group then
    needs no rebalance, and only the record of the group is written again.
    """
    if only_reserve and draft.group.state is State.STABLE:
        draft.emit(logged.with_members(draft.group, draft.group.assignments))
    else:
        rebalance_or_complete(draft, why)


def prepare_rebalance(draft: Draft, why: Why) -> None:
    """Start a rebalance.

    Parked syncs are refused. Members that waited for a sync could not send heartbeats, so their sessions begin again.
    """
    group, tick_ms = draft.group, draft.now.tick_ms
    initial = group.state is State.EMPTY
    for member_id, ask in group.parked_syncs.items():
        draft.refuse(ask, ErrorCode.REBALANCE_IN_PROGRESS)
        deadline_ms = tick_ms + group.members[member_id].session_timeout_ms
        draft.emit(SessionExtended(group.group_id, member_id, deadline_ms))
    draft.emit(RebalanceStarted(group.group_id, draft.now.wall_ms, why))
    if initial:
        wait_for_first_members(draft)
    elif group.all_members_wait_for_join():
        complete_join_phase(draft)
    else:
        draft.emit(JoinTimerArmed(group.group_id, tick_ms + group.rebalance_timeout_ms()))


def wait_for_first_members(draft: Draft) -> None:
    """Start the initial delay.

    The delay is at most the rebalance timeout, because a client gives up its join after that time.
    """
    group, configs = draft.group, draft.group.configs
    patience_ms = group.rebalance_timeout_ms()
    if configs.group_expected_instance_ids:
        delay_ms, remaining_ms = min(configs.group_expected_timeout_ms, patience_ms), 0
    else:
        delay_ms = _initial_delay_ms(draft)
        remaining_ms = max(patience_ms - delay_ms, 0)
    draft.emit(JoinTimerArmed(group.group_id, draft.now.tick_ms + delay_ms, remaining_ms))
    maybe_complete_join_phase(draft)


def _initial_delay_ms(draft: Draft) -> int:
    return max(draft.settings.group_initial_rebalance_delay_ms, INITIAL_DELAY_MIN_MS)


def maybe_complete_join_phase(draft: Draft) -> None:
    if draft.group.state is State.PREPARING_REBALANCE and draft.group.all_members_wait_for_join():
        complete_join_phase(draft)


def extend_or_complete_join_phase(draft: Draft) -> None:
    """Extend the initial delay if a member has joined during it; otherwise complete the join phase."""
    group = draft.group
    remaining_ms = group.initial_remaining_ms
    if remaining_ms and group.new_member_added:
        delay_ms = min(_initial_delay_ms(draft), remaining_ms)
        deadline_ms = draft.now.tick_ms + delay_ms
        draft.emit(JoinTimerArmed(group.group_id, deadline_ms, remaining_ms - delay_ms))
    else:
        complete_join_phase(draft)


def complete_join_phase(draft: Draft) -> None:
    group = draft.group
    for member in list(group.members.values()):
        if member.group_instance_id is None and member.member_id not in group.parked_joins:
            draft.emit(MemberRemoved(group.group_id, member.member_id, Why(Cause.JOIN_EXPIRED)))
    if not group.members:
        generation_id = GenerationId(group.generation_id + 1)
        draft.emit(logged.empty(group, generation_id, draft.now.wall_ms))
    elif group.parked_joins:
        _start_generation(draft)
    else:  # all members are static and none has joined again: continue to wait
        draft.emit(JoinTimerArmed(group.group_id, draft.now.tick_ms + group.rebalance_timeout_ms()))


def _start_generation(draft: Draft) -> None:
    group, tick_ms = draft.group, draft.now.tick_ms
    joins = dict(group.parked_joins)
    reserve = choose_reserve_members(group)
    leader = _elect(group, reserve)
    generation_id = GenerationId(group.generation_id + 1)
    protocol_name = group.winning_protocol()
    draft.emit(GenerationStarted(group.group_id, generation_id, protocol_name, leader, draft.now.wall_ms, reserve))
    draft.emit(SyncTimerArmed(group.group_id, tick_ms + group.rebalance_timeout_ms()))
    for member in group.members.values():
        draft.emit(SessionExtended(group.group_id, member.member_id, tick_ms + member.session_timeout_ms))
        if member.member_id in joins:
            draft.reply(joins[member.member_id], joined(group, member.member_id))
    group.check_invariants()


def _elect(group: ClassicGroup, reserve: frozenset[MemberId]) -> MemberId:
    """Return the new leader: the old one if it has joined again, else the first member that has joined.

    Members in `reserve` are left out, because reserve members cannot lead.
    """
    if group.leader is not None and group.leader in group.parked_joins and group.leader not in reserve:
        return group.leader
    for member_id in group.members:
        if member_id in group.parked_joins and member_id not in reserve:
            return member_id
    raise InvariantError(f"group {group.group_id!r} starts a generation without members")


def joined(group: ClassicGroup, member_id: MemberId, *, skip_assignment: bool = False) -> Joined:
    """Return the answer to the join of a member.

    The leader's answer contains all members except reserve members; absent static members are included (rule J5).
    `skip_assignment` tells a restarted leader to send no assignments (KIP-814).
    """
    if group.leader is None or group.protocol_name is None:
        raise InvariantError(f"group {group.group_id!r} answers a join before its first generation")
    members_of_rebalance = [
        JoinedMember(member.member_id, member.group_instance_id, member.metadata_for(group.protocol_name))
        for member in (group.members.values() if member_id == group.leader else ())
        if member.member_id not in group.reserve_members
    ]
    return Joined(
        group.generation_id,
        group.protocol_type or "",
        group.protocol_name,
        group.leader,
        member_id,
        members_of_rebalance,
        skip_assignment,
    )
