"""Changes of a shard's offsets, one function per record: committed, pending and removed offsets."""

from collections.abc import Callable
from typing import Any, Final

from tenure.coordinator.groups.records import (
    OffsetExpiryScheduled,
    OffsetRemovalContinued,
    OffsetRemovalStarted,
    OffsetsRead,
    SimpleGroupMade,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import TransactionalRecord
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.types import Marker


def offset_commit(groups: Groups, key: OffsetCommitKey, value: OffsetCommitValue | None) -> None:
    group_id = key.group
    offsets = groups.offsets.get(group_id)
    if groups.pending.by_group:
        (groups.pending.remove if value is None else groups.pending.supersede)(key)
    if value is not None:
        groups.maybe_make_simple(group_id)
        if offsets is None:
            offsets = groups.offsets[group_id] = {}
        offsets[key.topic, key.partition] = value
    elif offsets is not None:
        offsets.pop((key.topic, key.partition), None)
        if not offsets:
            del groups.offsets[group_id]


def offsets_read(groups: Groups, read: OffsetsRead) -> None:
    """Apply many commits of a group that were read from the log, as if each were applied with `offset_commit`."""
    group_id = read.group_id
    if group_id in groups.pending.by_group:
        for topic, partition in read.offsets:
            groups.pending.supersede(OffsetCommitKey(group_id, topic, partition))
    groups.maybe_make_simple(group_id)
    offsets = groups.offsets.get(group_id)
    if offsets is None:
        groups.offsets[group_id] = read.offsets
    else:
        offsets |= read.offsets


def offset_pending(groups: Groups, record: TransactionalRecord) -> None:
    key, value = record.key, record.value
    if not isinstance(key, OffsetCommitKey) or not isinstance(value, OffsetCommitValue):
        return  # transactions contain only offsets; ignore any other record in a log
    groups.maybe_make_simple(key.group)
    groups.pending.add(record.producer_id, key, value)


def transaction_ended(groups: Groups, marker: Marker) -> None:
    for group_id, partition, value in groups.pending.end(marker.producer_id, is_commit=marker.is_commit):
        groups.maybe_make_simple(group_id)
        groups.offsets.setdefault(group_id, {})[partition] = value


def simple_group_made(groups: Groups, record: SimpleGroupMade) -> None:
    groups.maybe_make_simple(record.group_id)


def offset_expiry_scheduled(groups: Groups, record: OffsetExpiryScheduled) -> None:
    groups.offset_expiry = record
    groups.offsets_expired += record.expired


def removal_began(groups: Groups, record: OffsetRemovalStarted) -> None:
    groups.removals.append(record)
    _set_next_removal_step(groups, record.deadline_ms)


def removal_continued(groups: Groups, record: OffsetRemovalContinued) -> None:
    groups.removed += record.count
    if groups.removed == len(groups.removals[0].to_remove):
        groups.removals, groups.removed = groups.removals[1:], 0
    _set_next_removal_step(groups, record.deadline_ms)


def _set_next_removal_step(groups: Groups, deadline_ms: int) -> None:
    groups.ending = {each.deleted_group for each in groups.removals if each.deleted_group is not None}
    groups.removal_deadline_ms = deadline_ms


CHANGES: Final[dict[type, Callable[[Groups, Any], None]]] = {
    TransactionalRecord: offset_pending,
    Marker: transaction_ended,
    OffsetsRead: offsets_read,
    SimpleGroupMade: simple_group_made,
    OffsetExpiryScheduled: offset_expiry_scheduled,
    OffsetRemovalStarted: removal_began,
    OffsetRemovalContinued: removal_continued,
}
