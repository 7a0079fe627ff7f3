"""Log that ends at given offsets, whatever is produced behind them."""

from collections.abc import Collection, Mapping
from typing import Final

from tenure.pipeline.values.lanes import TopicPartition
from tenure.pipeline.values.membership import Bounds, Log


class BoundedLog:
    """`Log` that ends at given offsets. Partitions without a given offset are not bounded."""

    def __init__(self, log: Log, ending_offsets: Mapping[str, Mapping[int, int]]) -> None:
        self._log: Final = log
        self._ends: Final = ending_offsets

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        return {at: self._bounded(at, bounds) for at, bounds in self._log.bounds(partitions).items()}

    def _bounded(self, at: TopicPartition, bounds: Bounds) -> Bounds:
        """Return the bounds, cut at the partition's end. The start is cut too: retention may have passed the end."""
        end = min(self._ends.get(at.topic, {}).get(at.partition, bounds.end_offset), bounds.end_offset)
        return bounds._replace(start_offset=min(bounds.start_offset, end), end_offset=end)

    def partition_count(self, topic: str) -> int:
        return self._log.partition_count(topic)
