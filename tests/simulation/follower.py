"""Replica of a shard, made only from the log.

All records are kept, even if compactions removed them; the index is the offset. The live shard is compared with the
replica: a record when it is written, a group at rest, and everything after a load.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final, TypeAlias

from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, OffsetCommitKey
from tenure.protocol.types import GroupId, Marker
from tests.simulation import consumer_invariants, invariants
from tests.simulation.broken import Broken
from tests.simulation.consumer_invariants import Tenures
from tests.simulation.pending import Pending
from tests.simulation.positions import GroupPartition

Logged: TypeAlias = LogRecord | TransactionalRecord | Marker


class Follower:
    def __init__(self, settings: GroupSettings) -> None:
        self.tenures = Tenures()
        self._log: Final[list[Logged]] = []
        self._newest: dict[GroupId, int] = {}
        """Offset of the last record of each group."""
        self._new_shard: Final[Callable[[], GroupsShard]] = lambda: GroupsShard(settings, Random(0).randbytes)
        self._shard = self._new_shard()
        self._pending = Pending()

    @property
    def end_offset(self) -> int:
        return len(self._log)

    def newest_of(self, group_id: GroupId | None) -> int:
        """Return the offset of the last record of this group; -1 if there is none."""
        return -1 if group_id is None else self._newest.get(group_id, -1)

    def follow(self, record: Logged) -> Iterable[tuple[GroupPartition, str]]:
        """Apply one more record; return the commits that became valid by the end of their transaction."""
        group_id = group_of(record)
        if group_id is not None:
            self._newest[group_id] = len(self._log)
        self._log.append(record)
        return self._fold(record)

    def _fold(self, record: Logged) -> Iterable[tuple[GroupPartition, str]]:
        self._shard.apply(record)
        if not isinstance(record, LogRecord):
            return self._pending.fold(record)
        self.tenures.fold(record)
        group_partition = group_partition_of(record)
        if group_partition is not None:
            self._pending.supersede(group_partition)
        return ()

    def cut(self, end_offset: int) -> int:
        """Drop all records from an offset on, which were not written; return their number.

        Of offsets, which are most of the records, only the last version of each is applied again.
        """
        lost = len(self._log) - end_offset
        if lost <= 0:
            return 0
        del self._log[end_offset:]
        self._newest = {group_id: at for group_id, at in self._newest.items() if at < end_offset}
        self._shard, self.tenures, self._pending = self._new_shard(), Tenures(), Pending()
        newest = {
            group_partition: at
            for at, group_partition in enumerate(map(group_partition_of, self._log))
            if group_partition is not None
        }
        for at, record in enumerate(self._log):
            group_partition = group_partition_of(record)
            if group_partition is None or newest[group_partition] == at:
                self._fold(record)
        return lost

    # --- comparisons of live state with it ----------------------------------------------------------------------------

    def same_offset(self, live: GroupsShard, key: OffsetCommitKey) -> None:
        ours, theirs = (_offset(shard, key) for shard in (live, self._shard))
        if ours != theirs:
            raise Broken("OffsetOrder", f"{key}: {ours} lives, {theirs} was logged")

    def same_classic_group(self, live: GroupsShard, group_id: GroupId) -> None:
        """Compare a classic group with its record; later changes are not logged."""
        ours, theirs = (_durable(shard, group_id) for shard in (live, self._shard))
        if ours != theirs:
            raise Broken("ReplayEqualsLive", f"{ours} lives, {theirs} was logged")

    def same_consumer_group(self, live: ConsumerGroup) -> None:
        logged = self._shard.consumer_group(live.group_id)
        if logged is None:
            raise Broken("ReplayEqualsLive", f"{live.digest()} lives, and is not in the log")
        consumer_invariants.same_durable_state(live, logged)

    def same_loaded(self, loaded: GroupsShard) -> None:
        """Compare with a shard that was loaded from the log, complete or compacted."""
        (groups, offsets), (logged_groups, logged_offsets) = loaded.digest(), self._shard.digest()
        if offsets != logged_offsets:
            raise Broken("ReplayEqualsLive", f"{offsets} loaded, {logged_offsets} was logged")
        pending, logged_pending = loaded._groups.pending.by_group, self._shard._groups.pending.by_group
        if _pending_keys(pending) != _pending_keys(logged_pending):
            raise Broken("ReplayEqualsLive", f"{pending} is pending, {logged_pending} was logged")
        for group_id in sorted(groups.keys() | logged_groups.keys()):
            self._same_loaded_group(loaded, group_id)

    def _same_loaded_group(self, loaded: GroupsShard, group_id: GroupId) -> None:
        consumer, logged = loaded.consumer_group(group_id), self._shard.consumer_group(group_id)
        if consumer is not None and logged is not None:
            consumer_invariants.same_durable_state(consumer, logged)
            return
        ours, theirs = (_durable(shard, group_id) for shard in (loaded, self._shard))
        classic = self._shard.classic_group(group_id)
        left_no_trace = ours is None and classic is not None and classic.state_since_ms < 0
        if (consumer is None) != (logged is None) or (ours != theirs and not left_no_trace):
            raise Broken("ReplayEqualsLive", f"{group_id}: {consumer or ours} loaded, {logged or theirs} was logged")


def group_of(record: Any) -> GroupId | None:
    at = record.key if isinstance(record, LogRecord | TransactionalRecord) else record
    if isinstance(at, OffsetCommitKey | GroupMetadataKey):
        return at.group
    return getattr(at, "group_id", None)


def group_partition_of(record: object) -> GroupPartition | None:
    """Return the group and partition of a commit outside of a transaction, or of its tombstone; else None."""
    key = record.key if isinstance(record, LogRecord) else None
    return (key.group, key.topic, key.partition) if type(key) is OffsetCommitKey else None


def _offset(shard: GroupsShard, key: OffsetCommitKey) -> object:
    return shard._groups.offsets.get(key.group, {}).get((key.topic, key.partition))


def _durable(shard: GroupsShard, group_id: GroupId) -> object:
    group = shard.classic_group(group_id)
    return None if group is None else invariants.durable(group.digest())


def _pending_keys(pending: Any) -> object:
    """Return (group, topic, partition, producer id) of each pending offset."""
    return {
        (group_id, *at, producer_id)
        for group_id, partitions in pending.items()
        for at, held in partitions.items()
        for producer_id in held
    }
