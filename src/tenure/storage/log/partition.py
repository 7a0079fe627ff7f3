"""Partition: an append-only sequence of record batches, in segments.

Batches are opaque. An append verifies the checksum of each batch once, and writes base offset and leader epoch into the
part that the checksum does not cover. Apart from that, batches are stored and read as they were received. The mode of
durability defines when an append is *durable*: at once with `memory` and `os`, after a `sync` with `fsync`.
`durable_offset` is the high watermark. Readers never get records after it, so no client acts on a record that a crash
may remove.

Only one thread appends (the event loop). `sync` and `read` may run on other threads at the same time.
"""

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Final, NamedTuple

from tenure.limits.storage import DAMAGED_KEYS_BYTES_MAX
from tenure.protocol.batches import Batch, CorruptBatch, TimestampType
from tenure.protocol.transaction_markers import encode_marker, marker_of
from tenure.protocol.types import Marker, TopicId
from tenure.storage.compaction.swap import SwapUnfinished
from tenure.storage.data_directory import DataDirectory, name_while_deleted, remove_directory
from tenure.storage.errors import (
    AppendFailed,
    DirectoryUnusable,
    DiskFull,
    OffsetOutOfRange,
    PartitionClosed,
    PartitionFailed,
)
from tenure.storage.log import partition_files, roll_and_retention
from tenure.storage.log.assigned_fields import assign_offsets, assign_timestamps
from tenure.storage.log.open_log import ensure_topic_id, open_log, truncate_log
from tenure.storage.log.readable_log import ReadableLog
from tenure.storage.log.segment import Segment
from tenure.storage.log.segments import Segments
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.log.validation import checked_batches
from tenure.storage.recovery.damage import Damage
from tenure.storage.recovery.damage_copies import damage_copies
from tenure.storage.recovery.inventory import Tail
from tenure.storage.recovery.inventory_check import extent_of
from tenure.storage.recovery.recovery import Evidence, Truncation

_OUT_OF_MEMORY: Final = OSError(errno.ENOMEM, "there was no memory left")
"""Error for a lack of memory, created in advance, because creating one needs memory."""


class Appended(NamedTuple):
    base_offset: int
    last_offset: int
    log_append_time_ms: int | None
    """Time of the append, if the broker sets timestamps; None if records keep those of their producer."""


