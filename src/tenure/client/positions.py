"""Where a consumer is in each of its partitions, and what of them lies fetched and not yet handed out. No I/O.

    unplaced -> (a committed offset, or a reset) -> placed at an offset -> read ahead, chunk by chunk -> handed out

A seek gives a partition a new *visit*: chunks of an earlier one are void, wherever they are by then.
Reading ahead stops at a budget of bytes, so a consumer that stops polling stops fetching.
"""

from collections import deque
from collections.abc import Collection, Iterable
from typing import Final

from tenure.client.fetch_session import FetchFrom
from tenure.client.values import TopicPartition


class Reading:
    """One partition, as it is read."""

    __slots__ = ("fetch_offset", "is_paused", "is_stuck", "leader_epoch", "partition", "position", "visit")

    def __init__(self, partition: TopicPartition) -> None:
        self.partition: Final = partition
        self.position: int | None = None
        """The next offset to hand out; None until placed."""
        self.fetch_offset = 0
        """The next offset to ask for. Invariant: not below `position`, once placed."""
        self.leader_epoch = -1
        """Of what was handed out last; travels with a commit, so that a log that was cut can be told (KIP-320)."""
        self.is_paused = False
        self.is_stuck = False
        """There is no going on: no record at `fetch_offset`, or only a damaged one before it."""
        self.visit = 0


class Chunk:
    """What one fetch brought of one partition: whole batches, the first of which may begin below `start`."""

    __slots__ = ("data", "error", "leader_epoch", "next_offset", "reading", "start", "visit")

    def __init__(
        self, reading: Reading, data: bytes, next_offset: int, leader_epoch: int, error: ValueError | None = None
    ) -> None:
        self.reading: Final = reading
        self.visit: Final = reading.visit
        self.start: Final = reading.fetch_offset
        self.data: Final = data
        self.next_offset: Final = next_offset
        self.leader_epoch: Final = leader_epoch
        self.error: Final = error
        """Not None: nothing of it can be read, and this is why."""

    @property
    def is_current(self) -> bool:
        """Whether its partition is still read here, and nobody has sought elsewhere since."""
        return self.visit == self.reading.visit


class Positions:
    def __init__(self, budget_bytes: int, partition_bytes: int) -> None:
        self._budget_bytes: Final = budget_bytes
        self._partition_bytes: Final = partition_bytes
        self._readings: dict[TopicPartition, Reading] = {}
        self._chunks: deque[Chunk] = deque()
        self._ahead_bytes = 0

    # --- which partitions ---------------------------------------------------------------------------------------------

    @property
    def partitions(self) -> Collection[TopicPartition]:
        return self._readings.keys()

    def reading(self, partition: TopicPartition) -> Reading | None:
        return self._readings.get(partition)

    def paused(self) -> set[TopicPartition]:
        return {partition for partition, reading in self._readings.items() if reading.is_paused}

    def add(self, partitions: Iterable[TopicPartition]) -> None:
        for partition in partitions:
            self._readings.setdefault(partition, Reading(partition))

    def remove(self, partitions: Iterable[TopicPartition]) -> None:
        for partition in partitions:
            reading = self._readings.pop(partition, None)
            if reading is not None:
                reading.visit += 1
        self._drop_stale()

    def consumed(self) -> dict[TopicPartition, tuple[int, int]]:
        """Position and leader epoch of each partition that has one."""
        return {
            partition: (reading.position, reading.leader_epoch)
            for partition, reading in self._readings.items()
            if reading.position is not None
        }

    # --- where in them ------------------------------------------------------------------------------------------------

    def unplaced(self) -> list[TopicPartition]:
        return [partition for partition, reading in self._readings.items() if reading.position is None]

    def place(self, partition: TopicPartition, offset: int) -> None:
        """Go there; what is fetched ahead is dropped. For partitions that are read only."""
        reading = self._readings[partition]
        reading.visit += 1
        reading.position = reading.fetch_offset = offset
        reading.is_stuck = False
        self._drop_stale()

    def is_out_of_range(self, partition: TopicPartition, offset: int) -> None:
        """The partition has no such offset. What was fetched before that is handed out first."""
        reading = self._readings.get(partition)
        if reading is not None and reading.fetch_offset == offset:
            reading.is_stuck = True

    def stuck(self) -> dict[TopicPartition, int]:
        """Partitions that have nothing where their reader stands, with that offset: to be placed anew."""
        return {
            partition: reading.position
            for partition, reading in self._readings.items()
            if reading.is_stuck and reading.position is not None and reading.position == reading.fetch_offset
        }

    # --- what is fetched ----------------------------------------------------------------------------------------------

    def wanted(self) -> dict[TopicPartition, FetchFrom]:
        """What the next fetches are to read; nothing while enough lies ahead."""
        if self._ahead_bytes >= self._budget_bytes:
            self._drop_paused()
        if self._ahead_bytes >= self._budget_bytes:
            return {}
        return {
            partition: FetchFrom(reading.fetch_offset, self._partition_bytes)
            for partition, reading in self._readings.items()
            if reading.position is not None and not reading.is_paused and not reading.is_stuck
        }

    def fetched(
        self,
        partition: TopicPartition,
        offset: int,
        data: bytes,
        next_offset: int,
        leader_epoch: int,
        error: ValueError | None = None,
    ) -> None:
        """What is at `offset`; where `data` is empty, the offsets up to `next_offset` hold nothing to be seen."""
        reading = self._readings.get(partition)
        if reading is None or reading.position is None or reading.fetch_offset != offset or next_offset <= offset:
            return  # sought elsewhere meanwhile, or asked for twice
        self._chunks.append(Chunk(reading, data, next_offset, leader_epoch, error))
        reading.fetch_offset = next_offset
        self._ahead_bytes += len(data)

    def is_unreadable(self, partition: TopicPartition, offset: int, error: ValueError) -> None:
        """The batch at `offset` is damaged. What was fetched before that is handed out first, nothing behind it."""
        self.fetched(partition, offset, b"", offset + 1, -1, error)
        reading = self._readings.get(partition)
        if reading is not None and reading.fetch_offset == offset + 1:
            reading.is_stuck = True

    def has_chunk(self) -> bool:
        return any(not chunk.reading.is_paused for chunk in self._chunks)

    def take(self) -> Chunk | None:
        """The oldest chunk of a partition that is not paused.

        Where what came before it was not handed out to its end (rows, and then columns; a poll that was interrupted),
        it is read again from there: no record is left out.
        """
        for place, chunk in enumerate(self._chunks):
            reading = chunk.reading
            if not reading.is_paused:
                if reading.position is not None and reading.position != chunk.start:
                    self.place(reading.partition, reading.position)
                    return self.take()
                del self._chunks[place]
                self._ahead_bytes -= len(chunk.data)
                return chunk
        return None

    def _drop_paused(self) -> None:
        """What is paused must not keep the others from being read: it is read again when it goes on."""
        for reading in {chunk.reading for chunk in self._chunks if chunk.reading.is_paused}:
            if reading.position is not None:
                self.place(reading.partition, reading.position)

    def _drop_stale(self) -> None:
        self._chunks = deque(chunk for chunk in self._chunks if chunk.is_current)
        self._ahead_bytes = sum(len(chunk.data) for chunk in self._chunks)
