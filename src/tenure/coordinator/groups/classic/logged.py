"""Conversion of a classic group to its log record (rule 6.3)."""

from collections.abc import Mapping

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, GroupMetadataValue, MemberMetadata
from tenure.protocol.types import GenerationId, GroupId, MemberId


def with_members(group: ClassicGroup, assignments: Mapping[MemberId, bytes]) -> LogRecord:
    """Return the record of a group with its members, in the present generation.

    A member without an entry in `assignments` gets an empty assignment.
    """
    members = [
        MemberMetadata(
            member.member_id,
            member.group_instance_id,
            member.client_id,
            member.client_host,
            member.rebalance_timeout_ms,
            member.session_timeout_ms,
            member.metadata_for(group.protocol_name),
            assignments.get(member.member_id, b""),
        )
        for member in group.members.values()
    ]
    value = GroupMetadataValue(
        group.protocol_type or "",
        group.generation_id,
        group.protocol_name,
        group.leader,
        group.state_since_ms,
        members,
    )
    return LogRecord(GroupMetadataKey(group.group_id), value)


def empty(group: ClassicGroup, generation_id: GenerationId, wall_ms: int) -> LogRecord:
    """Return the record of a group that has been Empty since `wall_ms`."""
    value = GroupMetadataValue(group.protocol_type or "", generation_id, None, None, wall_ms, [])
    return LogRecord(GroupMetadataKey(group.group_id), value)


def removed(group_id: GroupId) -> LogRecord:
    return LogRecord(GroupMetadataKey(group_id), None)
