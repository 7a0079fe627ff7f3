"""Log cleaner: a thread that compacts logs, the one with the largest dirty part first.

After each piece of work, the thread pauses for as long as the piece took, so it takes at most half of the processor
time from the event loop.

The file `cleaner-offset-checkpoint`, in Kafka's format, has the first dirty offset of each log. If an offset is too
low, records are only compacted once more. If it is too high, tombstones are removed before the records that they
delete. So when a topic is deleted, its entry is removed at once.
"""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.limits.broker import CLEANER_STRETCH_BYTES
from tenure.protocol.batches import CorruptBatch, UnsupportedMagic
from tenure.protocol.compression import CompressionError
from tenure.storage.checkpoint_file import load_checkpoint, save_checkpoint
from tenure.storage.data_directory import DataDirectory
from tenure.storage.recovery.recovery import Truncation

if TYPE_CHECKING:
    from tenure.broker.logs.served_log import ServedLog
    from tenure.storage.compaction.compaction import Cleanable
    from tenure.storage.log.partition import Partition

log = logging.getLogger("tenure.broker")


CHECKPOINT: Final = "cleaner-offset-checkpoint"


class CleaningStopped(Exception):
    """A compaction has ended early, because the broker stops, or the log was closed, was deleted or has failed."""


class KeysTooLarge(Exception):
    """The keys of a single batch do not fit into the memory for compaction."""


class Cleaner:
    def __init__(self, directory: DataDirectory, settings: Settings, served: "Callable[[], list[ServedLog]]") -> None:
        """Start the cleaner's thread, if configured. `served()` returns the open logs, and runs on that thread."""
        self._directory = directory
        self._checkpoint = f"{directory.path}/{CHECKPOINT}"
        self._served = served
        self._settings = settings
        self._stopping = Event()
        self._first_dirty: dict[str, int] = load_checkpoint(directory.files, self._checkpoint)
        """First dirty offset by name of the partition's directory."""
        self._uncleanable: set[str] = set()
        """Names of logs whose compaction has failed. They are not compacted again before the next start."""
        self._truncations: dict[str, Truncation] = {}
        """Truncations by recoveries after which `_first_dirty` was lowered, by name of the log."""
        self._thread: Thread | None = None
        if settings[keys.LOG_CLEANER_ENABLE]:
            self._thread = Thread(target=self._run, name="cleaner", daemon=True)
            self._thread.start()

    def forget(self, name: str) -> None:
        """Remove the checkpoint of a deleted partition, so that a new one of the same name does not inherit it."""
        if self._first_dirty.pop(name, None) is not None:
            self._save()

    def stop(self) -> None:
        """Stop, and wait until the present compaction has ended."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    # --- on the cleaner's thread --------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping.wait(self._settings[keys.LOG_CLEANER_BACKOFF_MS] / 1000):
            while (dirtiest := self._dirtiest()) is not None and not self._stopping.is_set():
                self._try_to_clean(dirtiest)

    def _dirtiest(self) -> "ServedLog | None":
        due: list[tuple[float, ServedLog]] = []
        for served in self._served():
            partition = served.partition
            if partition.settings.compacts and partition.may_be_cleaned and partition.name not in self._uncleanable:
                found = self._cleanable(partition)
                if found.is_due:
                    due.append((found.dirty_ratio, served))
        return max(due, key=lambda entry: entry[0])[1] if due else None

    def _cleanable(self, partition: "Partition") -> "Cleanable":
        from tenure.storage.compaction.compaction import cleanable  # imported late, so that the start is faster

        return cleanable(partition, self._first_dirty_offset(partition), _wall_ms())

    def _first_dirty_offset(self, partition: "Partition") -> int:
        """Return the first offset that is not compacted.

        If a recovery has truncated the log, the result is at most the offset of the truncation: the records that now
        have higher offsets were written later, and were never compacted.
        """
        name, truncation = partition.name, partition.truncation
        if truncation is not None and self._truncations.get(name) is not truncation:
            self._truncations[name] = truncation
            self._first_dirty[name] = min(truncation.offset, self._first_dirty.get(name, 0))
            self._save()
        return min(self._first_dirty.get(name, 0), partition.segments.active.base_offset)

    def _try_to_clean(self, served: "ServedLog") -> None:
        partition = served.partition
        try:
            self._clean(partition)
        except CleaningStopped:
            pass
        except OSError as error:
            # In all other cases, the error only means that the log's files were closed during the compaction.
            if partition.may_be_cleaned or partition.has_failed:
                log.error(
                    "partition %s could not be compacted, the broker will retry: %s", partition.name, error.strerror
                )
                served.maybe_restore_from_thread()
                self._stopping.wait(self._settings[keys.LOG_CLEANER_BACKOFF_MS] / 1000)
        except (CorruptBatch, UnsupportedMagic, CompressionError, KeysTooLarge) as error:
            log.error("partition %s will not be compacted until the broker restarts: %s", partition.name, error)
            self._uncleanable.add(partition.name)
        except Exception:  # one log's bug must not end the thread
            log.exception(
                "partition %s will not be compacted until the broker restarts: a bug in the broker, please report it",
                partition.name,
            )
            self._uncleanable.add(partition.name)

    def _clean(self, partition: "Partition") -> None:
        from tenure.storage.compaction.compaction import compact

        name, first_dirty_offset = partition.name, self._first_dirty_offset(partition)
        throttle = self._throttle(partition)
        memory_bytes = self._settings[keys.LOG_CLEANER_DEDUPE_BUFFER_SIZE]
        done = compact(partition, first_dirty_offset, _wall_ms(), memory_bytes=memory_bytes, throttle=throttle)
        if done.first_dirty_offset <= first_dirty_offset:
            raise KeysTooLarge(
                f"the keys of the batch at offset {first_dirty_offset} do not fit into"
                " log.cleaner.dedupe.buffer.size: raise it"
            )
        self._first_dirty[name] = done.first_dirty_offset
        self._save()
        log.info(
            "partition %s is compacted up to offset %d: %d of %d bytes remain",
            name,
            done.first_dirty_offset,
            done.bytes_after,
            done.bytes_before,
        )

    def _throttle(self, partition: "Partition") -> Callable[[int], None]:
        stretch_bytes, began_s = 0, time.monotonic()

        def throttle(handled_bytes: int) -> None:
            nonlocal stretch_bytes, began_s
            stretch_bytes += handled_bytes
            if stretch_bytes < CLEANER_STRETCH_BYTES:
                return
            if self._stopping.wait(time.monotonic() - began_s) or not partition.may_be_cleaned:
                raise CleaningStopped
            stretch_bytes, began_s = 0, time.monotonic()

        return throttle

    def _save(self) -> None:
        try:
            save_checkpoint(self._directory.files, self._checkpoint, self._first_dirty, sync=False)
        except OSError as error:
            log.error(
                "checkpoint of the log cleaner could not be written, so the broker may compact logs once more after a"
                " restart: %s",
                error.strerror,
            )


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
