"""Progress of a move, stored as committed offsets at the target: each move has a group of its own for them.

The committed offset is the offset of the next record to copy from the source. Its metadata contains the producer id and
epoch with which the copies are written, the sequence number of the next record, and the ranges of copied offsets. The
commits are transactional, so a second process that moves between the same clusters fences the first one. The file
docs/decisions/0023-copies-know-their-place.md describes how the next run continues.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tenure.client.errors import ProducerFenced, TransactionAbortable, UnknownOutcome
from tenure.client.net.cluster import Cluster
from tenure.client.producer.producer_transactions import ProducerTransactions
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import GroupMetadata, OffsetAndMetadata, TopicPartition
from tenure.limits.move import PROGRESS_REQUEST_BYTES, TRANSACTION_TIMEOUT_MS
from tenure.move.copied_runs import CopiedRuns, decode_runs, encode_runs
from tenure.move.errors import AnotherMove, MoveStopped

FORMAT: Final = "tenure-move-1"
"""First word of the metadata, which identifies the format."""


class CopyProducer(NamedTuple):
    """Producer id and epoch of all copies of a move; every run uses the same ones."""

    producer_id: int
    epoch: int


@dataclass(slots=True)
class PartitionProgress:
    """Progress of a move in one partition: the records that are copied already."""

    producer: CopyProducer
    topic_ids: str
    """Ids of the topic at source and target. A topic that was deleted and created again has another id."""
    source_start: int
    target_start: int
    """End of the target's partition before the move, which is the offset of the first copy."""
    source_next: int
    """Offset of the next record to copy. Invariant: all committed records from `source_start` up to it are copied."""
    sequence: int = 0
    """Sequence number of the next record."""
    runs: CopiedRuns = field(default_factory=CopiedRuns)

    @property
    def target_end(self) -> int:
        """Offset at the target after the last copied record."""
        end = self.runs.target_end
        return self.target_start if end is None else end

    def encode(self) -> OffsetAndMetadata:
        """Return the offset and metadata to commit."""
        facts = (
            FORMAT,
            *self.producer,
            self.sequence,
            self.topic_ids,
            self.source_start,
            self.target_start,
            encode_runs(self.runs),
        )
        return OffsetAndMetadata(self.source_next, " ".join(map(str, facts)).rstrip())

    @classmethod
    def decode(cls, committed: OffsetAndMetadata) -> "PartitionProgress":
        """Parse the committed offset and its metadata. Raises ValueError."""
        name, producer_id, epoch, sequence, topic_ids, source_start, target_start, *runs = committed.metadata.split()
        if name != FORMAT:
            raise ValueError(f"unknown format {name}")
        return cls(
            CopyProducer(int(producer_id), int(epoch)),
            topic_ids,
            int(source_start),
            int(target_start),
            committed.offset,
            int(sequence),
            decode_runs(runs),
        )


class ProgressGroup:
    """Group at the target whose committed offsets are the progress of a move."""

    def __init__(self, target: Cluster, name: str) -> None:
        self.name: Final = name
        self._target: Final = target
        self._transactional: Final = TransactionalId(
            target, ProducerTransactions(name), transaction_timeout_ms=TRANSACTION_TIMEOUT_MS
        )

    async def open(self) -> dict[TopicPartition, PartitionProgress]:
        """Fence other processes of the same move. Return the committed progress, by partition."""
        await self._transactional.initialize()
        return await read_progress(self._target, self.name)

    async def commit(self, progress: Mapping[TopicPartition, PartitionProgress]) -> None:
        """Commit the progress of the given partitions. Raises `AnotherMove` if another process has fenced this one."""
        if not progress:
            return
        offsets = {partition: at.encode() for partition, at in progress.items()}
        try:
            try:
                await self._commit(offsets)
            except TransactionAbortable:  # fenced, or the coordinator has moved: the abort shows which
                self._transactional.transactions.become_aborting()
                await self._end()
                await self._commit(offsets)
        except ProducerFenced as error:
            raise AnotherMove(
                f"Another `tenure move` between these clusters has taken over the progress group '{self.name}'. Stop "
                "one of the two. Nothing was copied twice."
            ) from error

    async def _commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        self._transactional.transactions.begin()
        for part in _split_by_metadata(offsets, PROGRESS_REQUEST_BYTES):
            await self._transactional.send_offsets(part, GroupMetadata(self.name))
        self._transactional.transactions.become_committing()
        await self._end()

    async def _end(self) -> None:
        try:
            await self._transactional.end()
        except UnknownOutcome:
            await self._transactional.end()  # repeating the same decision is harmless


def _split_by_metadata(
    offsets: Mapping[TopicPartition, OffsetAndMetadata], max_bytes: int
) -> Iterator[dict[TopicPartition, OffsetAndMetadata]]:
    """Divide offsets into parts with at most `max_bytes` bytes of metadata each; a part has at least one partition."""
    part: dict[TopicPartition, OffsetAndMetadata] = {}
    size_bytes = 0
    for partition, position in offsets.items():
        if part and size_bytes + len(position.metadata) > max_bytes:
            yield part
            part, size_bytes = {}, 0
        part[partition] = position
        size_bytes += len(position.metadata)
    yield part


async def read_progress(target: Cluster, name: str) -> dict[TopicPartition, PartitionProgress]:
    """Return the committed progress of a move. Raises `MoveStopped` if its metadata is invalid."""
    found: dict[TopicPartition, PartitionProgress] = {}
    for partition, committed in (await committed_offsets(target, name, None)).items():
        try:
            found[partition] = PartitionProgress.decode(committed)
        except ValueError as error:
            raise MoveStopped(
                f"Progress of {partition} in group '{name}' cannot be read: {error}. Use the version of Tenure that "
                "began the move."
            ) from error
    return found
