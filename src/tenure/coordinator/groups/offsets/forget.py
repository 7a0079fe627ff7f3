"""Offsets that go: with their topic (rule 6.4.7) or with their group (rule 2.17)."""

from collections.abc import Iterable

from tenure.coordinator.answers import ACCEPTED, refuse
from tenure.coordinator.groups.classic import logged
from tenure.coordinator.groups.classic.states import HAS_MEMBERS, State
from tenure.coordinator.groups.commands import DeleteGroup, TopicsDeleted
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, LogRecord, Now, Step
from tenure.protocol.consumer_offsets import OffsetCommitKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, PartitionId, TopicName


def topics_deleted(groups: Groups, ask: AskId, deleted: TopicsDeleted, now: Now) -> Step:  # noqa: ARG001
    gone = frozenset(deleted.topics)
    records = [
        tombstone
        for group_id, offsets in groups.offsets.items()
        for tombstone in _tombstones(group_id, [key for key in offsets if key[0] in gone])
    ]
    return Step(records, ((ask, ACCEPTED),))


def delete_group(groups: Groups, ask: AskId, delete: DeleteGroup, now: Now) -> Step:  # noqa: ARG001
    """Only a group without members; ids that were handed out and not used do not hold it (rule 2.17)."""
    group = groups.classic.get(delete.group_id)
    if group is None or group.state is State.DEAD:
        return refuse(ask, ErrorCode.GROUP_ID_NOT_FOUND)
    if group.state in HAS_MEMBERS:
        return refuse(ask, ErrorCode.NON_EMPTY_GROUP)
    offsets = groups.offsets.get(delete.group_id, {})
    records = [*_tombstones(delete.group_id, offsets), logged.removed(delete.group_id)]
    return Step(records, ((ask, ACCEPTED),))


def _tombstones(group_id: GroupId, partitions: Iterable[tuple[TopicName, PartitionId]]) -> list[LogRecord]:
    return [LogRecord(OffsetCommitKey(group_id, topic, partition), None) for topic, partition in partitions]
