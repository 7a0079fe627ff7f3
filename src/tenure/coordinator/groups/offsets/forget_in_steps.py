"""Removal of many offsets in steps: of a topic that many groups consumed, or of a large group that is deleted.

All their tombstones at once would delay other requests, and might not fit into one step of the log. So a step writes
some, and the next one continues in the next turn, until the request is answered. The offsets are chosen at the
beginning: an offset that is committed meanwhile, for a new topic with the same name, stays.

A group that is deleted so is closed meanwhile: requests to join it, or to read or write its offsets, get a retriable
error, as while its shard is loaded. A fail-over forgets the remaining steps, and refuses the waiting request.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.commands import (
    CommitOffsets,
    ConsumerHeartbeat,
    DeleteGroup,
    DeleteOffsets,
    FetchOffsets,
    ForgetOffsets,
    JoinGroup,
    StreamsHeartbeat,
)
from tenure.coordinator.groups.offsets.group_removal import group_removed
from tenure.coordinator.groups.records import Doomed, ForgettingBegan, ForgettingWentOn
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, LogRecord, Now, Reply, Step
from tenure.limits.coordinator import OFFSETS_FORGOTTEN_BYTES_MAX, OFFSETS_FORGOTTEN_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey
from tenure.protocol.types import GroupId, PartitionId, TopicName

CLOSED_TO: Final = frozenset(
    {JoinGroup, CommitOffsets, ConsumerHeartbeat, StreamsHeartbeat, FetchOffsets, DeleteOffsets, DeleteGroup}
)
"""Commands that a group is closed to while it ends."""


def forget(ask: AskId, doomed: Sequence[Doomed], ends: GroupId | None, now: Now) -> Step:
    """Begin to remove offsets in steps, the first one at once. `ends` is the group that is deleted with them."""
    return Step((ForgettingBegan(ask, doomed, ends, now.tick_ms),))


def forget_offsets(groups: Groups, _: AskId, __: ForgetOffsets, now: Now) -> Step:
    """Remove the next offsets of the oldest unfinished removal."""
    under_way = groups.forgetting[0]
    looked_at = list(_some(under_way.doomed, groups.forgotten))
    done = groups.forgotten + len(looked_at)
    records: list[object] = [
        tombstone(group_id, partition)
        for group_id, partition, value in looked_at
        if groups.offsets.get(group_id, {}).get(partition) is value
    ]
    replies: list[Reply] = []
    if done == len(under_way.doomed):
        records += _end(groups, under_way.ends)
        replies.append((under_way.ask, ACCEPTED))
    return Step([*records, ForgettingWentOn(len(looked_at), now.tick_ms)], replies)


def _some(doomed: Sequence[Doomed], first: int) -> Iterator[Doomed]:
    """Yield as many offsets as one step may take, and at least one."""
    size = 0
    for entry in islice(doomed, first, first + OFFSETS_FORGOTTEN_MAX):
        size += len(entry[0])
        if size > OFFSETS_FORGOTTEN_BYTES_MAX and size > len(entry[0]):
            return
        yield entry


def _end(groups: Groups, group_id: GroupId | None) -> Iterable[LogRecord]:
    return () if group_id is None else group_removed(groups, group_id)


def tombstone(group_id: GroupId, partition: tuple[TopicName, PartitionId]) -> LogRecord:
    return LogRecord(OffsetCommitKey(group_id, *partition), None)
