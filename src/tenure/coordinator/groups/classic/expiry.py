"""Expiry of the timers of a classic group (rule 2.12)."""

from collections.abc import Callable
from typing import Final

from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.leave import remove_member
from tenure.coordinator.groups.classic.rebalance import (
    complete_join_phase,
    extend_or_complete_join_phase,
    prepare_rebalance,
    rebalance_after_departure,
)
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.records import MemberRemoved, SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import CoordinatorResult, Now
from tenure.protocol.types import MemberId


def expire(groups: Groups, group: ClassicGroup, timer: Timer, now: Now) -> CoordinatorResult:
    draft = Draft(groups, group, now)
    ON_EXPIRY[timer.kind](draft, timer.member_id)
    return draft.result()


def loaded_again(groups: Groups, group: ClassicGroup, now: Now) -> list[object]:
    """Return the records that give all members of a loaded group full sessions (rule 6.5.2).

    A group that is larger than the configured maximum also starts a rebalance.
    """
    draft = Draft(groups, group, now)
    for member in group.members.values():
        draft.emit(SessionExtended(group.group_id, member.member_id, now.tick_ms + member.session_timeout_ms))
    if len(group.members) > groups.settings.group_max_size:
        prepare_rebalance(draft, Why(Cause.OVERSIZE))
    return draft.records


def expire_session(draft: Draft, member_id: MemberId) -> None:
    """Remove the member whose session has expired, unless it waits for an answer.

    A waiting member cannot send heartbeats; its session starts again when it is answered. A member that waits for its
    first join is removed nevertheless. Its session is longer, and expires only if the client has disappeared.
    """
    group = draft.group
    if member_id not in group.new_members and (member_id in group.parked_joins or member_id in group.parked_syncs):
        return
    why = Why(Cause.SESSION_EXPIRED, member_id)
    only_reserve = member_id in group.reserve_members
    remove_member(draft, member_id, why)
    if group.state is State.PREPARING_REBALANCE:
        _complete_if_all_wait(draft)
    else:
        rebalance_after_departure(draft, why, only_reserve=only_reserve)


def expire_pending_member(draft: Draft, member_id: MemberId) -> None:
    """Remove a member id that was given to a client, because the client has not joined with it in time."""
    draft.emit(MemberRemoved(draft.group.group_id, member_id, Why(Cause.ID_EXPIRED)))
    _complete_if_all_wait(draft)


def _complete_if_all_wait(draft: Draft) -> None:
    """Complete the join phase if all members have a parked join.

    As in Kafka, this also ends the initial delay (rule 2.7.3). If an expected instance has not joined yet, the group
    continues to wait.
    """
    group: ClassicGroup = draft.group
    none_missing = not group.pending_members and not group.awaits_expected()
    all_wait = none_missing and len(group.parked_joins) == len(group.members)
    if group.state is State.PREPARING_REBALANCE and all_wait:
        complete_join_phase(draft)


def expire_join_phase(draft: Draft, _: MemberId) -> None:
    extend_or_complete_join_phase(draft)


def expire_sync_phase(draft: Draft, _: MemberId) -> None:
    """Remove all members that have not synced in time, even static members, and start a rebalance (rule 2.8.6)."""
    group: ClassicGroup = draft.group
    if not group.pending_syncs:
        return
    late = sorted(group.pending_syncs)
    for member_id in late:
        draft.emit(MemberRemoved(group.group_id, member_id, Why(Cause.SYNC_EXPIRED)))
    prepare_rebalance(draft, Why(Cause.SYNC_EXPIRED, late[0]))


ON_EXPIRY: Final[dict[TimerKind, Callable[[Draft, MemberId], None]]] = {
    TimerKind.SESSION: expire_session,
    TimerKind.PENDING: expire_pending_member,
    TimerKind.JOIN: expire_join_phase,
    TimerKind.SYNC: expire_sync_phase,
}
