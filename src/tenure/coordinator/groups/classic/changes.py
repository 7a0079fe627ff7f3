"""Changes of a classic group, one function per record. Only these functions change a group, and they decide nothing.

The same functions run for drafts, for live groups, at load, and in the simulation.
"""

from collections.abc import Callable
from typing import Any, Final

from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.records import (
    GenerationStarted,
    GroupConfigured,
    GroupDied,
    JoinParked,
    JoinTimerArmed,
    MemberAdded,
    MemberPending,
    MemberRemoved,
    MemberReplaced,
    MemberSynced,
    MemberUpdated,
    RebalanceStarted,
    SessionExtended,
    SyncParked,
    SyncTimerArmed,
)
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue, MemberMetadata


def group_configured(group: ClassicGroup, record: GroupConfigured) -> None:
    group.configs = record.configs


def member_pending(group: ClassicGroup, record: MemberPending) -> None:
    group.pending_members[record.member_id] = record.deadline_ms


def member_added(group: ClassicGroup, record: MemberAdded) -> None:
    member_id = record.member.member_id
    if not group.members:
        group.protocol_type = record.protocol_type
    group.pending_members.pop(member_id, None)
    group.new_members.add(member_id)
    _add_member(group, record.member)
    if group.leader is None:
        group.leader = member_id
    if group.initial_remaining_ms is not None:
        group.new_member_added = True


def member_updated(group: ClassicGroup, record: MemberUpdated) -> None:
    _remove_look_ups(group, group.members[record.member.member_id])
    _add_member(group, record.member)


def member_replaced(group: ClassicGroup, record: MemberReplaced) -> None:
    """Transfer the state of the old member id to the new one. Parked requests and the session of the old id end.

    Only `pending_syncs` keeps the old id (rule 2.6.2). A separate record starts the session of the new id. The new id
    does not become one of `new_members`, so its session cannot expire while its join is parked.
    """
    old, new = record.old_member_id, record.member.member_id
    group.parked_joins.pop(old, None)
    group.parked_syncs.pop(old, None)
    group.session_deadlines.pop(old, None)
    _remove_look_ups(group, group.members.pop(old))
    _add_member(group, record.member)
    if old in group.assignments:
        group.assignments[new] = group.assignments.pop(old)
    if old in group.reserve_members or old in group.new_members:  # such a member has not been active
        group.reserve_members = group.reserve_members - {old} | {new}
    group.new_members.discard(old)
    if group.leader == old:
        group.leader = new


def member_removed(group: ClassicGroup, record: MemberRemoved) -> None:
    member_id = record.member_id
    group.pending_members.pop(member_id, None)
    group.pending_syncs.discard(member_id)
    member = group.members.pop(member_id, None)
    if member is None:
        return
    _remove_look_ups(group, member)
    group.new_members.discard(member_id)
    group.reserve_members -= {member_id}
    group.assignments.pop(member_id, None)
    group.parked_joins.pop(member_id, None)
    group.parked_syncs.pop(member_id, None)
    group.session_deadlines.pop(member_id, None)
    if group.leader == member_id:
        group.leader = next(iter(group.members), None)


def join_parked(group: ClassicGroup, record: JoinParked) -> None:
    group.parked_joins[record.member_id] = record.ask


def sync_parked(group: ClassicGroup, record: SyncParked) -> None:
    group.parked_syncs[record.member_id] = record.ask
    group.pending_syncs.discard(record.member_id)


def member_synced(group: ClassicGroup, record: MemberSynced) -> None:
    group.pending_syncs.discard(record.member_id)


def rebalance_started(group: ClassicGroup, record: RebalanceStarted) -> None:
    """Begin a rebalance.

    A CompletingRebalance group loses its assignments, because the leader has not sent those of the new generation. A
    Stable group keeps its assignments until the next generation (rules 2.7.1, 2.7.2).
    """
    if group.state is State.COMPLETING_REBALANCE:
        group.assignments.clear()
        group.parked_syncs.clear()
    group.pending_syncs.clear()
    group.sync_deadline_ms = None
    group.set_state(State.PREPARING_REBALANCE, record.wall_ms)


def join_timer_armed(group: ClassicGroup, record: JoinTimerArmed) -> None:
    group.join_deadline_ms = record.deadline_ms
    group.initial_remaining_ms = record.initial_remaining_ms
    group.new_member_added = False


def generation_started(group: ClassicGroup, record: GenerationStarted) -> None:
    group.set_state(State.COMPLETING_REBALANCE, record.wall_ms)
    group.generation_id = record.generation_id
    group.protocol_name = record.protocol_name
    group.leader = record.leader
    group.reserve_members = record.reserve_members
    group.subscriptions = tuple(member.metadata_for(record.protocol_name) for member in group.members.values())
    group.pending_syncs = set(group.members)
    _end_join_phase(group)


def sync_timer_armed(group: ClassicGroup, record: SyncTimerArmed) -> None:
    group.sync_deadline_ms = record.deadline_ms


