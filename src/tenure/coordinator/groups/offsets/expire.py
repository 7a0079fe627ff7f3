"""Removal of expired offsets, and of Empty groups that have no offsets left (rules 6.4.5, 6.4.6).

The start of an offset's retention time depends on the group. In an Empty group it is the departure of the last member,
however old the commit is. In a simple group, which never has members, it is the commit. In a Stable group, only offsets
of topics to which no member subscribes expire. During a rebalance, no offset expires.

A search checks all groups of the shard. Each step checks at most OFFSETS_CHECKED_PER_STEP_MAX offsets, so that requests
do not wait for long. If a group changes after its check, the next search considers the change.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TypeAlias

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.classic.subscriptions import is_subscribed, subscribed_topics
from tenure.coordinator.groups.commands import ExpireOffsets
from tenure.coordinator.groups.offsets.delete import tombstones
from tenure.coordinator.groups.offsets.group_removal import group_removed
from tenure.coordinator.groups.records import OffsetExpiryScheduled
from tenure.coordinator.groups.state import AnyGroup, EpochGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.limits.coordinator import OFFSETS_CHECKED_PER_STEP_MAX, OFFSETS_REMOVED_PER_STEP_BYTES_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import PartitionId, TopicName

Partition: TypeAlias = tuple[TopicName, PartitionId]
Entry: TypeAlias = tuple[Partition, OffsetCommitValue]


def expire_offsets(groups: Groups, _: AskId, __: ExpireOffsets, now: Now) -> CoordinatorResult:
    """Run one step of the search for expired offsets. The last record of the step says where the next step begins."""
    settings = groups.settings
    retention_ms = settings.offsets_retention_minutes * 60_000
    skip = groups.offset_expiry.skip
    left = groups.offset_expiry.left or tuple(groups.by_id)
    records: list[object] = []
    gone = 0
    done, patience = 0, OFFSETS_CHECKED_PER_STEP_MAX
    while done < len(left) and patience > 0:
        group_id = left[done]
        offsets = groups.offsets.get(group_id, {})
        weight = (
            1 + len(group_id) * OFFSETS_CHECKED_PER_STEP_MAX // OFFSETS_REMOVED_PER_STEP_BYTES_MAX
        )  # every tombstone contains the group id
        seen = list(islice(offsets.items(), skip, skip + max(patience // weight, 1)))
        patience -= weight * (len(seen) + 1)
        group = groups.by_id.get(group_id)
        expired = [] if group is None else _expired(group, seen, retention_ms, now.wall_ms)
        unstable = groups.pending.by_group.get(group_id)
        if unstable:  # rule 6.4.5
            expired = [partition for partition in expired if partition not in unstable]
        records += tombstones(group_id, expired)
        gone += len(expired)
        if skip + len(seen) < len(offsets):
            skip += len(seen) - len(expired)
            break
        is_bare = len(expired) == len(offsets) and not unstable
        if group is not None and group.is_empty and is_bare:
            records += group_removed(group)
        done, skip = done + 1, 0
    pause_ms = settings.offsets_retention_check_interval_ms if done == len(left) else 0
    return CoordinatorResult([*records, OffsetExpiryScheduled(now.tick_ms + pause_ms, left[done:], skip, gone)])


def _expired(group: AnyGroup, seen: Sequence[Entry], retention_ms: int, wall_ms: int) -> list[Partition]:
    if isinstance(group, ClassicGroup):
        return _expired_of_classic_group(group, seen, retention_ms, wall_ms)
    return _expired_of_epoch_group(group, seen, retention_ms, wall_ms)


def _expired_of_classic_group(
    group: ClassicGroup, seen: Sequence[Entry], retention_ms: int, wall_ms: int
) -> list[Partition]:
    """Return the partitions of a classic or simple group whose offsets are expired.

    `seen` are the committed offsets to check. A committed offset may have its own expiry time (`expire_timestamp`),
    which then applies instead of the retention time. Offsets of subscribed topics are never expired.
    """
    topics = subscribed_topics(group) if seen else None
    if not seen or not _grows_old(group, topics):
        return []
    since_ms = group.state_since_ms if group.protocol_type is not None and group.state is State.EMPTY else -1
    return [
        key
        for key, value in seen
        if not is_subscribed(group, topics, key[0])
        and wall_ms >= _expires_ms(value, since_ms if since_ms >= 0 else value.commit_timestamp, retention_ms)
    ]


def _expired_of_epoch_group(
    group: EpochGroup, seen: Sequence[Entry], retention_ms: int, wall_ms: int
) -> list[Partition]:
    """Return the partitions of a group whose offsets are expired, except those of topics to which members subscribe.

    `seen` are the committed offsets to check.
    """
    wanted = group.subscribed_topics() if seen else ()
    return [
        key
        for key, value in seen
        if key[0] not in wanted and wall_ms >= _expires_ms(value, value.commit_timestamp, retention_ms)
    ]


def _grows_old(group: ClassicGroup, topics: frozenset[TopicName] | None) -> bool:
    if group.state is State.STABLE:
        return topics is not None
    return group.state is State.EMPTY


def _expires_ms(value: OffsetCommitValue, base_ms: int, retention_ms: int) -> int:
    return value.expire_timestamp if value.expire_timestamp >= 0 else base_ms + retention_ms
