"""A topic's log that ends where its reader was told to stop, whatever is produced behind it."""

from collections.abc import Collection, Mapping
from typing import Final

from tenure.pipeline.values.lanes import TopicPartition
from tenure.pipeline.values.membership import Bounds, Log


class BoundedLog:
    """`Log` that ends at given offsets; other partitions are not bounded."""

    def __init__(self, log: Log, ending_offsets: Mapping[str, Mapping[int, int]]) -> None:
        self._log: Final = log
        self._ends: Final = ending_offsets

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        return {at: self._bounded(at, bounds) for at, bounds in self._log.bounds(partitions).items()}

    def _bounded(self, at: TopicPartition, bounds: Bounds) -> Bounds:
        """Whoever has come to the end is not asked for records that retention has taken meanwhile."""
        end = min(self._ends.get(at.topic, {}).get(at.partition, bounds.end_offset), bounds.end_offset)
        return bounds._replace(start_offset=min(bounds.start_offset, end), end_offset=end)

    def partition_count(self, topic: str) -> int:
        return self._log.partition_count(topic)
