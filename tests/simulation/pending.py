"""Offsets of transactions, computed from the log alone. They are valid from the marker of their transaction on."""

from collections.abc import Iterator

from tenure.coordinator.shard import TransactionalRecord
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.types import Marker
from tests.simulation.positions import GroupPartition


class Pending:
    def __init__(self) -> None:
        self._written = 0
        self._newest: dict[GroupPartition, int] = {}
        """Time of the newest valid commit of each group_partition."""
        self._by_producer: dict[int, dict[GroupPartition, tuple[int, str]]] = {}

    def supersede(self, group_partition: GroupPartition) -> None:
        """Store a commit outside of a transaction: it is valid at once, and replaces earlier ones."""
        self._written += 1
        self._newest[group_partition] = self._written

    def fold(self, record: TransactionalRecord | Marker) -> Iterator[tuple[GroupPartition, str]]:
        """Apply a record of the log; yield the commits that become valid with it, each with its name."""
        if isinstance(record, Marker):
            return iter(self._end(record))
        key, value = record.key, record.value
        assert isinstance(key, OffsetCommitKey)
        assert isinstance(value, OffsetCommitValue)
        self._written += 1
        group_partition = key.group, key.topic, key.partition
        self._by_producer.setdefault(record.producer_id, {})[group_partition] = self._written, value.metadata
        return iter(())

    def _end(self, marker: Marker) -> list[tuple[GroupPartition, str]]:
        counts = []
        for group_partition, (written, name) in self._by_producer.pop(marker.producer_id, {}).items():
            if marker.is_commit and written > self._newest.get(group_partition, 0):
                self._newest[group_partition] = written
                counts.append((group_partition, name))
        return counts
