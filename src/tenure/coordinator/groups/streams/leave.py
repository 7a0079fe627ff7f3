"""Departure of members of a streams group: for ever, temporarily, or by a session timeout (rules 5.2 and 5.3)."""

from dataclasses import replace

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.groups.member_refusals import fenced, unknown_instance, unknown_member
from tenure.coordinator.groups.records import EpochBumped, ShutdownRequested
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NOTHING, AssignedTasks
from tenure.coordinator.shard import AskId, CoordinatorResult
from tenure.protocol.special_values import LEAVES_FOR_NOW


def leave(ask: AskId, group: StreamsGroup, beat: StreamsHeartbeat) -> CoordinatorResult:
    """Handle the heartbeat of a member that leaves, for ever or temporarily, as the epoch in the heartbeat says."""
    member = _leaver(group, beat)
    if isinstance(member, Refused):
        return CoordinatorResult((), ((ask, member),))
    answer = StreamsHeartbeatAnswered(member.member_id, beat.member_epoch)
    requested = [ShutdownRequested(group.group_id, beat.member_id)] if beat.shutdown_application else []
    if beat.member_epoch == LEAVES_FOR_NOW:
        return CoordinatorResult(
            (*requested, logged.current(group.group_id, _temporarily_left(member))), ((ask, answer),)
        )
    return CoordinatorResult((*requested, *removal_records(group, member, Cause.LEFT)), ((ask, answer),))


def _leaver(group: StreamsGroup, beat: StreamsHeartbeat) -> StreamsMember | Refused:
    if beat.instance_id is None:
        return group.members.get(beat.member_id) or unknown_member(group.group_id, beat.member_id)
    holder_id = group.static_members.get(beat.instance_id)
    if holder_id is None:
        return unknown_instance(beat.instance_id)
    if holder_id != beat.member_id:
        return fenced(beat.instance_id, beat.member_id, holder_id)
    return group.members[holder_id]


def _temporarily_left(member: StreamsMember) -> StreamsMember:
    """Return a static member that has left temporarily.

    The member keeps its tasks. The process that takes over its instance id may commit in any epoch (rule 4.6).
    """
    assigned = member.assigned
    waiting = AssignedTasks(dict.fromkeys(assigned.active, 0), assigned.standby, assigned.warmup)
    return replace(member, member_epoch=LEAVES_FOR_NOW, assigned=waiting, pending_revocation=NOTHING)


def removal_records(group: StreamsGroup, member: StreamsMember, cause: Cause) -> list[object]:
    """Return the records that remove a member and raise the group epoch."""
    bumped = EpochBumped(group.group_id, Why(cause, member.member_id), (member.member_id,))
    records: list[object] = [bumped, *logged.member_gone(group.group_id, member.member_id), logged.next_epoch(group)]
    if len(group.members) == 1:
        records.append(logged.target_epoch(group.group_id, group.group_epoch + 1, 0))
    return records
