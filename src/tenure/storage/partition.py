"""One partition: an append-only sequence of record batches, in segments.

Batches are opaque. An append checks each one's checksum once, writes its base offset and leader epoch in place, where
the checksum does not reach, and stores it as it came; a read hands out slices. Whether an append is *safe* is another
question, answered by `durable_offset`: at once in `memory` and `os`, after a `sync` in `fsync`. Readers never see what
is not safe, so nobody acts on a record that a crash can still take back.

One thread appends (the broker's loop). `sync` and `read` may run on others at the same time.
"""

import errno
import struct
from bisect import bisect_right
from contextlib import suppress
from threading import Lock
from typing import Final, NamedTuple

from tenure.protocol.records import (
    CRC_AT,
    MAX_TIMESTAMP_AT,
    NO_PRODUCER_ID,
    Batch,
    CorruptBatch,
    TimestampType,
    crc_of,
)
from tenure.protocol.types import TopicId
from tenure.storage import partition_files
from tenure.storage.data_directory import DataDirectory, condemned_name, remove_directory
from tenure.storage.errors import (
    AppendFailed,
    DirectoryUnusable,
    DiskFull,
    OffsetOutOfRange,
    PartitionClosed,
    PartitionFailed,
    ReadFailed,
)
from tenure.storage.leader_epochs import EpochEnd, LeaderEpochs
from tenure.storage.recovery import open_segments
from tenure.storage.segment import RELATIVE_OFFSET_MAX, Segment
from tenure.storage.settings import Durability, LogSettings
from tenure.storage.validation import checked_batches

_PLACE: Final = struct.Struct(">qii")
"""The start of a batch: base offset, length, leader epoch."""
_TIMESTAMP_TYPE_AT: Final = 22
_LOG_APPEND_TIME_BIT: Final = 0x08


class Appended(NamedTuple):
    base_offset: int
    last_offset: int
    log_append_time_ms: int | None
    """None where records keep the time that their producer gave them."""


class OffsetAndTimestamp(NamedTuple):
    offset: int
    timestamp_ms: int


