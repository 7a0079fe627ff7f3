"""Departure of members of a consumer group: for ever, temporarily, or by a session timeout (rules 3.5, 3.7)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, final

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import NOTHING, Assigned, Member
from tenure.coordinator.groups.consumer.regexes import abandoned
from tenure.coordinator.groups.consumer.subscribed import metadata_hash
from tenure.coordinator.groups.member_refusals import fenced, unknown_instance, unknown_member
from tenure.coordinator.groups.records import EpochBumped
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Reply
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import MemberId


@final
class Removal(NamedTuple):
    """Members to be removed from a consumer group. The shard also checks whether the group then becomes classic."""

    members: Sequence[Member]
    why: Why
    replies: Sequence[Reply] = ()

    @property
    def member_ids(self) -> dict[MemberId, None]:
        """Member ids in order, as keys of a dictionary, because look-ups must be fast for thousands of members."""
        return {member.member_id: None for member in self.members}


def leave(ask: AskId, group: ConsumerGroup, beat: ConsumerHeartbeat) -> CoordinatorResult | Removal:
    """Handle the heartbeat of a member that leaves, for ever or temporarily, as the epoch in the heartbeat says."""
    member = _leaver(group, beat)
    if isinstance(member, Refused):
        return CoordinatorResult((), ((ask, member),))
    answer = HeartbeatAnswered(beat.member_id, beat.member_epoch, 0, None)
    if beat.member_epoch == LEAVES_FOR_NOW:
        return CoordinatorResult((logged.current(group.group_id, _left_temporarily(member)),), ((ask, answer),))
    return Removal([member], Why(Cause.LEFT, member.member_id), ((ask, answer),))


def _leaver(group: ConsumerGroup, beat: ConsumerHeartbeat) -> Member | Refused:
    if beat.instance_id is None:
        return group.members.get(beat.member_id) or unknown_member(group.group_id, beat.member_id)
    holder_id = group.static_members.get(beat.instance_id)
    if holder_id is None:
        return unknown_instance(beat.instance_id)
    return (
        group.members[holder_id] if holder_id == beat.member_id else fenced(beat.instance_id, beat.member_id, holder_id)
    )


def _left_temporarily(member: Member) -> Member:
    """Return a static member that has left temporarily.

    The member keeps its partitions. The process that takes over its instance id may commit in any epoch (rule 4.6).
    Partitions that the member was giving up are free, because it no longer processes them.
    """
    waiting: Assigned = {topic_id: dict.fromkeys(partitions, 0) for topic_id, partitions in member.assigned.items()}
    return replace(member, member_epoch=LEAVES_FOR_NOW, assigned=waiting, pending_revocation=NOTHING)


def removal_records(groups: Groups, group: ConsumerGroup, removal: Removal) -> list[object]:
    """Return the records that remove members. Their partitions are free for the next target.

    If no member is left, the target is empty, and gets the new group epoch at once (rule 3.5).
    """
    group_id, gone_ids = group.group_id, removal.member_ids
    remaining = [member for member_id, member in group.members.items() if member_id not in gone_ids]
    found = metadata_hash(remaining, groups.topics(), group.regexes)
    epoch = group.group_epoch + 1
    records: list[object] = [
        EpochBumped(group_id, removal.why, tuple(gone_ids)),
        *(record for member_id in gone_ids for record in logged.member_gone(group_id, member_id)),
        *abandoned(group, *(member.subscribed_topic_regex for member in removal.members)),
        logged.group_epoch(group_id, epoch, found),
    ]
    if not remaining:
        records.append(logged.target_epoch(group_id, epoch, logged.NEVER))
    return records
