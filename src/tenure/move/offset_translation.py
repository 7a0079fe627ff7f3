"""Translation of offsets of the source into offsets of the target."""

from typing import Final

from tenure.client.net.cluster import Cluster
from tenure.client.values import TopicPartition
from tenure.move.copied_runs import CopiedRun
from tenure.move.log_reader import copied_records, earliest, visible_records
from tenure.move.position_search import have_same_content
from tenure.move.progress import PartitionProgress


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
        return await self._within(run, source_offset)

    async def _within(self, run: CopiedRun, source_offset: int) -> int:
        """Return the target's offset of a record in an inexact run.

        The n-th copy from the end of the run belongs to the n-th original from its end. If either log was compacted,
        the copy is found by its content.
        """
        producer_id = self._progress.producer.producer_id
        start = max(source_offset, await earliest(self._source, self._partition))
        originals = [record async for record in visible_records(self._source, self._partition, start, run.source_end)]
        target_start = max(run.target_start, await earliest(self._target, self._partition))
        copies = [
            record
            async for _, record in copied_records(
                self._target, self._partition, target_start, run.target_end, producer_id
            )
        ]
        if not originals:
            return run.target_end
        at = len(copies) - len(originals)
        if at >= 0 and have_same_content(copies[at], originals[0]):
            return copies[at].offset
        for original in originals:
            found = next((copy.offset for copy in copies if have_same_content(copy, original)), None)
            if found is not None:
                return found
        return run.target_end