def session_extended(group: ClassicGroup, record: SessionExtended) -> None:
    """Extend the session of a member. Ephemeral: after a fail-over each member gets a full session (rule 6.5.2)."""
    group.session_deadlines[record.member_id] = record.deadline_ms


def group_died(group: ClassicGroup, record: GroupDied) -> None:
    group.set_state(State.DEAD, record.wall_ms)
    group.parked_joins.clear()
    group.parked_syncs.clear()
    group.join_deadline_ms = None
    group.sync_deadline_ms = None
    group.pending_members.clear()
    group.session_deadlines.clear()


def group_metadata(group: ClassicGroup, value: GroupMetadataValue) -> None:
    """Set the durable state of a group: Stable with members, or Empty without members.

    In a live group, ephemeral records have already made these changes. At load, the group has no other record.

    The record contains only the selected protocol of each member (rule 6.5.2). A member of the live group also keeps
    its other protocols. `subscriptions` change only with the generation: if a static member returns with other topics,
    its new subscription applies from the next generation on.
    """
    members = [_confirmed(group.members.get(logged.member_id), logged, value.protocol) for logged in value.members]
    if list(map(id, members)) != list(map(id, group.members.values())):
        _replace_members(group, members)
    group.assignments = {logged.member_id: logged.assignment for logged in value.members}
    group.reserve_members = frozenset(m for m, given in group.assignments.items() if given == RESERVE_ASSIGNMENT)
    if group.subscriptions is None or value.generation != group.generation_id:
        group.subscriptions = tuple(member.subscription for member in value.members) if value.protocol_type else None
    group.session_deadlines = {m: at for m, at in group.session_deadlines.items() if m in group.members}
    group.protocol_type = value.protocol_type or None
    group.generation_id = value.generation
    group.protocol_name = value.protocol
    group.leader = value.leader
    group.state = State.STABLE if value.members else State.EMPTY
    group.state_since_ms = value.current_state_timestamp
    group.parked_syncs.clear()
    if not value.members:
        group.pending_syncs.clear()
        group.sync_deadline_ms = None
    _end_join_phase(group)


def _end_join_phase(group: ClassicGroup) -> None:
    group.parked_joins.clear()
    group.new_members.clear()
    group.join_deadline_ms = None
    group.initial_remaining_ms = None
    group.new_member_added = False


def _confirmed(known: Member | None, logged: MemberMetadata, protocol_name: str | None) -> Member:
    """Return the member of the live group if the record agrees with it, else the member of the record.

    `known` is the member of the live group, which may have more protocols than the record; None if the live group does
    not have the member.
    """
    protocol = (protocol_name or "", logged.subscription)
    rebalance_timeout_ms = logged.session_timeout if logged.rebalance_timeout < 0 else logged.rebalance_timeout
    if (
        known is not None
        and protocol in known.protocols
        and known.session_timeout_ms == logged.session_timeout
        and known.rebalance_timeout_ms == rebalance_timeout_ms
    ):
        return known  # a member id is never reused, so client id and host are the same, too
    return Member(
        logged.member_id,
        logged.group_instance_id,
        logged.client_id,
        logged.client_host,
        logged.session_timeout,
        rebalance_timeout_ms,
        (protocol,),
    )


def _replace_members(group: ClassicGroup, members: list[Member]) -> None:
    group.members = {}
    group.static_members.clear()
    group.protocol_support.clear()
    for member in members:
        _add_member(group, member)


def _add_member(group: ClassicGroup, member: Member) -> None:
    group.members[member.member_id] = member
    for name in {name for name, _ in member.protocols}:
        group.protocol_support[name] += 1
    if member.group_instance_id is not None:
        group.static_members[member.group_instance_id] = member.member_id


def _remove_look_ups(group: ClassicGroup, member: Member) -> None:
    """Remove the member's protocols and instance id from the look-ups of the group.

    The member stays in `members`, so that an updated member keeps its position in that dictionary.
    """
    for name in {name for name, _ in member.protocols}:
        group.protocol_support[name] -= 1
        if not group.protocol_support[name]:
            del group.protocol_support[name]
    if member.group_instance_id is not None:
        del group.static_members[member.group_instance_id]


CHANGES: Final[dict[type, Callable[[ClassicGroup, Any], None]]] = {
    GroupConfigured: group_configured,
    MemberPending: member_pending,
    MemberAdded: member_added,
    MemberUpdated: member_updated,
    MemberReplaced: member_replaced,
    MemberRemoved: member_removed,
    JoinParked: join_parked,
    SyncParked: sync_parked,
    MemberSynced: member_synced,
    RebalanceStarted: rebalance_started,
    JoinTimerArmed: join_timer_armed,
    GenerationStarted: generation_started,
    SyncTimerArmed: sync_timer_armed,
    SessionExtended: session_extended,
    GroupDied: group_died,
}
