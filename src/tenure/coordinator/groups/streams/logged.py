"""Conversion of a streams group to its log records (rules 5.2 and 6.3)."""

from collections.abc import Iterable, Mapping, Sequence

from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import Task, Tasks, by_subtopology
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import (
    CurrentTaskIds,
    LastAssignmentConfig,
    StreamsClientTag,
    StreamsEndpoint,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
    TargetTaskIds,
)
from tenure.protocol.types import GroupId, MemberId


def group_epoch(
    group: StreamsGroup, epoch: int, metadata_hash: int, validated_epoch: int, configs: Mapping[str, str]
) -> LogRecord:
    stored, failed = group.described_epochs
    value = StreamsGroupMetadataValue(
        epoch,
        metadata_hash,
        validated_epoch,
        [LastAssignmentConfig(key, configs[key]) for key in sorted(configs)],
        stored,
        failed,
    )
    return LogRecord(StreamsGroupMetadataKey(group.group_id), value)


def next_epoch(group: StreamsGroup) -> LogRecord:
    """Return the record that raises the group epoch by one, and changes nothing else."""
    return group_epoch(
        group, group.group_epoch + 1, group.metadata_hash, group.validated_topology_epoch, group.assignment_configs
    )


def topology(group_id: GroupId, value: StreamsGroupTopologyValue) -> LogRecord:
    return LogRecord(StreamsGroupTopologyKey(group_id), value)


def member_metadata(group_id: GroupId, member: StreamsMember) -> LogRecord:
    endpoint = member.user_endpoint
    value = StreamsGroupMemberMetadataValue(
        member.instance_id,
        member.rack_id,
        member.client_id,
        member.client_host,
        member.rebalance_timeout_ms,
        member.topology_epoch,
        member.process_id,
        None if endpoint is None else StreamsEndpoint(endpoint.host, endpoint.port),
        [StreamsClientTag(key, value) for key, value in member.client_tags],
    )
    return LogRecord(StreamsGroupMemberMetadataKey(group_id, member.member_id), value)


def target(group_id: GroupId, member_id: MemberId, wanted: Tasks) -> LogRecord:
    value = StreamsGroupTargetAssignmentMemberValue(*(_target_ids(tasks) for tasks in wanted))
    return LogRecord(StreamsGroupTargetAssignmentMemberKey(group_id, member_id), value)


def _target_ids(tasks: Iterable[Task]) -> list[TargetTaskIds]:
    return [TargetTaskIds(subtopology_id, found) for subtopology_id, found in by_subtopology(tasks).items()]


def target_epoch(group_id: GroupId, epoch: int, wall_ms: int) -> LogRecord:
    value = StreamsGroupTargetAssignmentMetadataValue(epoch, wall_ms)
    return LogRecord(StreamsGroupTargetAssignmentMetadataKey(group_id), value)


def current(group_id: GroupId, member: StreamsMember) -> LogRecord:
    assigned, pending = member.assigned, member.pending_revocation
    value = StreamsGroupCurrentMemberAssignmentValue(
        member.member_epoch,
        member.previous_member_epoch,
        member.state,
        _active_ids(assigned.active),
        _copy_ids(assigned.standby),
        _copy_ids(assigned.warmup),
        _active_ids(pending.active),
        _copy_ids(pending.standby),
        _copy_ids(pending.warmup),
    )
    return LogRecord(StreamsGroupCurrentMemberAssignmentKey(group_id, member.member_id), value)


def _active_ids(tasks: Mapping[Task, int]) -> list[CurrentTaskIds]:
    return [
        CurrentTaskIds(subtopology_id, partitions, [tasks[subtopology_id, partition] for partition in partitions])
        for subtopology_id, partitions in by_subtopology(tasks).items()
    ]


def _copy_ids(tasks: Iterable[Task]) -> list[CurrentTaskIds]:
    return [CurrentTaskIds(subtopology_id, found) for subtopology_id, found in by_subtopology(tasks).items()]


def member_gone(group_id: GroupId, member_id: MemberId) -> list[LogRecord]:
    """Return the tombstones of a member, in Kafka's order: those of its tasks, then that of its metadata."""
    keys = (
        StreamsGroupCurrentMemberAssignmentKey(group_id, member_id),
        StreamsGroupTargetAssignmentMemberKey(group_id, member_id),
        StreamsGroupMemberMetadataKey(group_id, member_id),
    )
    return [LogRecord(key, None) for key in keys]


def group_gone(group: StreamsGroup) -> list[LogRecord]:
    """Return the tombstones of a group in Kafka's order."""
    group_id, members = group.group_id, _ids(group)
    keys = (
        *(StreamsGroupCurrentMemberAssignmentKey(group_id, member_id) for member_id in members),
        *(StreamsGroupTargetAssignmentMemberKey(group_id, member_id) for member_id in members),
        StreamsGroupTargetAssignmentMetadataKey(group_id),
        *(StreamsGroupMemberMetadataKey(group_id, member_id) for member_id in members),
        StreamsGroupMetadataKey(group_id),
        StreamsGroupTopologyKey(group_id),
    )
    return [LogRecord(key, None) for key in keys]


def _ids(group: StreamsGroup) -> Sequence[MemberId]:
    return list(group.members)
