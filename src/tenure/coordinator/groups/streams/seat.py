"""Look-up of the seat in the group for the sender of a heartbeat (rule 5.2, point 2).

The sender has a seat already, gets a new one, or takes over the seat of another member.
"""

from dataclasses import dataclass, replace

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.groups.member_refusals import fenced, unknown_instance, unknown_member, unreleased, wrong_epoch
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import Tasks
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import InstanceId


@dataclass(slots=True)
class StreamsSeat:
    member: StreamsMember
    """Member as it was before this heartbeat."""
    is_new: bool = False
    """True if the member id is not in the group yet."""
    replaced: StreamsMember | None = None
    """Previous holder of the instance id. The new member id inherits its state except for the epoch."""


def seat_of(group: StreamsGroup, beat: StreamsHeartbeat, owned: Tasks | None) -> StreamsSeat | Refused:
    if beat.instance_id is not None:
        return _static_seat(group, beat.instance_id, beat, owned)
    known = group.members.get(beat.member_id)
    if known is not None:
        return _checked(known, beat.member_epoch, owned)
    if beat.member_epoch != JOINS:
        return unknown_member(group.group_id, beat.member_id)
    return StreamsSeat(StreamsMember(beat.member_id), is_new=True)


def _static_seat(
    group: StreamsGroup, instance_id: InstanceId, beat: StreamsHeartbeat, owned: Tasks | None
) -> StreamsSeat | Refused:
    member_id = beat.member_id
    holder_id = group.static_members.get(instance_id)
    holder = None if holder_id is None else group.members[holder_id]
    if beat.member_epoch != JOINS:
        if holder is None:
            return unknown_instance(instance_id)
        if holder.member_id != member_id:
            return fenced(instance_id, member_id, holder.member_id)
        return _checked(holder, beat.member_epoch, owned)
    if holder is None:
        return StreamsSeat(
            group.members.get(member_id) or StreamsMember(member_id), is_new=member_id not in group.members
        )
    if not holder.is_away:
        return unreleased(instance_id, member_id, holder.member_id)
    return StreamsSeat(replace(holder, member_id=member_id, member_epoch=0, previous_member_epoch=0), True, holder)


def _checked(member: StreamsMember, epoch: int, owned: Tasks | None) -> StreamsSeat | Refused:
    """Return the seat of a known member, or an error if its epoch is wrong.

    A member that did not get the last answer sends its previous epoch. The previous epoch is accepted if all tasks in
    `owned` are assigned to the member, unless the member has left temporarily (epoch -2).
    """
    if epoch in (member.member_epoch, JOINS):
        return StreamsSeat(member)
    if (
        epoch == member.previous_member_epoch < member.member_epoch
        and owned is not None
        and member.assigned.contains(owned)
    ):
        return StreamsSeat(member)
    return wrong_epoch("streams", epoch, member.member_epoch)
