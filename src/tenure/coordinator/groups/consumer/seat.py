"""Look-up of the seat in the group for the sender of a heartbeat (rule 3.4, step 1).

The sender has a seat already, gets a new one, or takes over the seat of another member. A static member's seat
belongs to its instance id. Another member id can take it over only after the holder has left temporarily (-2) or its
session has expired. Until then the new member id is refused, because the coordinator cannot distinguish a restarted
process from a second process with the same instance id.
"""

from dataclasses import dataclass, replace

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.consumer.reconcile import Owned
from tenure.coordinator.groups.member_refusals import fenced, unknown_instance, unknown_member, unreleased, wrong_epoch
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import InstanceId, MemberId


@dataclass(slots=True)
class Seat:
    member: Member
    """Member as it was before this heartbeat."""
    is_new: bool = False
    """True if the member id is not in the group yet."""
    replaced: Member | None = None
    """Previous holder of the instance id. The new member id inherits its state except for the epoch."""


def seat_of(group: ConsumerGroup, beat: ConsumerHeartbeat, member_id: MemberId, owned: Owned | None) -> Seat | Refused:
    known = group.members.get(member_id)
    if beat.instance_id is not None:
        return _static_seat(group, beat.instance_id, beat, member_id, owned)
    if known is not None:
        return _checked(known, beat.member_epoch, owned)
    if beat.member_epoch != JOINS:
        return unknown_member(group.group_id, member_id)
    return Seat(Member(member_id), is_new=True)


def _static_seat(
    group: ConsumerGroup, instance_id: InstanceId, beat: ConsumerHeartbeat, member_id: MemberId, owned: Owned | None
) -> Seat | Refused:
    holder_id = group.static_members.get(instance_id)
    holder = None if holder_id is None else group.members[holder_id]
    if beat.member_epoch != JOINS:
        if holder is None:
            return unknown_instance(instance_id)
        if holder.member_id != member_id:
            return fenced(instance_id, member_id, holder.member_id)
        return _checked(holder, beat.member_epoch, owned)
    if holder is None:
        return Seat(group.members.get(member_id) or Member(member_id), is_new=member_id not in group.members)
    if not holder.is_away and holder.classic is None:
        return unreleased(instance_id, member_id, holder.member_id)
    return Seat(replace(holder, member_id=member_id, member_epoch=0, previous_member_epoch=0), True, holder)


def _checked(member: Member, epoch: int, owned: Owned | None) -> Seat | Refused:
    """Return the seat of a known member, or an error if its epoch is wrong.

    A member that did not get the last answer sends its previous epoch. The previous epoch is accepted if all
    partitions in `owned` are assigned to the member, unless the member has left temporarily (epoch -2).
    """
    if epoch in (member.member_epoch, JOINS):
        return Seat(member)
    if epoch == member.previous_member_epoch < member.member_epoch and owned is not None and _has_all(member, owned):
        return Seat(member)
    return wrong_epoch("consumer", epoch, member.member_epoch)


def _has_all(member: Member, owned: Owned) -> bool:
    """Return whether all partitions that the member reports as owned are assigned to it.

    If the member reports a topic without partitions, at least one partition of this topic must be assigned to it.
    """
    assigned = member.assigned
    return all(
        topic_id in assigned and all(p in assigned[topic_id] for p in partitions)
        for topic_id, partitions in owned.items()
    )