class Partition:
    """Open with `Partition.open`. Offsets are those of records; ends are exclusive."""

    def __init__(
        self,
        directory: DataDirectory,
        name: str,
        settings: LogSettings,
        durability: Durability,
        topic_id: TopicId | None,
    ) -> None:
        self.name = name
        self.settings = settings
        """May be replaced at any time: topics are reconfigured while they are written to."""
        self._durability = durability
        self._must_sync = durability is Durability.FSYNC
        self._directory = directory
        self._files = files = directory.files
        self._path = f"{directory.path}/{name}"
        is_new = not files.exists(self._path)
        if is_new:
            files.mkdir(self._path)
        self.topic_id = self._same_topic(topic_id)
        epochs = partition_files.load_epochs(files, self._path)
        starts = {entry.start_offset for entry in epochs.entries} if epochs else set()
        self._segments, self.cut = open_segments(
            files, self._path, settings.index_interval_bytes, was_clean=directory.was_clean, epoch_starts=starts
        )
        """`cut`: what recovery had to give up, to be told to the operator; None when nothing."""
        self.log_end_offset = self._segments[-1].next_offset
        self._producers, producers_until = partition_files.load_producers(files, self._path, self.log_end_offset)
        self._epochs = epochs or LeaderEpochs()
        self._replay(producers_until, epochs_from=self.log_end_offset if epochs else 0)
        self._epochs.truncate_end(self.log_end_offset + 1)
        if not self._epochs.entries:
            self._epochs.begin(0, self.log_end_offset)
            with suppress(OSError):  # a full disk: the next start begins it again
                partition_files.save_epochs(files, self._path, self._epochs, sync=False)

        self._failure: OSError | None = None
        self._is_closed = False
        self._lock = Lock()
        """Guards the list of segments against a sync that looks at it: rolls and syncs are short here."""
        self._sync_lock = Lock()
        """Held for a whole sync: nobody closes a file under it."""
        self._unsealed: list[Segment] = self._segments[:-1] if not directory.was_clean else []
        self._names_unsynced = is_new or not directory.was_clean
        self.durable_offset = self.log_end_offset
        """Everything below is safe for the mode. Invariant: never decreases, never exceeds `log_end_offset`."""

    @classmethod
    def open(
        cls,
        directory: DataDirectory,
        name: str,
        settings: LogSettings,
        *,
        durability: Durability,
        topic_id: TopicId | None = None,
    ) -> "Partition":
        """Opens `<topic>-<partition>`, created when missing, and recovers it when the last stop was not clean.

        Raises `DirectoryUnusable` when the disk is full or its files cannot be read.
        """
        try:
            partition = cls(directory, name, settings, durability, topic_id)
        except (OSError, CorruptBatch) as error:
            why = getattr(error, "strerror", None) or error
            raise DirectoryUnusable(
                f"partition {name} cannot be opened ({why}): make room or repair {directory.path}/{name}"
            ) from error
        if durability is Durability.FSYNC and not directory.was_clean and partition.log_end_offset > 0:
            partition.sync()  # what was found may be in the page cache only, and is about to be shown
        return partition

    def _same_topic(self, topic_id: TopicId | None) -> TopicId | None:
        stored = partition_files.load_topic_id(self._files, self._path)
        if stored is None and topic_id is not None:
            partition_files.save_topic_id(self._files, self._path, topic_id)
        if stored and topic_id and stored != topic_id:
            raise DirectoryUnusable(
                f"{self._path} belongs to an earlier topic of this name: move the directory away and start again"
            )
        return stored or topic_id

    def _replay(self, producers_from: int, epochs_from: int) -> None:
        """Adds what batches tell to what the side files told."""
        start = min(producers_from, epochs_from)
        for segment in self._segments:
            if segment.next_offset <= start:
                continue
            for _, batch in segment.headers(segment.position_of(start) if start > segment.base_offset else 0):
                if batch.base_offset >= epochs_from:
                    self._epochs.begin(batch.partition_leader_epoch, batch.base_offset)
                if batch.base_offset >= producers_from and batch.producer_id != NO_PRODUCER_ID and not batch.is_control:
                    self._producers.appended(batch, batch.base_offset)

    # --- where the log begins and ends

    @property
    def log_start_offset(self) -> int:
        return self._segments[0].base_offset

    @property
    def size_bytes(self) -> int:
        return sum([segment.size for segment in self._segments])

    @property
    def leader_epoch(self) -> int:
        return self._epochs.latest

    def begin_leader_epoch(self, epoch: int | None = None, *, start_offset: int = 0) -> int:
        """A new leader begins at max(log end, `start_offset`); the epoch after the last one unless told otherwise.

        After an unclean stop `start_offset` is the highest committed offset: a position that somebody holds then never
        points at other records than those it was taken from. The offsets between stay empty.
        """
        epoch = self.leader_epoch + 1 if epoch is None else epoch
        self._refuse_if_unusable()
        try:
            if start_offset > self.log_end_offset:
                self._roll(start_offset)
                self.log_end_offset = start_offset
            if self._epochs.begin(epoch, self.log_end_offset):
                partition_files.save_epochs(self._files, self._path, self._epochs, sync=self._must_sync)
        except OSError as error:
            raise self._append_failed(error) from error
        if self._must_sync:
            self.sync()
        self.durable_offset = self.log_end_offset
        return self.leader_epoch

    def leader_epoch_at(self, offset: int) -> int:
        """The epoch in which the record at `offset` was written, or would be."""
        return self._epochs.epoch_at(offset)

    def end_offset_for_epoch(self, epoch: int) -> EpochEnd:
        return self._epochs.end_of(epoch, self.log_end_offset)

    # --- writing

    def append(self, data: bytes, *, now_ms: int, is_own: bool = False) -> Appended:
        """Appends one or more whole batches, as one. Raises `AppendRefused`, `CorruptBatch` and kin, `AppendFailed`.

        `is_own`: one batch that this process has just encoded, in which there is nothing to check.
        """
        self._refuse_if_unusable()
        batches = [Batch(data, 0)] if is_own else checked_batches(data, self.settings, now_ms)
        if batches[0].producer_id != NO_PRODUCER_ID:
            self._producers.check(batches[0])
        base_offset = self.log_end_offset
        placed, next_offset = self._place(data, batches, base_offset)
        log_append_time_ms = None
        if self.settings.message_timestamp_type is TimestampType.LOG_APPEND_TIME:
            log_append_time_ms = now_ms
            _stamp(placed, batches, now_ms)
        self._write(placed, batches, next_offset, now_ms)
        if batches[0].producer_id != NO_PRODUCER_ID:
            self._producers.appended(batches[0], base_offset)
        self.log_end_offset = next_offset
        if not self._must_sync:
            self.durable_offset = next_offset
        return Appended(base_offset, next_offset - 1, log_append_time_ms)

    def _place(self, data: bytes, batches: list[Batch], offset: int) -> tuple[bytearray, int]:
        placed = bytearray(data)
        leader_epoch = self._epochs.latest
        for batch in batches:
            batch.base_offset = offset
            _PLACE.pack_into(placed, batch.position, offset, batch.length, leader_epoch)
            offset += batch.last_offset_delta + 1
        return placed, offset

    def _write(self, placed: bytearray, batches: list[Batch], next_offset: int, now_ms: int) -> None:
        segment = self._segments[-1]
        try:
            if segment.size and self._must_roll(segment, len(placed), batches, next_offset, now_ms):
                self._roll(self.log_end_offset)
                segment = self._segments[-1]
            segment.append(placed, batches)
        except OSError as error:
            raise self._append_failed(error) from error

    def _must_roll(
        self, segment: Segment, added_bytes: int, batches: list[Batch], next_offset: int, now_ms: int
    ) -> bool:
        if segment.size + added_bytes > self.settings.segment_bytes:
            return True
        if next_offset - segment.base_offset > RELATIVE_OFFSET_MAX:
            return True
        first_timestamp_ms = segment.first_timestamp_ms
        if first_timestamp_ms is None or first_timestamp_ms < 0:
            return False
        newest_ms = batches[-1].max_timestamp_ms
        return (newest_ms if newest_ms >= 0 else now_ms) - first_timestamp_ms > self.settings.segment_ms

    def _roll(self, base_offset: int) -> None:
        """Begins a segment. The old one is sealed by the next sync, because that may take long."""
        segment = Segment(self._files, self._path, base_offset, self.settings.index_interval_bytes)
        self._save_producers()
        with self._lock:
            self._names_unsynced = True
            self._unsealed.append(self._segments[-1])
            self._segments.append(segment)

    def _save_producers(self) -> None:
        """A disk too full for a snapshot costs more reading at the next start, nothing else."""
        with suppress(OSError):
            partition_files.save_producers(self._files, self._path, self._producers, self.log_end_offset)

    def _append_failed(self, error: OSError) -> AppendFailed:
        if error.__cause__ is not None:  # the file could not be cut back to its previous end
            self._failure = error
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else AppendFailed
        return kind(f"partition {self.name} cannot be written to ({error.strerror}): make room or repair {self._path}")

    def _refuse_if_unusable(self) -> None:
        if self._is_closed:
            raise PartitionClosed(f"partition {self.name} is closed")
        if self._failure is not None:
            raise PartitionFailed(
                f"partition {self.name} takes no writes since its disk failed ({self._failure.strerror}): "
                "repair the disk and restart"
            )

    # --- safety

    @property
    def needs_sync(self) -> bool:
        """Something waits for `sync`: records that are not safe, or a full segment that is not sealed."""
        return self.durable_offset < self.log_end_offset or bool(self._unsealed)

    def sync(self) -> int:
        """Blocks until everything appended before the call is safe; returns `durable_offset`. Runs on any thread."""
        with self._sync_lock:
            self._refuse_if_unusable()
            with self._lock:
                end, active, unsealed = self.log_end_offset, self._segments[-1], list(self._unsealed)
                names_unsynced, self._names_unsynced = self._names_unsynced, False
            try:
                if names_unsynced:
                    self._files.sync_directory(self._path)
                    self._files.sync_directory(self._directory.path)
                for segment in (*unsealed, active):
                    segment.sync()
            except OSError as error:
                # After a failed sync the kernel may have dropped what it could not write, and the next sync would
                # succeed without it: only a fresh look at the disk tells what is there.
                self._failure = error
                self._refuse_if_unusable()
            self.durable_offset = max(self.durable_offset, end)
            for segment in unsealed:
                self._seal(segment)
            return self.durable_offset

    def _seal(self, segment: Segment) -> None:
        """Of a synced segment. A disk too full for its indexes costs a scan after the next crash, nothing else."""
        with suppress(OSError):
            segment.write_indexes()
        with self._lock:
            self._unsealed.remove(segment)

    # --- reading

    def read(self, offset: int, max_bytes: int) -> bytes:
        """Whole batches from the one that holds `offset` on, at least one; b"" at the end of what is safe."""
        segments, below = self._segments, self.durable_offset
        if not segments[0].base_offset <= offset <= self.log_end_offset:
            raise OffsetOutOfRange(offset, segments[0].base_offset, self.log_end_offset)
        if offset >= below:
            return b""
        try:
            for segment in segments[self._segment_of(offset) :]:
                data = segment.read(offset, max_bytes, below)
                if data:
                    return data
        except OSError as error:
            raise ReadFailed(f"partition {self.name} cannot be read ({error.strerror}): repair {self._path}") from error
        return b""

    def _segment_of(self, offset: int) -> int:
        return bisect_right(self._segments, offset, key=lambda segment: segment.base_offset) - 1

    def offset_for_timestamp(self, timestamp_ms: int) -> OffsetAndTimestamp | None:
        """The first record that is not older; None when all are."""
        for segment in self._segments:
            if segment.max_timestamp_ms >= timestamp_ms:
                found = segment.first_at_or_after(timestamp_ms)
                if found is not None:
                    return OffsetAndTimestamp(*found) if found[0] < self.durable_offset else None
        return None

    def offset_of_max_timestamp(self) -> OffsetAndTimestamp | None:
        newest_ms = max([segment.max_timestamp_ms for segment in self._segments])
        return self.offset_for_timestamp(newest_ms) if newest_ms >= 0 else None

    # --- the end of things

    def enforce_retention(self, now_ms: int) -> int:
        """Removes segments that are too old or too many, oldest first, and forgets producers; returns how many went."""
        self._producers.expire(now_ms - self.settings.producer_id_expiration_ms)
        removed = 0
        try:
            while self.settings.deletes and self._oldest_is_due(now_ms):
                if len(self._segments) == 1:
                    self._roll(self.log_end_offset)
                self._remove_oldest()
                removed += 1
            if removed:
                self._epochs.truncate_start(self.log_start_offset)
                partition_files.save_epochs(self._files, self._path, self._epochs, sync=self._must_sync)
        except OSError as error:
            raise self._append_failed(error) from error
        return removed

    def _oldest_is_due(self, now_ms: int) -> bool:
        oldest, settings = self._segments[0], self.settings
        if not oldest.size or oldest.next_offset > self.durable_offset:
            return False
        if 0 <= settings.retention_bytes <= self.size_bytes - oldest.size:
            return True
        newest_ms = oldest.max_timestamp_ms
        if newest_ms < 0:  # its producer gave no timestamps: nobody knows how old it is
            return False
        return settings.retention_ms >= 0 and now_ms - newest_ms > settings.retention_ms

    def _remove_oldest(self) -> None:
        """Synced one by one: a crash must not bring back an older segment than one that stays away."""
        with self._sync_lock:
            with self._lock:
                oldest = self._segments[0]
                self._segments = self._segments[1:]  # a reader on another thread keeps its own list
                if oldest in self._unsealed:
                    self._unsealed.remove(oldest)
            oldest.remove()
            if self._durability is not Durability.MEMORY:
                self._files.sync_directory(self._path)

    def close(self) -> None:
        """Syncs and seals everything. Raises `PartitionFailed` when that is impossible: the stop is then not clean."""
        if self._is_closed:
            return
        try:
            if self._durability is not Durability.MEMORY:
                self.sync()
                self._save_producers()
                with suppress(OSError):  # as in _seal
                    self._segments[-1].write_indexes()
        finally:
            self._close_files()

    def delete(self) -> None:
        """Removes the partition, until a crash unless `DataDirectory.sync` follows. Its name is free at once; a stop
        half-way leaves rubbish, not a partition.
        """
        self._close_files()
        condemned = f"{self._directory.path}/{condemned_name(self.name)}"
        self._files.rename(self._path, condemned)
        remove_directory(self._files, condemned)

    def _close_files(self) -> None:
        with self._sync_lock:
            if not self._is_closed:
                self._is_closed = True
                for segment in self._segments:
                    segment.close()


def _stamp(placed: bytearray, batches: list[Batch], now_ms: int) -> None:
    """Writes the broker's time into each batch: one of the two changes that its checksum must follow."""
    for batch in batches:
        batch.max_timestamp_ms = now_ms
        placed[batch.position + _TIMESTAMP_TYPE_AT] |= _LOG_APPEND_TIME_BIT
        struct.pack_into(">q", placed, batch.position + MAX_TIMESTAMP_AT, now_ms)
        batch.buffer = bytes(placed)
        struct.pack_into(">I", placed, batch.position + CRC_AT, crc_of(batch))
