"""Group commit: a few threads sync partitions, and each sync serves all requests that wait for it.

A partition is synced by one thread at a time. A request during a sync waits for the next one, because the current one
may have begun before the bytes were written. So under load the disk determines the rate, and the number of requests per
sync grows.
"""

from collections import deque
from collections.abc import Callable
from threading import Condition, Thread
from time import monotonic_ns
from typing import Protocol


class Syncable(Protocol):
    def sync(self) -> int:
        """Blocks; returns the offset below which everything is durable."""


Outcome = int | Exception
Callback = Callable[["Syncable", Outcome], None]


class SyncPool:
    def __init__(self, threads: int) -> None:
        self._changed = Condition()
        self._waiting: dict[Syncable, list[Callback]] = {}
        """Invariant: a partition is a key from its first request until a sync that began after its last one ended."""
        self._due: deque[Syncable] = deque()
        """Invariant: a partition is here at most once, and never while a thread syncs it."""
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
        with self._changed:
            if self._closing:
                raise RuntimeError("the sync pool is closed")
            waiters = self._waiting.get(partition)
            if waiters is not None:
                waiters.append(callback)
                return
            self._waiting[partition] = [callback]
            self._due.append(partition)
            self._changed.notify()

    @property
    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Serve all requests, then end the threads."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._due and not self._closing:
                    self._changed.wait()
                if not self._due:
                    return
                partition = self._due.popleft()
                callbacks, self._waiting[partition] = self._waiting[partition], []
            began_ns = monotonic_ns()
            outcome = _sync(partition)
            took_ns = monotonic_ns() - began_ns
            for callback in callbacks:
                callback(partition, outcome)
            with self._changed:
                self.syncs += 1
                self.sync_ns += took_ns
                self.failures += isinstance(outcome, Exception)
                if self._waiting[partition]:
                    self._due.append(partition)
                    self._changed.notify()
                else:
                    del self._waiting[partition]


def _sync(partition: Syncable) -> Outcome:
    try:
        return partition.sync()
    except Exception as error:
        return error
