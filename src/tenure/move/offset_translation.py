"""Translation between offsets of the source and offsets of the target."""

from collections.abc import Sequence
from typing import Final

from tenure.client.net.cluster import Cluster
from tenure.client.values import TopicPartition
from tenure.move.copied_runs import CopiedRun
from tenure.move.log_reader import copied_records, earliest, visible_records
from tenure.move.position_search import have_same_content
from tenure.move.progress import PartitionProgress
from tenure.protocol.records import Record


class OffsetTranslation:
    """Translation of the offsets of one partition."""

    def __init__(
        self, source: Cluster, target: Cluster, partition: TopicPartition, progress: PartitionProgress
    ) -> None:
        self._source: Final = source
        self._target: Final = target
        self._partition: Final = partition
        self._progress: Final = progress

    async def translate(self, source_offset: int) -> int:
        """Return the target's offset of the first copied record at or after an offset of the source.

        If all copied records are before the offset, return the end of the copies, where the next copy will be.
        """
        run = self._progress.runs.run_of(source_offset)
        if run is None:
            return self._progress.target_end
        if source_offset <= run.source_start:
            return run.target_start
        if run.is_exact:
            return run.target_start + source_offset - run.source_start
        originals = await self._originals(run, source_offset)
        copies = await self._copies(run, run.target_start)
        return _offset_of_counterpart(originals, copies, run.target_end)

    async def translate_back(self, target_offset: int) -> int:
        """Return the source's offset of the record whose copy is the first one at or after an offset of the target.

        If all copies are before the offset, return the offset of the next record to copy.
        """
        run = self._progress.runs.run_at_target(target_offset)
        if run is None:
            return self._progress.source_next
        if target_offset <= run.target_start:
            return run.source_start
        if run.is_exact:
            return run.source_start + target_offset - run.target_start
        originals = await self._originals(run, run.source_start)
        copies = await self._copies(run, target_offset)
        return _offset_of_counterpart(copies, originals, run.source_end)

    async def _originals(self, run: CopiedRun, start: int) -> list[Record]:
        """Return the records of a run that the source still has, from an offset on."""
        start = max(start, await earliest(self._source, self._partition))
        return [record async for record in visible_records(self._source, self._partition, start, run.source_end)]

    async def _copies(self, run: CopiedRun, start: int) -> list[Record]:
        """Return the copies of a run that the target still has, from an offset on."""
        start = max(start, await earliest(self._target, self._partition))
        producer_id = self._progress.producer.producer_id
        copied = copied_records(self._target, self._partition, start, run.target_end, producer_id)
        return [record async for _, record in copied]


def _offset_of_counterpart(records: Sequence[Record], others: Sequence[Record], end: int) -> int:
    """Return the offset that the first of `records` has at the other cluster; `end` if the other cluster has none.

    `records` are from one cluster, and `others` are from the other one. Both end with the last record of the same run,
    so the n-th record from the end is the same in both. If compaction has removed records from either log, the first
    record that is in both is found by its content.
    """
    if not records:
        return end
    at = len(others) - len(records)
    if at >= 0 and have_same_content(others[at], records[0]):
        return others[at].offset
    for record in records:
        found = next((other.offset for other in others if have_same_content(other, record)), None)
        if found is not None:
            return found
    return end
