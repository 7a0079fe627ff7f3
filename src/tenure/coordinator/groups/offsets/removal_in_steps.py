"""Removal of many offsets in steps: those of a topic that many groups consumed, or of a large deleted group.

All their tombstones together would delay other requests, and might not fit into one batch of the log. So each step
writes some of the tombstones, the next step follows in the next turn, and the request is answered at the end. The
offsets are selected at the beginning. An offset that is committed afterwards, for a new topic of the same name, is not
removed.

While a group is being deleted, the group accepts no joins, and its offsets can be neither read nor written: such
requests get the same retriable error as while a shard is loading. After a fail-over the remaining steps are lost, and
the waiting request is refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.commands import (
    CommitOffsets,
    ConsumerHeartbeat,
    ContinueOffsetRemoval,
    DeleteGroup,
    DeleteOffsets,
    FetchOffsets,
    JoinGroup,
    StreamsHeartbeat,
)
from tenure.coordinator.groups.offsets.group_removal import group_removed
from tenure.coordinator.groups.records import OffsetRemovalContinued, OffsetRemovalStarted, OffsetToRemove
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now, Reply
from tenure.limits.coordinator import OFFSETS_REMOVED_PER_STEP_BYTES_MAX, OFFSETS_REMOVED_PER_STEP_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey
from tenure.protocol.types import GroupId, PartitionId, TopicName

CLOSED_TO: Final = frozenset(
    {JoinGroup, CommitOffsets, ConsumerHeartbeat, StreamsHeartbeat, FetchOffsets, DeleteOffsets, DeleteGroup}
)
"""Commands that are refused while the group is being deleted."""


def schedule_removal(
    ask: AskId, to_remove: Sequence[OffsetToRemove], deleted_group: GroupId | None, now: Now
) -> CoordinatorResult:
    """Return the result that schedules the removal of offsets.

    `deleted_group` is the group that is deleted together with its offsets, else None.
    """
    return CoordinatorResult((OffsetRemovalStarted(ask, to_remove, deleted_group, now.tick_ms),))


def remove_some_offsets(groups: Groups, _: AskId, __: ContinueOffsetRemoval, now: Now) -> CoordinatorResult:
    """Run the next step of the oldest removal."""
    removal = groups.removals[0]
    looked_at = list(_some(removal.to_remove, groups.removed))
    done = groups.removed + len(looked_at)
    records: list[object] = [
        tombstone(group_id, partition)
        for group_id, partition, value in looked_at
        if groups.offsets.get(group_id, {}).get(partition) is value
    ]
    replies: list[Reply] = []
    if done == len(removal.to_remove):
        records += _end(groups, removal.deleted_group)
        replies.append((removal.ask, ACCEPTED))
    return CoordinatorResult([*records, OffsetRemovalContinued(len(looked_at), now.tick_ms)], replies)


def _some(to_remove: Sequence[OffsetToRemove], first: int) -> Iterator[OffsetToRemove]:
    """Yield the offsets that the next step removes, beginning at index `first`.

    A step is limited by the number of offsets and by the length of their group ids, but has at least one offset.
    """
    size = 0
    for entry in islice(to_remove, first, first + OFFSETS_REMOVED_PER_STEP_MAX):
        size += len(entry[0])
        if size > OFFSETS_REMOVED_PER_STEP_BYTES_MAX and size > len(entry[0]):
            return
        yield entry


def _end(groups: Groups, group_id: GroupId | None) -> Iterable[LogRecord]:
    group = None if group_id is None else groups.by_id.get(group_id)
    return () if group is None else group_removed(group)


def tombstone(group_id: GroupId, partition: tuple[TopicName, PartitionId]) -> LogRecord:
    return LogRecord(OffsetCommitKey(group_id, *partition), None)
