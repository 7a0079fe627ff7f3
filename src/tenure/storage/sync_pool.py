"""Group commit: a few threads sync partitions, and each sync serves all requests that wait for it.

A partition is synced by one thread at a time. A request during a sync waits for the next one, because the current one
may have begun before the bytes were written. So under load the disk determines the rate, and the number of requests per
sync grows.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic_ns
from typing import Protocol


class Syncable(Protocol):
    def sync(self) -> int:
        """Blocks; returns the offset below which everything is durable."""


Outcome = int | Exception
Callback = Callable[["Syncable", Outcome], None]


class SyncPool:
    def __init__(self, threads: int) -> None:
        self._lock = Lock()
        self._waiting: dict[Syncable, list[Callback]] = {}
        """Invariant: a partition is a key from its first request until a sync that began after its last one ended."""
        self._due: SimpleQueue[Syncable | None] = SimpleQueue()
        """Partitions to sync; None ends a thread. Invariant: a partition is here at most once, and never while a thread
        syncs it."""
        self._closing = False
        self.syncs = 0
        self.sync_ns = 0
        """Total time of all syncs, some of which ran at the same time."""
        self.failures = 0
        self._threads = [Thread(target=self._work, name=f"sync-{n}", daemon=True) for n in range(1, threads + 1)]
        for thread in self._threads:
            thread.start()

    def request(self, partition: Syncable, callback: Callback) -> None:
        """Request a sync. Calls back, on a thread of the pool, with the durable offset or the error."""
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
            except MemoryError:  # else no later request would reach a thread
                del self._waiting[partition]
                raise

    @property
    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Serve all requests, then end the threads."""
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
        """Sync a partition once. Return True if this thread has to sync it again, because no other will."""
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
        for callback in callbacks:  # as late as possible: it wakes the event loop, which needs the interpreter then
            callback(partition, outcome)
        return is_requested and not self._maybe_leave_to_others(partition)

    def _maybe_leave_to_others(self, partition: Syncable) -> bool:
        """Yield to other waiting partitions, unless the threads are ending."""
        with self._lock:
            if not self._closing:
                self._due.put(partition)
            return not self._closing


def _outcome_of(partition: Syncable) -> Outcome:
    try:
        return partition.sync()
    except Exception as error:
        return error
