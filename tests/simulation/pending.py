"""Offsets that were committed within transactions, computed from the log alone: valid from their marker on."""

from collections.abc import Iterator

from tenure.coordinator.shard import TransactionalRecord
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.types import Marker
from tests.simulation.positions import Place


class Pending:
    def __init__(self) -> None:
        self._written = 0
        self._newest: dict[Place, int] = {}
        """Time of the newest valid commit of each place."""
        self._by_producer: dict[int, dict[Place, tuple[int, str]]] = {}

    def supersede(self, place: Place) -> None:
        """Note a plain commit, which counts at once."""
        self._written += 1
        self._newest[place] = self._written

    def fold(self, record: TransactionalRecord | Marker) -> Iterator[tuple[Place, str]]:
        """Apply a record of the log; yield the commits that become valid with it, each with its name."""
        if isinstance(record, Marker):
            return iter(self._end(record))
        key, value = record.key, record.value
        assert isinstance(key, OffsetCommitKey)
        assert isinstance(value, OffsetCommitValue)
        self._written += 1
        place = key.group, key.topic, key.partition
        self._by_producer.setdefault(record.producer_id, {})[place] = self._written, value.metadata
        return iter(())

    def _end(self, marker: Marker) -> list[tuple[Place, str]]:
        counts = []
        for place, (written, name) in self._by_producer.pop(marker.producer_id, {}).items():
            if marker.is_commit and written > self._newest.get(place, 0):
                self._newest[place] = written
                counts.append((place, name))
        return counts
