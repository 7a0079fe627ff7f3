"""Changes of a consumer group, one function per record. Only these functions change a group, and they decide nothing.

The same functions run for live groups and at load. A compacted log may have two records that give the same partition to
different members, in any order: the record of the earlier owner and that of the later owner. The ownership with the
lower epoch is ignored (KAFKA-19862). Neither Tenure nor Kafka writes two such records with the same epoch.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from tenure.coordinator.groups.consumer.group import FREE, UNKNOWN_REVOCATION_EPOCH, ConsumerGroup
from tenure.coordinator.groups.consumer.member import NO_PARTITIONS, Assigned, Member, MemberState
from tenure.coordinator.groups.records import (
    AssignmentAwaited,
    AssignmentComputed,
    AssignmentFetched,
    ConsumerGroupLoaded,
    MemberJoined,
    RejoinTimerArmed,
    ResolutionAwaited,
    RevocationTimerArmed,
    TopicsSeen,
)
from tenure.coordinator.shard import InvariantError
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    CurrentTopicPartitions,
)
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.types import MemberId

STATES: Final = {int(state): state for state in MemberState}


def group_metadata(group: ConsumerGroup, _: ConsumerGroupMetadataKey, value: ConsumerGroupMetadataValue | None) -> None:
    """Set the epoch of the group. A tombstone ends the group, and the shard then removes it."""
    if value is not None:
        group.group_epoch = value.epoch
        group.metadata_hash = value.metadata_hash


def partition_metadata(_: ConsumerGroup, __: ConsumerGroupPartitionMetadataKey, ___: object) -> None:
    """Ignore the record, which only brokers before Kafka 4.1 write.

    The group's metadata has a hash of the topics instead.
    """


def member_metadata(
    group: ConsumerGroup, key: ConsumerGroupMemberMetadataKey, value: ConsumerGroupMemberMetadataValue | None
) -> None:
    member_id = key.member_id
    before = group.members.get(member_id)
    if before is not None and before.instance_id is not None and group.static_members[before.instance_id] == member_id:
        del group.static_members[before.instance_id]
    if value is None:
        _forget(group, member_id, before)
        return
    member = replace(
        before or Member(member_id),
        instance_id=value.instance_id,
        rack_id=value.rack_id,
        client_id=value.client_id,
        client_host=value.client_host,
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        subscribed_topic_names=tuple(value.subscribed_topic_names),
        subscribed_topic_regex=value.subscribed_topic_regex or "",
        server_assignor=value.server_assignor,
        classic=value.classic_member_metadata,
    )
    group.members[member_id] = member
    _touch(group, member_id)
    _count(group, before or Member(member_id), member)
    if member.instance_id is not None:
        group.static_members[member.instance_id] = member_id


def _touch(group: ConsumerGroup, member_id: MemberId) -> None:
    if group.arrays is not None or group.assigning is not None:
        group.changed_members.add(member_id)


def _count(group: ConsumerGroup, before: Member, after: Member) -> None:
    """Update the numbers of subscribers of each topic and regular expression, for one changed member."""
    _recount(group.subscribers, before.subscribed_topic_names, after.subscribed_topic_names)
    old, new = before.subscribed_topic_regex, after.subscribed_topic_regex
    _recount(group.regex_subscribers, (old,) if old else (), (new,) if new else ())


def _recount(counts: dict[Any, int], before: Sequence[object], after: Sequence[object]) -> None:
    if before == after:
        return
    for name in after:
        counts[name] = counts.get(name, 0) + 1
    for name in before:
        counts[name] -= 1
        if not counts[name]:
            del counts[name]


def _forget(group: ConsumerGroup, member_id: MemberId, member: Member | None) -> None:
    if member is None:
        return
    _count(group, member, Member(member_id))
    _touch(group, member_id)
    if member.assigned or member.pending_revocation:
        raise InvariantError(f"member {member_id!r} of {group.group_id!r} was removed while it owned partitions")
    del group.members[member_id]
    group.session_deadlines.pop(member_id, None)
    group.revocation_deadlines.pop(member_id, None)
    group.join_deadlines.pop(member_id, None)
    group.sync_deadlines.pop(member_id, None)
    group.revocation_epochs.pop(member_id, None)


def target_metadata(
    group: ConsumerGroup,
    _: ConsumerGroupTargetAssignmentMetadataKey,
    value: ConsumerGroupTargetAssignmentMetadataValue | None,
) -> None:
    if value is not None:
        group.target_epoch = value.assignment_epoch
        group.assignment_timestamp = value.assignment_timestamp


def target(group: ConsumerGroup, key: ConsumerGroupTargetAssignmentMemberKey, value: TargetAssignment | None) -> None:
    _touch(group, key.member_id)
    if value is None:
        group.targets.pop(key.member_id, None)
    else:
        group.targets[key.member_id] = value


def current(
    group: ConsumerGroup,
    key: ConsumerGroupCurrentMemberAssignmentKey,
    value: ConsumerGroupCurrentMemberAssignmentValue | None,
) -> None:
    """Set the epochs, state and partitions of a member.

    A tombstone resets them, but does not remove the member: the tombstone of its ConsumerGroupMemberMetadata does.
    """
    member_id = key.member_id
    before = group.members.get(member_id)
    if before is None and value is None:
        return
    before = before or Member(member_id)
    after = replace(before, **_current(value))
    _release(group, before, before.assigned)
    _release(group, before, before.pending_revocation)
    _enter(group, after, after.assigned)
    _enter(group, after, after.pending_revocation)
    group.revocation_epochs[member_id] = _revocation_epoch(group, before, after)
    group.members[member_id] = after
    if after.state is not MemberState.UNREVOKED_PARTITIONS or after.member_epoch != before.member_epoch:
        group.revocation_deadlines.pop(member_id, None)


def _current(value: ConsumerGroupCurrentMemberAssignmentValue | None) -> dict[str, Any]:
    if value is None:
        value = ConsumerGroupCurrentMemberAssignmentValue()
    return {
        "member_epoch": value.member_epoch,
        "previous_member_epoch": value.previous_member_epoch,
        "state": STATES.get(value.state, MemberState.UNKNOWN),
        "assigned": _assigned(value.assigned_partitions, value.member_epoch),
        "pending_revocation": _assigned(value.partitions_pending_revocation, value.member_epoch),
    }


def _assigned(topics: list[CurrentTopicPartitions], member_epoch: int) -> Assigned:
    """Return the assigned partitions with their assignment epochs.

    Kafka writes assignment epochs since 4.3. If a record has none, its partitions get the member's epoch as assignment
    epoch. Then only commits in the member's epoch are accepted (rule 4.6).
    """
    strict = max(member_epoch, 0)
    return {
        topic.topic_id: dict(zip(topic.partitions, topic.assignment_epochs, strict=True))
        if topic.assignment_epochs and len(topic.assignment_epochs) == len(topic.partitions)
        else dict.fromkeys(topic.partitions, strict)
        for topic in topics
        if topic.partitions
    }


def _release(group: ConsumerGroup, member: Member, assigned: Assigned) -> None:
    for topic_id, partitions in assigned.items():
        epochs = group.partition_epochs.get(topic_id, {})
        for partition in partitions:
            if epochs.get(partition) == member.member_epoch:
                del epochs[partition]
        if not epochs:
            group.partition_epochs.pop(topic_id, None)


def _enter(group: ConsumerGroup, member: Member, assigned: Assigned) -> None:
    for topic_id, partitions in assigned.items():
        epochs = group.partition_epochs.setdefault(topic_id, {})
        for partition in partitions:
            if epochs.get(partition, FREE) == member.member_epoch:
                raise InvariantError(
                    f"partition {partition} of topic {topic_id!r} is owned by member {member.member_id!r} and another "
                    f"member of group {group.group_id!r} at the same epoch"
                )
            epochs[partition] = max(member.member_epoch, epochs.get(partition, member.member_epoch))


def _revocation_epoch(group: ConsumerGroup, before: Member, after: Member) -> int:
    """Return the revocation epoch: the last epoch in which the member had a partition that it has lost (rule 4.7)."""
    known = group.revocation_epochs.get(after.member_id, 0)
    if _keeps_all(before, after) or before.member_epoch < 0:
        return known
    return max(known, min(before.member_epoch, after.member_epoch - 1))


def _keeps_all(before: Member, after: Member) -> bool:
    return all(
        partition in after.assigned.get(topic_id, NO_PARTITIONS)
        or partition in after.pending_revocation.get(topic_id, NO_PARTITIONS)
        for assigned in (before.assigned, before.pending_revocation)
        for topic_id, partitions in assigned.items()
        for partition in partitions
    )


def group_loaded(group: ConsumerGroup, _: ConsumerGroupLoaded) -> None:
    """Set all revocation epochs to unknown after a load, because no record contains them.

    As long as a revocation epoch is unknown, the policy `revocation-epoch` accepts only commits in the member's present
    epoch.
    """
    group.revocation_epochs = dict.fromkeys(group.members, UNKNOWN_REVOCATION_EPOCH)


def regular_expression(
    group: ConsumerGroup, key: ConsumerGroupRegularExpressionKey, value: ConsumerGroupRegularExpressionValue | None
) -> None:
    group.arrays = None
    if value is None:
        group.regexes.pop(key.regular_expression, None)
    else:
        group.regexes[key.regular_expression] = value


def revocation_timer_armed(group: ConsumerGroup, record: RevocationTimerArmed) -> None:
    group.revocation_deadlines[record.member_id] = record.deadline_ms


def rejoin_timer_armed(group: ConsumerGroup, record: RejoinTimerArmed) -> None:
    group.join_deadlines[record.member_id] = record.deadline_ms


def joined(group: ConsumerGroup, record: MemberJoined) -> None:
    group.join_deadlines.pop(record.member_id, None)
    group.sync_deadlines[record.member_id] = record.deadline_ms


def assignment_fetched(group: ConsumerGroup, record: AssignmentFetched) -> None:
    group.sync_deadlines.pop(record.member_id, None)


def topics_seen(group: ConsumerGroup, record: TopicsSeen) -> None:
    group.topics_version = record.version


def resolution_awaited(group: ConsumerGroup, record: ResolutionAwaited) -> None:
    group.resolving = record.effect


def assignment_awaited(group: ConsumerGroup, record: AssignmentAwaited) -> None:
    group.assigning = record.effect
    group.changed_members.clear()
    if record.effect is None:
        group.assignment_failure = record.failure
        group.arrays = None


def assignment_computed(group: ConsumerGroup, record: AssignmentComputed) -> None:
    group.assigning = None
    group.assignment_failure = ""
    group.arrays = record.arrays
    group.changed_members = set(record.changed_members) if record.arrays is not None else set()


EPHEMERAL: Final[dict[type, Callable[[ConsumerGroup, Any], None]]] = {
    RevocationTimerArmed: revocation_timer_armed,
    RejoinTimerArmed: rejoin_timer_armed,
    MemberJoined: joined,
    AssignmentFetched: assignment_fetched,
    TopicsSeen: topics_seen,
    ResolutionAwaited: resolution_awaited,
    AssignmentAwaited: assignment_awaited,
    AssignmentComputed: assignment_computed,
    ConsumerGroupLoaded: group_loaded,
}

CHANGES: Final[dict[type, Callable[[ConsumerGroup, Any, Any], None]]] = {
    ConsumerGroupMetadataKey: group_metadata,
    ConsumerGroupPartitionMetadataKey: partition_metadata,
    ConsumerGroupMemberMetadataKey: member_metadata,
    ConsumerGroupTargetAssignmentMetadataKey: target_metadata,
    ConsumerGroupTargetAssignmentMemberKey: target,
    ConsumerGroupCurrentMemberAssignmentKey: current,
    ConsumerGroupRegularExpressionKey: regular_expression,
}
"""Function for each durable record, by the type of its key."""
