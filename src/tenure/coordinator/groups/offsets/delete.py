"""Deletion of offsets: with their topic (rule 6.4.7), with their group, or by an operator (rule 2.17)."""

from collections.abc import Iterable, Sequence

from tenure.coordinator.answers import ACCEPTED, refuse
from tenure.coordinator.groups.answers import OffsetsDeleted
from tenure.coordinator.groups.classic.states import HAS_MEMBERS, State
from tenure.coordinator.groups.classic.subscriptions import CONSUMER, is_subscribed, subscribed_topics
from tenure.coordinator.groups.commands import DeleteGroup, DeleteOffsets, TopicsDeleted
from tenure.coordinator.groups.offsets.group_removal import group_removed
from tenure.coordinator.groups.offsets.removal_in_steps import schedule_removal, tombstone
from tenure.coordinator.groups.state import AnyGroup, EpochGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.limits.coordinator import OFFSETS_REMOVED_PER_STEP_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, PartitionId, TopicName


def topics_deleted(groups: Groups, ask: AskId, deleted: TopicsDeleted, now: Now) -> CoordinatorResult:
    gone = frozenset(deleted.topics)
    to_remove = [
        (group_id, partition, value)
        for group_id, offsets in groups.offsets.items()
        for partition, value in offsets.items()
        if partition[0] in gone
    ]
    if len(to_remove) > OFFSETS_REMOVED_PER_STEP_MAX:
        return schedule_removal(ask, to_remove, None, now)
    pending = [
        tombstone(group_id, partition)
        for group_id, partitions in groups.pending.by_group.items()
        for partition in partitions
        if partition[0] in gone and partition not in groups.offsets.get(group_id, ())
    ]
    committed = [tombstone(group_id, partition) for group_id, partition, _ in to_remove]
    return CoordinatorResult([*committed, *pending], ((ask, ACCEPTED),))


def delete_group(
    groups: Groups, ask: AskId, group: AnyGroup | None, delete: DeleteGroup, now: Now
) -> CoordinatorResult:
    """Delete a group without members. Pending member ids, with which no member has joined, do not count (rule 2.17)."""
    if group is None or group.state is State.DEAD:
        return refuse(ask, ErrorCode.GROUP_ID_NOT_FOUND)
    if not group.is_empty:
        return refuse(ask, ErrorCode.NON_EMPTY_GROUP)
    offsets = groups.offsets.get(delete.group_id, {})
    if len(offsets) > OFFSETS_REMOVED_PER_STEP_MAX:
        to_remove = [(delete.group_id, partition, value) for partition, value in offsets.items()]
        return schedule_removal(ask, to_remove, delete.group_id, now)
    gone = group_removed(group)
    pending = [partition for partition in groups.pending.partitions(delete.group_id) if partition not in offsets]
    return CoordinatorResult([*tombstones(delete.group_id, [*offsets, *pending]), *gone], ((ask, ACCEPTED),))


def delete_offsets(
    groups: Groups, ask: AskId, group: AnyGroup | None, delete: DeleteOffsets, _: Now
) -> CoordinatorResult:
    """Delete offsets. Offsets of subscribed topics are not deleted, because members would continue from them."""
    if not delete.group_id:
        return refuse(ask, ErrorCode.INVALID_GROUP_ID)
    if isinstance(group, EpochGroup):
        wanted = group.subscribed_topics()
        return _deleted(groups, ask, delete, [topic in wanted for topic, _ in delete.partitions])
    if group is None or group.state is State.DEAD:
        return refuse(ask, ErrorCode.GROUP_ID_NOT_FOUND)
    if group.state in HAS_MEMBERS and group.protocol_type != CONSUMER:
        return refuse(ask, ErrorCode.NON_EMPTY_GROUP)
    topics = subscribed_topics(group)
    return _deleted(groups, ask, delete, [is_subscribed(group, topics, topic) for topic, _ in delete.partitions])


def _deleted(groups: Groups, ask: AskId, delete: DeleteOffsets, subscribed: Sequence[bool]) -> CoordinatorResult:
    offsets = groups.offsets.get(delete.group_id, {})
    codes = [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if wanted else ErrorCode.NONE for wanted in subscribed]
    free = [key for key, code in zip(delete.partitions, codes, strict=True) if code is ErrorCode.NONE]
    known = {*offsets, *groups.pending.partitions(delete.group_id)}
    records = tombstones(delete.group_id, [key for key in dict.fromkeys(free) if key in known])
    return CoordinatorResult(records, ((ask, OffsetsDeleted(codes)),))


def tombstones(group_id: GroupId, partitions: Iterable[tuple[TopicName, PartitionId]]) -> list[LogRecord]:
    return [tombstone(group_id, partition) for partition in partitions]
