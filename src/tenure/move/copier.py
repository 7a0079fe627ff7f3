"""Loop that copies partitions: fetch from the source, write to the target, commit the progress.

The next fetch runs while the batches of the previous one are written.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from tenure.client.consumer.fetch import FetchedPartition, fetch, unreadable
from tenure.client.errors import OffsetOutOfRange
from tenure.client.net.cluster import Cluster
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.limits.client import FETCH_WAIT_MS
from tenure.limits.move import (
    CHECKPOINT_BYTES,
    CHECKPOINT_INTERVAL_S,
    FAILED_WRITE_BACKOFF_S,
    FETCH_BYTES,
    FETCH_PARTITIONS_MAX,
)
from tenure.move.batch_copy import BatchCopy, batch_copies, join_small_batches
from tenure.move.partition_copy import PartitionCopy
from tenure.move.position_search import find_position
from tenure.move.progress import ProgressGroup
from tenure.move.rate_limit import RateLimit
from tenure.move.target_writer import TargetWriter
from tenure.protocol.special_values import EARLIEST, LATEST, READ_COMMITTED

log: Final = logging.getLogger("tenure.move")

Ends = Mapping[TopicPartition, int]


class _Fetched(NamedTuple):
    requested: dict[TopicPartition, int]
    answers: dict[TopicPartition, FetchedPartition]


class Copier:
    """Copier of partitions, up to given offsets of the source."""

    def __init__(
        self,
        source: Cluster,
        target: Cluster,
        progress_group: ProgressGroup,
        copies: Mapping[TopicPartition, PartitionCopy],
        limit: RateLimit,
        observer: Callable[[Ends], None],
    ) -> None:
        self.copies: Final = copies
        self._source: Final = source
        self._target: Final = target
        self._progress_group: Final = progress_group
        self._limit: Final = limit
        self._writer: Final = TargetWriter(target, limit)
        self._observer: Final = observer
        self._last_fetches: Final = dict.fromkeys(copies, 0)
        """Number of the last fetch that returned records, by partition.

        Partitions take turns in the order of these numbers.
        """
        self._fetches = 0
        self._committed_at_s = 0.0
        self._uncommitted_bytes = 0

    async def find_positions(self) -> None:
        """Set each partition's progress to the records that the target really has, and commit it.

        The committed progress may be too low, because an earlier run may have died between a write and its commit.
        """
        ends = await list_offsets(self._target, dict.fromkeys(self.copies, LATEST))
        for partition, copy in self.copies.items():
            if ends[partition].offset != copy.progress.target_end:
                await self._search_position(copy)
        await self.commit()

    async def copy_to(self, ends: Ends) -> None:
        """Copy all records before the ends, given by partition, and commit the progress."""
        fetching: asyncio.Task[_Fetched] | None = None
        try:
            while behind := self._next_offsets(ends, {}):
                fetched = await (fetching or self._fetch(behind))
                upcoming = self._next_offsets(ends, fetched.answers)
                fetching = asyncio.create_task(self._fetch(upcoming)) if upcoming else None
                await self._write(fetched)
                self._observer(ends)
                if self._is_commit_due():
                    await self.commit()
        finally:
            if fetching is not None:
                fetching.cancel()
        await self.commit()

    def _next_offsets(
        self, ends: Ends, answers: Mapping[TopicPartition, FetchedPartition]
    ) -> dict[TopicPartition, int]:
        """Return the next offsets to fetch from partitions that are not copied to their ends.

        The partitions whose last records were fetched longest ago come first. `answers` has fetched records that are
        not written yet.
        """
        positions = {
            at: answers[at].next_offset if at in answers else self.copies[at].progress.source_next for at in ends
        }
        behind = [partition for partition, position in positions.items() if position < ends[partition]]
        behind.sort(key=self._last_fetches.__getitem__)
        return {partition: positions[partition] for partition in behind[:FETCH_PARTITIONS_MAX]}

    # --- source -------------------------------------------------------------------------------------------------------

    async def _fetch(self, positions: dict[TopicPartition, int]) -> _Fetched:
        try:
            answers = await fetch(
                self._source,
                positions,
                max_bytes=min(FETCH_BYTES, self._limit.bytes_per_second or FETCH_BYTES),
                max_wait_ms=FETCH_WAIT_MS,
                isolation_level=READ_COMMITTED,
            )
        except OffsetOutOfRange as error:
            await self._skip_deleted(positions, error)
            return _Fetched({}, {})
        self._fetches += 1
        for partition, answer in answers.items():
            if answer.next_offset > positions[partition]:
                self._last_fetches[partition] = self._fetches
        return _Fetched(positions, answers)

    async def _skip_deleted(self, positions: Mapping[TopicPartition, int], error: OffsetOutOfRange) -> None:
        """Move positions to the starts of their logs, because the source has deleted records that were not copied."""
        starts = await list_offsets(self._source, dict.fromkeys(positions, EARLIEST))
        skipped = {at: starts[at].offset for at in positions if starts[at].offset > positions[at]}
        if not skipped:
            raise error
        for partition, start in skipped.items():
            copy = self.copies[partition]
            missing = start - copy.progress.source_next
            if missing > 0:
                log.warning(
                    "move: the source has deleted %d offsets of partition %s before they were copied; copying continues"
                    " at the first offset that the source still has, %d",
                    missing,
                    partition,
                    start,
                )
                copy.skipped_offsets += missing
                copy.move_to(start)

    # --- target -------------------------------------------------------------------------------------------------------

    async def _write(self, fetched: _Fetched) -> None:
        queues: dict[PartitionCopy, deque[BatchCopy]] = {}
        current: list[tuple[PartitionCopy, int]] = []
        for partition, answer in fetched.answers.items():
            copy, start = self.copies[partition], fetched.requested[partition]
            if start != copy.progress.source_next:  # fetched before a failure, which has reset the position
                continue
            current.append((copy, answer.next_offset))
            batches = self._batches(copy, answer, start)
            if batches:
                queues[copy] = batches
        before = sum(copy.written_bytes for copy in queues)
        await self._writer.write(queues)
        self._uncommitted_bytes += sum(copy.written_bytes for copy in queues) - before
        for copy, next_offset in current:
            if copy.failure is None:
                copy.move_to(next_offset)
            else:
                await self._recover(copy)

    def _batches(self, copy: PartitionCopy, answer: FetchedPartition, start: int) -> deque[BatchCopy]:
        try:
            copies = batch_copies(answer.records, start, copy.max_batch_bytes)
            return deque(join_small_batches(copies, copy.max_batch_bytes))
        except ValueError as error:
            raise unreadable(copy.partition, start, error) from error

    async def _recover(self, copy: PartitionCopy) -> None:
        """Search for the position again after a failed write, in the log of the target."""
        copy.check_failure()
        log.info(
            "move: a write of partition %s to the target failed; copying continues after the last record that the"
            " target has: %s",
            copy.partition,
            copy.failure,
        )
        await asyncio.sleep(FAILED_WRITE_BACKOFF_S)
        self._target.forget_leader(copy.partition)
        await self._search_position(copy)

    async def _search_position(self, copy: PartitionCopy) -> None:
        await find_position(self._source, self._target, copy.partition, copy.progress)
        copy.clear_failure()

    # --- progress -----------------------------------------------------------------------------------------------------

    def _is_commit_due(self) -> bool:
        is_old = asyncio.get_running_loop().time() - self._committed_at_s > CHECKPOINT_INTERVAL_S
        return is_old or self._uncommitted_bytes >= CHECKPOINT_BYTES

    async def commit(self) -> None:
        """Commit the progress of all partitions whose progress has changed."""
        changed = {at: copy for at, copy in self.copies.items() if copy.is_dirty}
        await self._progress_group.commit({at: copy.progress for at, copy in changed.items()})
        for copy in changed.values():
            copy.is_dirty = False
        self._committed_at_s = asyncio.get_running_loop().time()
        self._uncommitted_bytes = 0