class Partition(ReadableLog):
    """One partition of a topic. Create it with `Partition.open`."""

    def __init__(
        self,
        directory: DataDirectory,
        name: str,
        settings: LogSettings,
        durability: Durability,
        topic_id: TopicId | None,
        may_set_aside: bool = True,
    ) -> None:
        self.name = name
        self.settings = settings
        """Settings. They may be replaced at any time, when the topic is reconfigured."""
        self._durability = durability
        self._must_sync = durability is Durability.FSYNC
        self._directory = directory
        self.on_losses: Callable[[Truncation | None, list[Damage]], None] = lambda _truncation, _damages: None
        """Callback of `restore` with the losses. It runs on the same thread, before later records are readable."""
        self._files = files = directory.files
        self._inventory = directory.inventory
        self._path = f"{directory.path}/{name}"
        is_new = not files.exists(self._path)
        if is_new:
            files.mkdir(self._path)
        self.topic_id = ensure_topic_id(files, self._path, topic_id)
        self._failure: OSError | None = None
        self._is_closed = False
        self._sync_lock = Lock()
        """Lock that is held during a sync, so that the files that are being synced stay open."""
        self._cleaning_lock = Lock()
        """Lock that is held while the log is compacted, so that its segments are not removed."""
        self._set_aside_begun: list[Damage] = []
        """Damages of a recovery that a disk error has interrupted.

        Their bytes may be set aside already. Then the next recovery does not find them again, but it still has to
        report them.
        """
        self._read(
            Evidence(
                was_clean=directory.was_clean and not is_new,
                may_be_unsynced=not directory.is_same_boot,
                may_lack_segments=directory.inventory_damage is not None and may_set_aside,
                may_set_aside=may_set_aside,
            )
        )

    def _read(self, evidence: Evidence) -> None:
        interval_bytes = self.settings.index_interval_bytes
        known = self._inventory.of(self.name, self.topic_id)
        evidence = evidence._replace(
            extents=dict(known.segments), leader_epoch=known.tail.leader_epoch, epochs_checksum=known.epochs_checksum
        )
        opened = open_log(self._files, self._path, interval_bytes, evidence, self._before_shrinking)
        damages = list(dict.fromkeys([*self._set_aside_begun, *opened.damages]))
        self._set_aside_begun.clear()
        self.on_losses(opened.truncation, damages)
        are_sealed = evidence.was_clean
        self.segments = Segments(self._files, self._path, interval_bytes, opened.segments, are_sealed=are_sealed)
        self.truncation = opened.truncation
        """Torn tail that recovery has truncated; None if there was none. For a report to the operator."""
        self.damages = damages
        """Damages that this recovery has set aside. For a report to the operator."""
        self.copies = damage_copies(self._files, self._path)
        """All damaged ranges whose copies are in the directory, including those of earlier recoveries."""
        self.producers = opened.producers
        self._epochs = opened.epochs
        self.log_end_offset = self.segments.active.next_offset
        self._deleted_below = max(partition_files.load_start_offset(self._files, self._path).offset, known.start_offset)
        self.durable_offset = self.log_end_offset
        sizes = {segment.base_offset: segment.size for segment in self.segments.all}
        self._inventory.update_recovered(self.name, self.topic_id, self._deleted_below, sizes)
        self._durable_end = self.segments.active.base_offset, self.segments.active.size
        """Position of `durable_offset`: (base offset of the segment, bytes in it). Not updated in `memory` and `os`."""
        if self._deleted_below > self.log_end_offset:
            self._continue_at(self._deleted_below)

    def _continue_at(self, start_offset: int) -> None:
        """Begin a new segment at the start offset, for a log that ends before its start offset.

        If the log continued at its end, new records would get offsets below the start offset, and count as deleted.
        """
        self._roll(start_offset)
        self.log_end_offset = self.durable_offset = start_offset
        self._durable_end = start_offset, 0
        self._epochs.begin(self.leader_epoch + 1, start_offset)
        self._inventory.set_tail(self.name, self._tail)
        partition_files.save_epochs(self._files, self._path, self._epochs, sync=True)

    def _before_shrinking(self, base_offset: int, damages: Sequence[Damage]) -> None:
        """Remove the size of a segment from the inventory, before recovery makes the segment smaller.

        Otherwise, after a crash during the recovery, the next start would report the removed bytes as missing.
        """
        self._set_aside_begun += damages
        self._inventory.remove_segments(self.name, (), changed=base_offset)

    @classmethod
    def open(
        cls,
        directory: DataDirectory,
        name: str,
        settings: LogSettings,
        *,
        durability: Durability,
        topic_id: TopicId | None = None,
        may_set_aside: bool = True,
        syncs: bool = True,
    ) -> "Partition":
        """Open `<topic>-<partition>`; create it if it does not exist, and recover it if the last stop was not clean.

        Raises `DirectoryUnusable` if the disk is full or files cannot be read, and `PartitionUnusable` if they belong
        to another topic. If `may_set_aside` is false, damage raises `LogDamaged` and is left as it is. If `syncs` is
        false, the caller must call `make_safe` before records are read or appended.
        """
        try:
            partition = cls(directory, name, settings, durability, topic_id, may_set_aside)
        except (OSError, CorruptBatch) as error:
            why = getattr(error, "strerror", None) or error
            raise DirectoryUnusable(
                f"partition {name} cannot be opened ({why}): free disk space, or repair {directory.path}/{name}"
            ) from error
        if syncs and durability is Durability.FSYNC and not directory.was_clean and partition.log_end_offset > 0:
            partition.sync()  # the recovered bytes may only be in the page cache, and readers must see durable records
        return partition

    # --- writing

    def begin_leader_epoch(self, epoch: int | None = None, *, start_offset: int = 0, syncs: bool = True) -> int:
        """Begin a leader epoch, by default the next one, and return it.

        The epoch begins at the end of the log, or at `start_offset` if that is greater.

        After an unclean stop, `start_offset` is the highest offset that a group has committed. The offsets from the end
        of the log to `start_offset` stay unused: the group would skip new records with these offsets. If `syncs` is
        false, the caller must call `make_safe` before records are read or appended.
        """
        epoch = self.leader_epoch + 1 if epoch is None else epoch
        self._refuse_if_unusable()
        try:
            if start_offset > self.log_end_offset:
                self._roll(start_offset)
                self.log_end_offset = start_offset
            if self._epochs.begin(epoch, self.log_end_offset):
                self._inventory.set_tail(self.name, self._tail)
                if syncs or not self._must_sync:
                    partition_files.save_epochs(self._files, self._path, self._epochs, sync=self._must_sync)
        except OSError as error:
            raise self._append_failed(error) from error
        if syncs and self._must_sync:
            self.sync()
        if syncs or not self._must_sync:
            self.durable_offset = self.log_end_offset
        return self.leader_epoch

    def make_safe(self) -> None:
        """Sync the log and the leader epochs after `open` or `begin_leader_epoch` with `syncs=False`.

        Blocks; any thread may call it. Raises `AppendFailed`, `PartitionFailed`.
        """
        if not self._must_sync:
            return
        try:
            partition_files.save_epochs(self._files, self._path, self._epochs, sync=True)
        except OSError as error:
            raise self._append_failed(error) from error
        self.sync()

    def append(self, data: bytes, *, now_ms: int, is_own: bool = False, checked: list[Batch] | None = None) -> Appended:
        """Append one or more complete batches together, and return their offsets.

        With `is_own`, `data` is one batch that this process has just encoded, and it is not checked. `checked` are the
        batches in `data` if `check_in_steps` has checked them already; None otherwise.

        Raises `AppendRefused` or `CorruptBatch` if the data are invalid, and `AppendFailed` if the disk fails.
        """
        self._refuse_if_unusable()
        if is_own:
            batches = _own_batches(data)
        elif checked is not None:
            batches = checked
        else:
            data, batches = checked_batches(data, self.settings, now_ms)
        if batches[0].has_producer and not is_own:
            self.producers.check(batches[0])
        base_offset = self.log_end_offset
        stored, next_offset = assign_offsets(data, batches, base_offset, self._epochs.latest)
        log_append_time_ms = None
        if self.settings.message_timestamp_type is TimestampType.LOG_APPEND_TIME:
            log_append_time_ms = now_ms
            assign_timestamps(stored, batches, now_ms)
        appended = Appended(base_offset, next_offset - 1, log_append_time_ms)
        end = self._write(stored, batches, next_offset, now_ms)
        try:
            for batch in batches:
                if batch.has_producer:
                    self._update_producers(batch)
        except MemoryError as error:
            self.segments.active.size = end
            raise self._fail_without_memory() from error
        self.log_end_offset = next_offset  # nothing below allocates memory, so file and offset cannot disagree
        if not self._must_sync:
            self.durable_offset = next_offset
        return appended

    def append_marker(self, marker: Marker, *, now_ms: int) -> Appended:
        """Append the marker that ends a producer's transaction, and return its offset.

        Raises `InvalidProducerEpoch`, `TransactionCoordinatorFenced`, `AppendFailed`. The marker is written even if no
        transaction is open, because it also fences older epochs.
        """
        self._refuse_if_unusable()
        self.producers.check_marker(marker)
        return self.append(encode_marker(marker, now_ms), now_ms=now_ms, is_own=True)

    def _update_producers(self, batch: Batch) -> None:
        """Update the state of producers and transactions after an append."""
        if not batch.is_control:
            self.producers.add_batch(batch, batch.base_offset)
        elif marker := marker_of(batch):
            self.producers.drop_durable_ends(self.durable_offset)  # a read does this too, but there may be no reads
            aborted = self.producers.end_transaction(marker, batch.base_offset, batch.max_timestamp_ms)
            if aborted is not None:
                self.segments.active.aborted.append(aborted)

    def _write(self, stored: bytearray, batches: list[Batch], next_offset: int, now_ms: int) -> int:
        """Write batches into the active segment. Return the segment's previous size."""
        segment = self.segments.active
        try:
            if segment.size and roll_and_retention.must_roll(
                segment, self.settings, len(stored), batches, next_offset, now_ms
            ):
                self._roll(self.log_end_offset)
                segment = self.segments.active
            size = segment.size
            segment.append(stored, batches)
        except OSError as error:
            raise self._append_failed(error) from error
        except MemoryError as no_memory:  # a part of the batches may be in the file
            raise self._fail_without_memory() from no_memory
        return size

    def has_room(self, size_bytes: int) -> bool:
        """Return whether the disk has space for `size_bytes` bytes, by writing and removing them."""
        self._refuse_if_unusable()
        try:
            self.segments.active.check_space(size_bytes)
        except OSError as error:
            self._append_failed(error)
            return False
        return True

    def _roll(self, base_offset: int) -> None:
        self._save_producers()
        self.segments.roll(base_offset)
        self._inventory.set_segment(self.name, base_offset, None)

    @property
    def _tail(self) -> Tail:
        return Tail(self.log_end_offset, self.leader_epoch)

    def _save_producers(self) -> None:
        """Save a snapshot of the producers. If the disk is full, the next start has to read more of the log instead."""
        with suppress(OSError):
            partition_files.save_producers(self._files, self._path, self.producers, self.log_end_offset)

    def _append_failed(self, error: OSError) -> AppendFailed:
        if error.__cause__ is not None:  # the file could not be truncated to its previous end
            self._failure = error
        kind = DiskFull if error.errno in (errno.ENOSPC, errno.EDQUOT) else AppendFailed
        return kind(
            f"partition {self.name} cannot be written to ({error.strerror}): free disk space, or repair {self._path}"
        )

    def _fail_without_memory(self) -> AppendFailed:
        """Mark the partition as failed, and return the error. Later, `restore` reads the state from the files.

        This method must not allocate memory.
        """
        self._failure = _OUT_OF_MEMORY
        return AppendFailed(f"partition {self.name} cannot be written to: {_OUT_OF_MEMORY.strerror}")

    def _refuse_if_unusable(self) -> None:
        if self._is_closed:
            raise PartitionClosed(f"partition {self.name} is closed")
        if self._failure is _OUT_OF_MEMORY:
            raise PartitionFailed(
                f"partition {self.name} refuses writes until its log is read again: {_OUT_OF_MEMORY.strerror}"
            )
        if self._failure is not None:
            why = self._failure.strerror or self._failure
            raise PartitionFailed(
                f"partition {self.name} refuses writes because its disk failed ({why}): "
                f"repair the disk under {self._path}"
            )

    # --- durability

    @property
    def needs_sync(self) -> bool:
        """True if records are not durable yet, or a full segment is not sealed."""
        return self.durable_offset < self.log_end_offset or self.segments.needs_seal

    def sync(self) -> int:
        """Make all records appended before this call durable, and return `durable_offset`.

        Blocks; may run on any thread.
        """
        with self._sync_lock:
            try:
                return self._sync()
            except MemoryError:  # names of new files may count as synced; the caller must call `restore`
                self._failure = _OUT_OF_MEMORY
                raise

    def _sync(self) -> int:
        self._refuse_if_unusable()
        end = self.log_end_offset
        unsynced = self.segments.take_unsynced()
        try:
            if unsynced.names:
                self._files.sync_directory(self._path)
                self._files.sync_directory(self._directory.path)
            for segment in (*unsynced.unsealed, unsynced.active):
                segment.sync()
        except OSError as error:
            # After a failed sync, the kernel may have dropped unwritten pages, and the next sync would succeed
            # without them. So `restore` gives up all records that are not durable.
            self._failure = error
            self._refuse_if_unusable()
        self._durable_end = unsynced.active.base_offset, unsynced.active_bytes
        # Last, because `restore` must keep all records that readers may have seen.
        self.durable_offset = max(self.durable_offset, end)
        for segment in unsynced.unsealed:
            self.segments.seal(segment)
            self._inventory.set_segment(self.name, segment.base_offset, extent_of(segment))
        if unsynced.names:
            self._inventory.set_segment(
                self.name, unsynced.active.base_offset, extent_of(unsynced.active, unsynced.active_bytes)
            )
        return self.durable_offset

    @property
    def has_failed(self) -> bool:
        """True if it is unknown what is on disk. Nothing can be appended until `restore` has succeeded."""
        return self._failure is not None

    def restore(self, *, is_damaged: bool = False) -> int:
        """Make a failed log usable again, begin a new leader epoch, and return `durable_offset`.

        By default, the log is truncated to its durable part. The removed records were neither acknowledged nor read.

        With `is_damaged`, segments with known damage are verified completely instead, and damaged bytes are set aside
        (see `damages`).

        Blocks; may run on any thread. Raises `PartitionFailed` if the disk still fails; call it again later.
        """
        self._failure = self._failure or OSError(0, "its bytes differ from those that were written")
        with self._cleaning_lock, self._sync_lock:
            if self._is_closed:
                raise PartitionClosed(f"partition {self.name} is closed")
            try:
                self._restore(is_damaged)
            except (OSError, CorruptBatch) as error:
                self._failure = error if isinstance(error, OSError) else OSError(0, str(error))
                self._refuse_if_unusable()
            self._failure = None
            return self.durable_offset

    def _restore(self, is_damaged: bool) -> None:
        active = self.segments.active
        base_offset, size = self._durable_end if self._must_sync else (active.base_offset, active.size)
        if not is_damaged:
            later = [segment.base_offset for segment in self.segments.all if segment.base_offset > base_offset]
            self._inventory.remove_segments(self.name, later)
            truncate_log(self._files, self._path, base_offset, size, self.settings.index_interval_bytes)
        replaced = self.segments
        self._read(Evidence(was_clean=False, distrusted=self._damaged_segments() if is_damaged else ()))
        # The compiled build frees the old value of an attribute before it stores the new one. Freed segments close
        # files that other threads may be reading. So `replaced` refers to the old segments until here.
        assert replaced is not self.segments
        if self._epochs.begin(self.leader_epoch + 1, self.log_end_offset):
            partition_files.save_epochs(self._files, self._path, self._epochs, sync=True)
        for segment in self.segments.all:
            segment.sync()

    def damaged_bytes(self, damage: Damage) -> bytes:
        """Return the bytes of a damage that is set aside, at most DAMAGED_KEYS_BYTES_MAX, from their copy.

        The caller searches them for record keys.
        """
        copy = self._files.open(damage.copy_path)
        try:
            return copy.pread(DAMAGED_KEYS_BYTES_MAX, 0)
        finally:
            copy.close()

    def _damaged_segments(self) -> set[int]:
        """Return the base offsets of segments with known damage; of all segments if none is known."""
        segments = self.segments.all
        return {segment.base_offset for segment in segments if segment.is_damaged} or {
            segment.base_offset for segment in segments
        }

    # --- deletion and closing

    def delete_records(self, before_offset: int) -> int:
        """Hide the records below an offset, also after a restart, and return `log_start_offset`.

        Their segments are removed when retention is enforced next. Raises `OffsetOutOfRange` and `AppendFailed`.
        """
        self._refuse_if_unusable()
        if not 0 <= before_offset <= self.durable_offset:
            raise OffsetOutOfRange(before_offset, self.log_start_offset, self.durable_offset)
        if before_offset > self.log_start_offset:
            must_sync = self._durability is not Durability.MEMORY
            try:
                self._inventory.set_start_offset(self.name, before_offset)
                partition_files.save_start_offset(self._files, self._path, before_offset, sync=must_sync)
            except OSError as error:
                raise self._append_failed(error) from error
            self._deleted_below = before_offset
        return self.log_start_offset

    def enforce_retention(self, now_ms: int) -> int:
        """Remove segments that are too old or exceed the size limit, oldest first. Return their number.

        Nothing is removed while the log is being compacted or has failed.
        """
        if self.has_failed or not self._cleaning_lock.acquire(blocking=False):
            return 0
        removed = 0
        try:
            while roll_and_retention.oldest_is_due(
                self.segments, self.settings, self.log_start_offset, self.durable_offset, now_ms
            ):
                if len(self.segments.all) == 1:
                    self._roll(self.log_end_offset)
                self._remove_oldest_segment()
                removed += 1
            if removed:
                self._epochs.truncate_start(self.log_start_offset)
                partition_files.save_epochs(self._files, self._path, self._epochs, sync=self._must_sync)
        except OSError as error:
            raise self._append_failed(error) from error
        finally:
            self._cleaning_lock.release()
        return removed

    def expire_producers(self, now_ms: int) -> Iterator[None]:
        """Remove producers that have not written for `producer_id_expiration_ms`. Yield after each small step."""
        yield  # so that a partition without producers counts as a step, too
        yield from self.producers.expire(now_ms - self.settings.producer_id_expiration_ms)

    def _remove_oldest_segment(self) -> None:
        """Remove the oldest segment, and sync the directory.

        Without the sync, a crash could bring back this segment after a newer one has been removed.
        """
        with self._sync_lock:
            self._inventory.remove_segments(self.name, [self.segments.all[0].base_offset])
            self.segments.remove_oldest()
            if self._durability is not Durability.MEMORY:
                self._files.sync_directory(self._path)

    @contextmanager
    def cleaning(self) -> Iterator[None]:
        """Reserve the segments for a compaction in a `with` block, so that only the compaction removes them.

        The compaction must end when `may_be_cleaned` becomes False, because the log was closed or has failed.
        """
        with self._cleaning_lock:
            yield

    def replace(self, old: list[Segment], new: Segment) -> None:
        """Replace segments by a compacted one. Raises OSError.

        The log is complete even after an error, unless `has_failed` is true.
        """
        first, *others = [segment.base_offset for segment in old]
        self._inventory.remove_segments(self.name, others, changed=first)
        try:
            self.segments.replace(old, new)
        except SwapUnfinished as error:
            self._failure = error
            raise
        except OSError:
            for segment in old:
                self._inventory.set_segment(self.name, segment.base_offset, extent_of(segment))
            raise
        self._inventory.set_segment(self.name, first, extent_of(new))

    @property
    def may_be_cleaned(self) -> bool:
        return not self._is_closed and self._failure is None

    def close(self) -> None:
        """Sync the log, and write its indexes and small files.

        Raises `PartitionFailed` if the sync fails. Then the stop is not clean.
        """
        if self._is_closed:
            return
        try:
            if self._durability is not Durability.MEMORY:
                self.sync()
                self._save_producers()
                for segment in self.segments.all:
                    if segment.has_new_indexes or segment is self.segments.active:
                        with suppress(OSError):  # if this fails, the next start rebuilds the indexes
                            segment.write_indexes()
                self._record_end()
        finally:
            self._close_files()

    def _record_end(self) -> None:
        try:
            checksum = partition_files.maybe_save_epochs(self._files, self._path, self._epochs)
        except OSError:  # if the disk is full, the next start uses the older file
            checksum = None
        extents = {segment.base_offset: extent_of(segment) for segment in self.segments.all}
        self._inventory.update_closed(self.name, self._deleted_below, self._tail, checksum, extents)

    def delete(self) -> None:
        """Remove the partition. The removal is durable only after `DataDirectory.sync`.

        The partition's name is free at once. An interrupted removal leaves unused files, but no partition.
        """
        self._close_files()
        self._inventory.remove_partitions([self.name])
        renamed = f"{self._directory.path}/{name_while_deleted(self.name)}"
        self._files.rename(self._path, renamed)
        remove_directory(self._files, renamed)

    def _close_files(self) -> None:
        if not self._is_closed:
            self._is_closed = True  # first, so that a running compaction stops
            with self._cleaning_lock, self._sync_lock:
                self.segments.close()


def _own_batches(data: bytes) -> list[Batch]:
    """Return the batches in `data`, which this process has encoded."""
    batches: list[Batch] = []
    position = 0
    while position < len(data):
        batch = Batch(data, position)
        batches.append(batch)
        position += batch.size
    return batches
