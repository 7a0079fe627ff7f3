"""Conversion of a consumer group to its log records (rules 3.4, 6.3, 6.4.1)."""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Assigned, Member, Target
from tenure.coordinator.shard import LogRecord
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
from tenure.protocol.types import GroupId, MemberId

NEVER: Final = 0
"""Timestamp of a target after which the next assignment need not wait for the assignment interval (rule 3.4)."""


def group_epoch(group_id: GroupId, epoch: int, metadata_hash: int) -> LogRecord:
    return LogRecord(ConsumerGroupMetadataKey(group_id), ConsumerGroupMetadataValue(epoch, metadata_hash))


def subscription(group_id: GroupId, member: Member) -> LogRecord:
    value = ConsumerGroupMemberMetadataValue(
        member.instance_id,
        member.rack_id,
        member.client_id,
        member.client_host,
        list(member.subscribed_topic_names),
        member.subscribed_topic_regex,
        member.rebalance_timeout_ms,
        member.server_assignor,
        member.classic,
    )
    return LogRecord(ConsumerGroupMemberMetadataKey(group_id, member.member_id), value)


def target(group_id: GroupId, member_id: MemberId, wanted: Target) -> LogRecord:
    value = wanted if isinstance(wanted, TargetAssignment) else TargetAssignment(wanted)
    return LogRecord(ConsumerGroupTargetAssignmentMemberKey(group_id, member_id), value)


def target_epoch(group_id: GroupId, epoch: int, wall_ms: int) -> LogRecord:
    value = ConsumerGroupTargetAssignmentMetadataValue(epoch, wall_ms)
    return LogRecord(ConsumerGroupTargetAssignmentMetadataKey(group_id), value)


def current(group_id: GroupId, member: Member) -> LogRecord:
    value = ConsumerGroupCurrentMemberAssignmentValue(
        member.member_epoch,
        member.previous_member_epoch,
        member.state,
        _topics(member.assigned),
        _topics(member.pending_revocation),
    )
    return LogRecord(ConsumerGroupCurrentMemberAssignmentKey(group_id, member.member_id), value)


def _topics(assigned: Assigned) -> list[CurrentTopicPartitions]:
    return [
        CurrentTopicPartitions(topic_id, list(partitions), list(partitions.values()))
        for topic_id, partitions in assigned.items()
    ]


def regex_resolved(group_id: GroupId, pattern: str, value: ConsumerGroupRegularExpressionValue | None) -> LogRecord:
    return LogRecord(ConsumerGroupRegularExpressionKey(group_id, pattern), value)


def member_gone(group_id: GroupId, member_id: MemberId) -> list[LogRecord]:
    """Return the tombstones of a member, in Kafka's order: those of its partitions, then that of its subscription."""
    keys = (
        ConsumerGroupCurrentMemberAssignmentKey(group_id, member_id),
        ConsumerGroupTargetAssignmentMemberKey(group_id, member_id),
        ConsumerGroupMemberMetadataKey(group_id, member_id),
    )
    return [LogRecord(key, None) for key in keys]


def group_gone(group: ConsumerGroup, member_ids: Sequence[MemberId] | None = None) -> list[LogRecord]:
    """Return the tombstones of all records of a group.

    `member_ids` are its members, if they differ from those of `group`.

    As in Kafka, the result includes a tombstone for `ConsumerGroupPartitionMetadata`, although no broker since 4.1
    writes that record.
    """
    group_id = group.group_id
    members: Sequence[MemberId] = list(group.members) if member_ids is None else member_ids
    keys = (
        *(ConsumerGroupCurrentMemberAssignmentKey(group_id, member_id) for member_id in members),
        *(ConsumerGroupTargetAssignmentMemberKey(group_id, member_id) for member_id in members),
        ConsumerGroupTargetAssignmentMetadataKey(group_id),
        *(ConsumerGroupMemberMetadataKey(group_id, member_id) for member_id in members),
        *(ConsumerGroupRegularExpressionKey(group_id, regex) for regex in group.regexes),
        ConsumerGroupPartitionMetadataKey(group_id),
        ConsumerGroupMetadataKey(group_id),
    )
    return [LogRecord(key, None) for key in keys]
