"""Log of a partition as the broker serves it, with the requests that wait until records are durable or new ones arrive.

Consumers see durable records only: the high watermark is the durable offset (`storage`, `Durability`). With durability
`fsync`, the first append requests a sync, and all records appended until the sync begins share it.

After a failed sync it is unknown what the disk contains. So waiting requests are refused, and a thread truncates the
log to the part that is certainly durable. Until that succeeds, the log refuses writes; reads continue.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Protocol

from tenure.limits.broker import LOG_RESTORE_PAUSE_S
from tenure.limits.runtime import COORDINATOR_BATCH_BYTES
from tenure.out_of_memory import is_out_of_memory
from tenure.protocol.batches import Batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.transaction_markers import MARKER_BYTES
from tenure.protocol.types import Marker
from tenure.storage.errors import AppendFailed, DiskFull, PartitionClosed, PartitionFailed
from tenure.storage.log.partition import Appended, Partition
from tenure.storage.recovery.damage import Damage
from tenure.storage.recovery.recovery import Truncation
from tenure.storage.sync_pool import SyncPool

log = logging.getLogger("tenure.broker")


def log_losses(name: str, truncation: Truncation | None, damages: list[Damage]) -> None:
    """Log the records that a recovery has truncated or set aside."""
    if truncation is not None:
        log.warning("partition %s: recovery has cut the log: %s", name, truncation)
    for damage in damages:
        log.error("partition %s: %s; the damaged bytes are in %s", name, damage, damage.copy_path)


class Watcher(Protocol):
    """Interface of a parked fetch that is notified when a log changes."""

    def bytes_added(self, added_bytes: int, stable_bytes: int) -> None:
        """Handle new bytes: `added_bytes` are readable with read_uncommitted, `stable_bytes` with read_committed."""

    def transaction_ended(self) -> None:
        """Handle the end of a transaction, after which more records may be readable with read_committed."""

    def log_deleted(self) -> None: ...


class _Restoration:
    """Work for the sync pool: restores a log that has failed or is damaged."""

    def __init__(self, partition: Partition, is_damaged: bool) -> None:
        self._partition = partition
        self.is_damaged: Final = is_damaged

    def sync(self) -> int:
        return self._partition.restore(is_damaged=self.is_damaged)


class ServedLog:
    __slots__ = (
        "_gone",
        "_loop",
        "_not_durable",
        "_restoration",
        "_sync_pool",
        "_sync_under_way",
        "_unsettled",
        "_waiting",
        "_watchers",
        "is_full",
        "may_set_aside",
        "partition",
    )

    def __init__(
        self,
        partition: Partition,
        loop: asyncio.AbstractEventLoop,
        sync_pool: SyncPool,
        *,
        may_set_aside: bool = True,
    ) -> None:
        self.partition: Final = partition
        self.may_set_aside: Final = may_set_aside
        """True if damaged bytes may be set aside.

        False for a log that must be complete: its damage is left as it is.
        """
        partition.on_damage = self._met_damage_on_thread
        partition.on_losses = partial(log_losses, partition.name)
        self._loop = loop
        self._sync_pool = sync_pool
        self._sync_under_way = False
        self._gone = False
        self.is_full = False
        """True if the disk was full at the last append."""
        self._not_durable: list[tuple[int, int, bool]] = []
        """Batches that are not durable yet: (last offset, bytes, is a marker), ascending."""
        self._waiting: list[tuple[int, Callable[[Any], None]]] = []
        """(end offset, callback) of requests that wait until all records below the offset are durable, ascending."""
        self._watchers: dict[Watcher, None] = {}
        self._restoration: _Restoration | None = None
        """Restoration in progress or waiting to be tried again; None if the log is usable."""
        self._unsettled: list[Callable[[], None]] = []

    @property
    def log_start_offset(self) -> int:
        return self.partition.log_start_offset

    @property
    def high_watermark(self) -> int:
        return self.partition.durable_offset

    def append(
        self, batches: bytes, wall_ms: int, *, is_own: bool = False, checked: list[Batch] | None = None
    ) -> Appended:
        """Append the batches of one request or turn, and request a sync if the configured durability needs one.

        `is_own` is true for records of the broker itself. If `batches` were checked and parsed before, `checked` has
        the result. Raises the errors of `storage`. A full disk is logged once, until it has space again.
        """
        try:
            appended = self.partition.append(batches, now_ms=wall_ms, is_own=is_own, checked=checked)
        except (AppendFailed, PartitionFailed) as error:
            self._failed(error)
            raise
        self._appended(appended, len(batches), is_marker=False)
        return appended

    def append_marker(self, marker: Marker, wall_ms: int) -> Appended:
        """Append the marker that ends a producer's transaction. Raises the errors of `storage`."""
        try:
            appended = self.partition.append_marker(marker, now_ms=wall_ms)
        except (AppendFailed, PartitionFailed) as error:
            self._failed(error)
            raise
        self._appended(appended, MARKER_BYTES, is_marker=True)
        return appended

    def _failed(self, error: Exception) -> None:
        if isinstance(error, DiskFull) and not self.is_full:
            self.is_full = True
            log.error(
                "partition %s: writes are refused until the disk has space, reads are served: %s",
                self.partition.name,
                error,
            )
        self.maybe_restore()

    def _appended(self, appended: Appended, added_bytes: int, *, is_marker: bool) -> None:
        if self.is_full:
            self.is_full = False
            log.warning("partition %s: the disk has space again, writes are accepted", self.partition.name)
        is_durable = self.partition.durable_offset > appended.last_offset
        # Otherwise neither a request nor a watcher waits.
        if not is_durable or self._watchers or self._waiting or self._not_durable:
            self._not_durable.append((appended.last_offset, added_bytes, is_marker))
            if is_durable:
                self._became_durable()
        if self.partition.needs_sync:
            self._request_sync()

    def maybe_has_room(self) -> bool:
        """Return whether the log accepts writes: the last append found space, or the disk has space again."""
        if self.is_full:
            try:
                self.is_full = not self.partition.has_room(COORDINATOR_BATCH_BYTES)
            except (PartitionClosed, PartitionFailed):
                self.maybe_restore()
            if not self.is_full:
                log.warning("partition %s: the disk has space again, writes are accepted", self.partition.name)
        return not self.is_full

    def check_epoch(self, current_leader_epoch: int) -> ErrorCode:
        """Return an error if a client's leader epoch differs from the log's (KIP-320). -1 is not checked."""
        ours = self.partition.leader_epoch
        if current_leader_epoch in (ours, -1):
            return ErrorCode.NONE
        return ErrorCode.FENCED_LEADER_EPOCH if current_leader_epoch < ours else ErrorCode.UNKNOWN_LEADER_EPOCH

    def when_durable(self, end_offset: int, then: Callable[[Any], None]) -> None:
        """Call `then(NONE)` when all records below `end_offset` are durable, or `then(error_code)` if a sync fails."""
        if self.partition.durable_offset >= end_offset:
            then(ErrorCode.NONE)
        else:
            self._waiting.append((end_offset, then))

    def when_settled(self, then: Callable[[], None]) -> None:
        """Call `then` when no restoration is in progress and all records are durable."""
        if self._restoration is not None:
            self._unsettled.append(then)
            return
        if self.partition.needs_sync:  # an append that ran out of memory may have requested no sync
            self._request_sync()
        self.when_durable(
            self.partition.log_end_offset,
            lambda error_code: then() if error_code is ErrorCode.NONE else self.when_settled(then),
        )

    @property
    def is_waited_for(self) -> bool:
        return bool(self._waiting)

    def watch(self, watcher: Watcher) -> None:
        self._watchers[watcher] = None

    def unwatch(self, watcher: Watcher) -> None:
        self._watchers.pop(watcher, None)

    def close_for_good(self) -> None:
        """Answer all waiting requests with an error, because the log is about to be deleted."""
        self._gone = True
        waiting, self._waiting = self._waiting, []
        for _, then in waiting:
            then(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        for watcher in list(self._watchers):
            watcher.log_deleted()

    # --- syncs --------------------------------------------------------------------------------------------------------

    def _request_sync(self) -> None:
        if not self._sync_under_way:
            self._sync_pool.request(self.partition, self._on_pool_thread)
            self._sync_under_way = True

    def _on_pool_thread(self, _: object, outcome: int | Exception) -> None:
        self._loop.call_soon_threadsafe(self._synced, outcome)

    def _synced(self, outcome: int | Exception) -> None:
        self._sync_under_way = False
        if self._gone:
            return
        if is_out_of_memory(outcome) and not self.partition.has_failed:
            # Memory ran out before the sync began, because any later failure would have failed the log.
            self._request_sync()
            return
        if isinstance(outcome, Exception):
            log.error(
                "partition %s: its log could not be synced, so the records that are not durable will be removed: %s",
                self.partition.name,
                str(outcome) or repr(outcome),
            )
            self.maybe_restore()
            return
        if self.partition.needs_sync:  # first, so that the disk works while the requests are answered
            self._request_sync()
        self._became_durable()

    def _refuse_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for _, then in waiting:
            then(ErrorCode.KAFKA_STORAGE_ERROR)

    # --- after a failure ----------------------------------------------------------------------------------------------

    def maybe_restore(self) -> None:
        """Start the restoration of the log if it has failed."""
        if self.partition.has_failed:
            self._restore(is_damaged=False)

    def maybe_restore_from_thread(self) -> None:
        self._loop.call_soon_threadsafe(self.maybe_restore)

    def _met_damage_on_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._met_damage)

    def _met_damage(self) -> None:
        """Set aside damage that a read has found. Do nothing if the damaged segments were replaced meanwhile."""
        if any(segment.is_damaged for segment in self.partition.segments.all):
            self.maybe_restore_damaged()

    def maybe_restore_damaged(self) -> None:
        """Start to set damaged bytes aside on a thread.

        Do nothing if the log is closed, or if `may_set_aside` is false because the log must be complete.
        """
        if self.may_set_aside and not self._gone:
            self._restore(is_damaged=True)

    def _restore(self, *, is_damaged: bool) -> None:
        """Start a restoration, unless one is in progress, and refuse all waiting requests.

        The restoration may truncate the records of these requests, and other records may then get the same offsets.
        """
        if self._restoration is None:
            restoration = _Restoration(self.partition, is_damaged)
            self._sync_pool.request(restoration, self._restored_on_pool_thread)
            self._restoration = restoration
        self._refuse_waiting()

    def _restored_on_pool_thread(self, _: object, outcome: int | Exception) -> None:
        self._loop.call_soon_threadsafe(self._restored, outcome)

    def _restored(self, outcome: int | Exception) -> None:
        if self._gone or self._restoration is None:
            return
        if isinstance(outcome, Exception):
            log.error(
                "partition %s refuses writes, because its log could not be restored; next try in %g s: %s",
                self.partition.name,
                LOG_RESTORE_PAUSE_S,
                outcome,
            )
            self._loop.call_later(LOG_RESTORE_PAUSE_S, self._try_again)
            return
        self._restoration = None
        self._not_durable.clear()
        partition = self.partition
        epoch, end_offset = partition.leader_epoch, partition.log_end_offset
        log.warning(
            "partition %s accepts writes again from offset %d in leader epoch %d", partition.name, end_offset, epoch
        )
        unsettled, self._unsettled = self._unsettled, []
        for then in unsettled:
            self.when_settled(then)

    def _try_again(self) -> None:
        before, self._restoration = self._restoration, None
        if before is not None and not self._gone and not self._sync_pool.is_closing:
            self._restore(is_damaged=before.is_damaged)

    # --- waiting requests ---------------------------------------------------------------------------------------------

    def _became_durable(self) -> None:
        """Notify watchers, and answer requests whose records are durable.

        Records that were appended during a sync become durable with the next sync. Until then, they are not readable.
        """
        durable_offset = self.partition.durable_offset
        newly_durable = [each for each in self._not_durable if each[0] < durable_offset]
        del self._not_durable[: len(newly_durable)]
        if self._watchers:
            stable_until = self.partition.last_stable_offset
            added_bytes = sum([size for _, size, _ in newly_durable])
            stable_bytes = sum([size for last_offset, size, _ in newly_durable if last_offset < stable_until])
            has_decided = any(is_marker for _, _, is_marker in newly_durable)
            for watcher in list(self._watchers):
                watcher.bytes_added(added_bytes, stable_bytes)
                if has_decided:
                    watcher.transaction_ended()
        if self._waiting:
            ready = [then for end_offset, then in self._waiting if end_offset <= durable_offset]
            self._waiting = [entry for entry in self._waiting if entry[0] > durable_offset]
            for then in ready:
                then(ErrorCode.NONE)
