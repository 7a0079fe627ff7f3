"""View of a partition for readers: complete, durable batches. Any thread may use it, except `last_stable_offset`."""

from collections.abc import Callable
from typing import NamedTuple

from tenure.storage.errors import DamagedBatch, OffsetOutOfRange, ReadFailed
from tenure.storage.log.leader_epochs import EpochEnd, LeaderEpochs
from tenure.storage.log.producers import Producers
from tenure.storage.log.segment import Slice
from tenure.storage.log.segments import Segments
from tenure.storage.log.transactions import Aborted


class OffsetAndTimestamp(NamedTuple):
    offset: int
    timestamp_ms: int


class ReadableLog:
    """State of a `Partition` for readers, and its read operations. End offsets are exclusive."""

    name: str
    segments: Segments
    log_end_offset: int
    durable_offset: int
    """Offset below which all records are durable.

    Invariant: at most `log_end_offset`; decreases only if the disk has lost stored bytes.
    """
    _epochs: LeaderEpochs
    _path: str
    producers: Producers
    _deleted_below: int
    """Offset below which DeleteRecords has deleted all records, although their segment may still exist."""

    on_damage: Callable[[], None] = staticmethod(lambda: None)
    """Callback, on any thread, when a read has found damage. `Partition.restore` sets it aside."""

    # --- first and last offset

    @property
    def log_start_offset(self) -> int:
        return max(self.segments.log_start_offset, self._deleted_below)

    @property
    def size_bytes(self) -> int:
        return self.segments.size_bytes

    @property
    def leader_epoch(self) -> int:
        return self._epochs.latest

    def leader_epoch_at(self, offset: int) -> int:
        """Return the leader epoch of the record at an offset; at the end of the log, return that of the next record."""
        return self._epochs.epoch_at(offset)

    def end_offset_for_epoch(self, epoch: int) -> EpochEnd:
        return self._epochs.end_of(epoch, self.log_end_offset)

    @property
    def last_stable_offset(self) -> int:
        """Offset at which read_committed readers stop: the start of the first open transaction, or the high watermark.

        A transaction is open until its marker is durable. Only the thread that appends may read this property.
        """
        return self.producers.last_stable_offset(self.durable_offset)

    def aborted_between(self, start_offset: int, end_offset: int) -> list[Aborted]:
        """Return the aborted transactions that may have records from `start_offset` up to `end_offset`."""
        found: list[Aborted] = []
        for segment in self.segments.from_offset(start_offset):
            for aborted in segment.aborted:
                if aborted.last_offset >= start_offset and aborted.first_offset < end_offset:
                    found.append(aborted)
                if aborted.last_stable_offset >= end_offset:
                    return found
        return found

    # --- reading

    def read(self, offset: int, max_bytes: int, below: int | None = None, *, at_least_one: bool = True) -> bytes:
        """Return the same batches as `slice`, as bytes in memory."""
        try:
            return bytes(self.slice(offset, max_bytes, below, at_least_one=at_least_one).records)
        except OSError as error:
            raise self._read_failed(error) from error

    def slice(self, offset: int, max_bytes: int, below: int | None = None, *, at_least_one: bool = True) -> Slice:
        """Return whole batches, beginning with the one that contains `offset`.

        The result ends before `max_bytes`, `below` or the end of the durable part, whichever comes first. It has at
        least one batch, even a larger one, unless `at_least_one` is false or no batch is readable. Raises
        `OffsetOutOfRange`, `ReadFailed`, and `DamagedBatch` if bytes have changed on disk.
        """
        below = self.durable_offset if below is None else min(below, self.durable_offset)
        if not self.log_start_offset <= offset <= self.log_end_offset:
            raise OffsetOutOfRange(offset, self.log_start_offset, self.log_end_offset)
        if offset >= below:
            return Slice(b"", offset)
        try:
            for segment in self.segments.from_offset(offset):
                found = segment.slice(offset, max_bytes, below, at_least_one)
                if found is not None:
                    return found
        except DamagedBatch:
            self.on_damage()
            raise
        except OSError as error:
            raise self._read_failed(error) from error
        return Slice(b"", offset)

    def _read_failed(self, error: OSError) -> ReadFailed:
        return ReadFailed(f"partition {self.name} cannot be read ({error.strerror}): repair {self._path}")

    def is_cached(self, offset: int, max_bytes: int) -> bool:
        """Return whether all bytes that `slice` needs are in memory; True if that is unknown."""
        return self.segments.from_offset(offset)[0].is_cached(offset, max_bytes)

    def offset_for_timestamp(self, timestamp_ms: int) -> OffsetAndTimestamp | None:
        """Return offset and timestamp of the first record at or after a time; None if all records are older."""
        try:
            return self._first_at_or_after(timestamp_ms)
        except OSError as error:  # a disk error, or another thread has closed the log
            raise self._read_failed(error) from error

    def _first_at_or_after(self, timestamp_ms: int) -> OffsetAndTimestamp | None:
        start_offset = self.log_start_offset
        for segment in self.segments.from_offset(start_offset):
            if segment.max_timestamp_ms >= timestamp_ms:
                try:
                    found = segment.first_at_or_after(timestamp_ms, start_offset)
                except DamagedBatch:
                    self.on_damage()
                    raise
                if found is not None:
                    return OffsetAndTimestamp(*found) if found[0] < self.durable_offset else None
        return None

    def offset_of_max_timestamp(self) -> OffsetAndTimestamp | None:
        start_offset = self.log_start_offset
        first, *others = self.segments.from_offset(start_offset)
        try:
            newest_ms = max([first.max_timestamp_ms_from(start_offset), *[other.max_timestamp_ms for other in others]])
        except OSError as error:
            raise self._read_failed(error) from error
        return self.offset_for_timestamp(newest_ms) if newest_ms >= 0 else None
