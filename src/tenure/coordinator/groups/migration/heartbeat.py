"""Heartbeats of classic members to a consumer group (rule 3.9).

The answer REBALANCE_IN_PROGRESS tells the member to join again. The reason is a new target, partitions that the member
must give up, or partitions of its target that are free now. The member has to join within its rebalance timeout.
"""

from tenure.coordinator.answers import ACCEPTED, Refused, refuse
from tenure.coordinator.groups.commands import Heartbeat
from tenure.coordinator.groups.consumer.group import FREE, ConsumerGroup
from tenure.coordinator.groups.consumer.member import NO_PARTITIONS, Member, MemberState
from tenure.coordinator.groups.migration.request_sender import rejoin_timer, sender_of
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def heartbeat_to_consumer_group(
    _: Groups, ask: AskId, group: ConsumerGroup, beat: Heartbeat, now: Now
) -> CoordinatorResult:
    sender = sender_of(group, beat.member_id, beat.group_instance_id, beat.generation_id)
    if isinstance(sender, ErrorCode):
        return refuse(ask, sender)
    extended = SessionExtended(beat.group_id, beat.member_id, now.tick_ms + sender.session_timeout_ms)
    if not _has_to_join(sender.group, sender.member):
        return CoordinatorResult((extended,), ((ask, ACCEPTED),))
    return CoordinatorResult((extended, *rejoin_timer(sender, now)), ((ask, Refused(ErrorCode.REBALANCE_IN_PROGRESS)),))


def _has_to_join(group: ConsumerGroup, member: Member) -> bool:
    """Return whether the member has to join again.

    A new target is computed by a consumer heartbeat or by a join. If all members are classic, only a join can compute
    it, so a member has to join. In Apache Kafka the members wait until one of them joins for another reason.
    """
    if member.member_epoch < group.target_epoch or member.state is MemberState.UNREVOKED_PARTITIONS:
        return True
    if member.state is MemberState.UNRELEASED_PARTITIONS and not _waits_for_others(group, member):
        return True
    return member.member_epoch < group.group_epoch and all(one.classic is not None for one in group.members.values())


def _waits_for_others(group: ConsumerGroup, member: Member) -> bool:
    """Return whether other members still own partitions of this member's target."""
    return any(
        partition not in member.assigned.get(topic_id, NO_PARTITIONS)
        and group.partition_epochs.get(topic_id, NO_PARTITIONS).get(partition, FREE) != FREE
        for topic_id, partitions in group.target_of(member.member_id).items()
        for partition in partitions
    )
