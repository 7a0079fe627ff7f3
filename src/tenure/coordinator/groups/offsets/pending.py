"""Offsets that are committed in open transactions (rules 8.5, 8.6).

Such offsets cannot be read until their transaction ends. The last write wins: a plain commit that follows a pending one
wins, even if the marker of the transaction comes later. The partition nevertheless stays unstable until the transaction
ends.
"""

from collections.abc import Iterable
from itertools import takewhile

from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.types import GroupId, PartitionId, TopicName

TopicPartition = tuple[TopicName, PartitionId]


class PendingOffsets:
    """Pending offsets by group, partition and producer, in the order in which they were sent.

    An offset is replaced by None when a commit without a transaction follows for the same partition.
    """

    __slots__ = ("_groups_of", "by_group")

    def __init__(self) -> None:
        self.by_group: dict[GroupId, dict[TopicPartition, dict[int, OffsetCommitValue | None]]] = {}
        """Pending offsets by group, partition and producer id. Invariant: no dictionary in it is empty."""
        self._groups_of: dict[int, set[GroupId]] = {}
        """Groups with pending offsets, by producer id."""

    def add(self, producer_id: int, key: OffsetCommitKey, value: OffsetCommitValue) -> None:
        held = self.by_group.setdefault(key.group, {}).setdefault((key.topic, key.partition), {})
        held.pop(producer_id, None)
        held[producer_id] = value
        self._groups_of.setdefault(producer_id, set()).add(key.group)

    def supersede(self, key: OffsetCommitKey) -> None:
        """Replace the pending offsets of a partition by None, because a newer commit without a transaction wins."""
        held = self.by_group.get(key.group, {}).get((key.topic, key.partition))
        if held is not None:
            for producer_id in held:
                held[producer_id] = None

    def remove(self, key: OffsetCommitKey) -> None:
        """Remove the pending offsets of a partition, because its offset was deleted (rule 6.4.4)."""
        partitions = self.by_group.get(key.group)
        if partitions is not None and partitions.pop((key.topic, key.partition), None) is not None and not partitions:
            del self.by_group[key.group]

    def end(self, producer_id: int, *, is_commit: bool) -> list[tuple[GroupId, TopicPartition, OffsetCommitValue]]:
        """End a producer's transaction, and return the offsets that become committed."""
        committed: list[tuple[GroupId, TopicPartition, OffsetCommitValue]] = []
        for group_id in sorted(self._groups_of.pop(producer_id, ())):
            partitions = self.by_group.get(group_id, {})
            for partition, held in list(partitions.items()):
                if producer_id not in held:
                    continue
                value = held[producer_id]
                if is_commit and value is not None:
                    committed.append((group_id, partition, value))
                    for older in takewhile(lambda other: other != producer_id, held):
                        held[older] = None
                del held[producer_id]
                if not held:
                    del partitions[partition]
            if not partitions:
                self.by_group.pop(group_id, None)
        return committed

    def partitions(self, group_id: GroupId) -> Iterable[TopicPartition]:
        return self.by_group.get(group_id, ())
