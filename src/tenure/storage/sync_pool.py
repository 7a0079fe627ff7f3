"""Group commit: a few threads sync partitions, and each sync serves all requests that wait for it.

Only one thread syncs a partition at a time. A request that comes during a sync waits for the next sync, because the
present one may have begun before its bytes were written. So under load the disk determines the number of syncs, and
more requests share each sync.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic_ns
from typing import Protocol


class Syncable(Protocol):
    def sync(self) -> int:
        """Sync, and return the offset below which all records are durable. Blocks."""


Outcome = int | Exception
Callback = Callable[["Syncable", Outcome], None]


class SyncPool:
    def __init__(self, threads: int) -> None:
        self._lock = Lock()
        self._waiting: dict[Syncable, list[Callback]] = {}
        """Callbacks by partition.

        Invariant: contains a partition from its first request until a later sync has ended.
        """
        self._due: SimpleQueue[Syncable | None] = SimpleQueue()
        """Partitions to sync; None ends a thread.

        Invariant: contains a partition at most once, and not while a thread syncs it.
        """
        self._closing = False
        self.syncs = 0
        self.sync_ns = 0
        """Total duration of all syncs; some of them ran at the same time."""
        self.failures = 0
        self._threads = [Thread(target=self._work, name=f"sync-{n}", daemon=True) for n in range(1, threads + 1)]
        for thread in self._threads:
            thread.start()

    def request(self, partition: Syncable, callback: Callback) -> None:
        """Request a sync. `callback` gets the durable offset or the error, on a thread of the pool."""
        with self._lock:
            if self._closing:
                raise RuntimeError("the sync pool is closed")
            waiters = self._waiting.get(partition)
            if waiters is not None:
                waiters.append(callback)
                return
            self._waiting[partition] = [callback]
            try:
                self._due.put(partition)
            except MemoryError:  # otherwise later requests would wait for a sync that never runs
                del self._waiting[partition]
                raise

    @property
    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Serve all pending requests, then end the threads."""
        with self._lock:
            self._closing = True
            for _ in self._threads:
                self._due.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (partition := self._due.get()) is not None:
            while self._sync(partition):
                pass

    def _sync(self, partition: Syncable) -> bool:
        """Sync a partition once. Return True if this thread has to sync it again."""
        with self._lock:
            callbacks, self._waiting[partition] = self._waiting[partition], []
        began_ns = monotonic_ns()
        outcome = _outcome_of(partition)
        took_ns = monotonic_ns() - began_ns
        with self._lock:
            self.syncs += 1
            self.sync_ns += took_ns
            self.failures += isinstance(outcome, Exception)
            is_requested = bool(self._waiting[partition])
            if not is_requested:
                del self._waiting[partition]
        # Last, because it wakes the event loop, which then competes for the interpreter lock.
        for callback in callbacks:
            callback(partition, outcome)
        return is_requested and not self._maybe_requeue(partition)

    def _maybe_requeue(self, partition: Syncable) -> bool:
        """Put a partition back into the queue, behind the partitions that already wait for a sync.

        Return False if the threads are ending. Then the caller has to sync the partition itself.
        """
        with self._lock:
            if not self._closing:
                self._due.put(partition)
            return not self._closing


def _outcome_of(partition: Syncable) -> Outcome:
    try:
        return partition.sync()
    except Exception as error:
        return error
