"""Position of a consumer in each partition, and the fetched chunks that it has not returned yet. No I/O.

    no position -> (committed offset or reset) -> position -> fetched ahead in chunks -> returned

A seek starts a new *visit* of the partition. Chunks of earlier visits are dropped. Fetches stop while a maximum number
of bytes is buffered. So if a consumer does not poll, its fetches end after a short time.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from tenure.client.consumer.fetch_session import FetchFrom
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.protocol.message import Data


class Reading:
    """Position and fetch state of one assigned partition."""

    __slots__ = (
        "committed",
        "fetch_offset",
        "is_paused",
        "is_stuck",
        "leader_epoch",
        "ownership_id",
        "partition",
        "position",
        "visit",
    )

    def __init__(self, partition: TopicPartition, ownership_id: int) -> None:
        self.partition: Final = partition
        self.ownership_id: Final = ownership_id
        """Ownership id of the partition when it was added (see `CommitQueue.add_ownership`)."""
        self.committed: int | None = None
        """Position that this consumer committed last; None if it committed none."""
        self.position: int | None = None
        """Offset of the next record to return; None before the first call of `set_position`."""
        self.fetch_offset = 0
        """Offset of the next fetch. Invariant: at least `position`, unless that is None."""
        self.leader_epoch = -1
        """Leader epoch of the last returned record. A commit contains it, to detect a truncated log (KIP-320)."""
        self.is_paused = False
        self.is_stuck = False
        """True if the partition is no longer fetched: the broker lacks `fetch_offset`, or a batch at `fetch_offset -
        1` is corrupt."""
        self.visit = 0


class Chunk:
    """Fetched batches of one partition, from one response, that the consumer has not returned yet.

    All batches are complete. The first batch may begin before `start`.
    """

    __slots__ = ("data", "error", "leader_epoch", "next_offset", "reading", "start", "visit")

    def __init__(
        self, reading: Reading, data: Data, next_offset: int, leader_epoch: int, error: ValueError | None = None
    ) -> None:
        self.reading: Final = reading
        self.visit: Final = reading.visit
        self.start: Final = reading.fetch_offset
        self.data: Final = data
        """Batches; possibly a view of the whole response."""
        self.next_offset: Final = next_offset
        self.leader_epoch: Final = leader_epoch
        self.error: Final = error
        """Error of the batch at `start`; None if its records can be read."""

    @property
    def is_current(self) -> bool:
        """True if the partition is still assigned and no seek happened since the fetch."""
        return self.visit == self.reading.visit

    def advance(self, position: int) -> None:
        """Set the partition's position after records of this chunk were returned to the user."""
        self.reading.position = position
        if self.leader_epoch >= 0:
            self.reading.leader_epoch = self.leader_epoch


class Positions:
    """Positions and fetched chunks of one consumer."""

    def __init__(self, budget_bytes: int, partition_bytes: int) -> None:
        self._budget_bytes: Final = budget_bytes
        self._partition_bytes: Final = partition_bytes
        self._readings: dict[TopicPartition, Reading] = {}
        self._chunks: deque[Chunk] = deque()
        self._ahead_bytes = 0

    # --- partitions ---------------------------------------------------------------------------------------------------

    @property
    def partitions(self) -> Collection[TopicPartition]:
        """Assigned partitions."""
        return self._readings.keys()

    def reading(self, partition: TopicPartition) -> Reading | None:
        """Return the position and fetch state of a partition; None if it is not assigned."""
        return self._readings.get(partition)

    def paused(self) -> set[TopicPartition]:
        """Return the paused partitions."""
        return {partition for partition, reading in self._readings.items() if reading.is_paused}

    def add(
        self, partitions: Iterable[TopicPartition], ownership_ids: Mapping[TopicPartition, int] | None = None
    ) -> None:
        """Add assigned partitions, which have no position yet.

        A group member passes the ownership id of each partition (see `CommitQueue.add_ownership`).
        """
        ids = ownership_ids or {}
        for partition in partitions:
            self._readings.setdefault(partition, Reading(partition, ids.get(partition, 0)))

    def remove(self, partitions: Iterable[TopicPartition]) -> None:
        """Remove partitions and their fetched chunks."""
        for partition in partitions:
            reading = self._readings.pop(partition, None)
            if reading is not None:
                reading.visit += 1
        self._drop_stale()

    def consumed(self) -> dict[TopicPartition, tuple[int, int]]:
        """Return the position and the leader epoch of each partition that has a position."""
        return {
            partition: (reading.position, reading.leader_epoch)
            for partition, reading in self._readings.items()
            if reading.position is not None
        }

    # --- committed positions ------------------------------------------------------------------------------------------

    def ownership_ids(self) -> dict[TopicPartition, int]:
        """Return the ownership id of each partition when it was added (see `CommitQueue.add_ownership`)."""
        return {partition: reading.ownership_id for partition, reading in self._readings.items()}

    def store_committed(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Store the committed offset of each partition. Partitions that are no longer assigned are ignored."""
        for partition, committed in offsets.items():
            reading = self._readings.get(partition)
            if reading is not None:
                reading.committed = committed.offset

    def uncommitted(self) -> list[TopicPartition]:
        """Return the partitions whose position differs from the last committed offset."""
        return [
            partition
            for partition, reading in self._readings.items()
            if reading.position is not None and reading.position != reading.committed
        ]

    # --- positions ----------------------------------------------------------------------------------------------------

    def without_position(self) -> list[TopicPartition]:
        """Return the assigned partitions that have no position yet."""
        return [partition for partition, reading in self._readings.items() if reading.position is None]

    def set_position(self, partition: TopicPartition, offset: int) -> None:
        """Set the position of an assigned partition, and drop its fetched chunks."""
        reading = self._readings[partition]
        reading.visit += 1
        reading.position = reading.fetch_offset = offset
        reading.is_stuck = False
        self._drop_stale()

    def mark_out_of_range(self, partition: TopicPartition, offset: int) -> None:
        """Mark the partition as stuck: the broker does not have `offset`.

        Fetched chunks before this offset are still returned.
        """
        reading = self._readings.get(partition)
        if reading is not None and reading.fetch_offset == offset:
            reading.is_stuck = True

    def stuck(self) -> dict[TopicPartition, int]:
        """Return the partitions that need a new position, with the offset that the broker does not have.

        These are the partitions that `mark_out_of_range` has marked, after their fetched chunks have been returned.
        """
        return {
            partition: reading.position
            for partition, reading in self._readings.items()
            if reading.is_stuck and reading.position is not None and reading.position == reading.fetch_offset
        }

    # --- fetched chunks -----------------------------------------------------------------------------------------------

    def wanted(self) -> dict[TopicPartition, FetchFrom]:
        """Return the next fetch of each partition that may be fetched; empty while enough bytes are buffered."""
        if self._ahead_bytes >= self._budget_bytes:
            self._drop_paused()
        if self._ahead_bytes >= self._budget_bytes:
            return {}
        return {
            partition: FetchFrom(reading.fetch_offset, self._partition_bytes)
            for partition, reading in self._readings.items()
            if reading.position is not None and not reading.is_paused and not reading.is_stuck
        }

    def add_fetched(
        self,
        partition: TopicPartition,
        offset: int,
        data: Data,
        next_offset: int,
        leader_epoch: int,
        error: ValueError | None = None,
    ) -> None:
        """Store fetched batches. With empty `data`, the offsets up to `next_offset` contain no visible record.

        The data is ignored if `offset` is not the partition's fetch offset, for example after a seek.
        """
        reading = self._readings.get(partition)
        if reading is None or reading.position is None or reading.fetch_offset != offset or next_offset <= offset:
            return  # a seek happened meanwhile, or the offset was fetched twice
        self._chunks.append(Chunk(reading, data, next_offset, leader_epoch, error))
        reading.fetch_offset = next_offset
        self._ahead_bytes += len(data)

    def mark_unreadable(self, partition: TopicPartition, offset: int, error: ValueError) -> None:
        """Mark the partition as stuck: the batch at `offset` is corrupt.

        Fetched chunks before this offset are still returned.
        """
        self.add_fetched(partition, offset, b"", offset + 1, -1, error)
        reading = self._readings.get(partition)
        if reading is not None and reading.fetch_offset == offset + 1:
            reading.is_stuck = True

    def has_chunk(self) -> bool:
        """Return whether there is a fetched chunk of a partition that is not paused."""
        return any(not chunk.reading.is_paused for chunk in self._chunks)

    def take(self) -> Chunk | None:
        """Remove and return the oldest fetched chunk of a partition that is not paused; None if there is none.

        The user may not have received all rows of the partition's previous chunk: a poll was interrupted, or the user
        changed from `poll` to `poll_arrow`. Then the partition is fetched again from its position, so that no record is
        lost.
        """
        for place, chunk in enumerate(self._chunks):
            reading = chunk.reading
            if not reading.is_paused:
                if reading.position is not None and reading.position != chunk.start:
                    self.set_position(reading.partition, reading.position)
                    return self.take()
                del self._chunks[place]
                self._ahead_bytes -= len(chunk.data)
                return chunk
        return None

    def _drop_paused(self) -> None:
        """Drop the chunks of paused partitions to make room for other partitions. `resume` fetches them again."""
        for reading in {chunk.reading for chunk in self._chunks if chunk.reading.is_paused}:
            if reading.position is not None:
                self.set_position(reading.partition, reading.position)

    def _drop_stale(self) -> None:
        self._chunks = deque(chunk for chunk in self._chunks if chunk.is_current)
        self._ahead_bytes = sum(len(chunk.data) for chunk in self._chunks)
