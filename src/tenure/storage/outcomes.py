"""Outcomes of the transactions in a log, for a compaction, which reads the log once.

The indexes of the segments list the aborted transactions. All other transactions below the last stable offset were
committed. A marker can be removed when no batch of its transaction is left in the log, not even an empty one.
"""

from bisect import bisect_right
from collections.abc import Iterable

from tenure.protocol.batches import Batch
from tenure.storage.log.transactions import Aborted


class Outcomes:
    def __init__(self, aborted: Iterable[Aborted]) -> None:
        self._aborted: dict[int, list[Aborted]] = {}
        """Aborted transactions by producer id, in log order."""
        for each in sorted(aborted, key=lambda each: each.first_offset):
            self._aborted.setdefault(each.producer_id, []).append(each)
        self._registered: set[Aborted] = set()
        self._registered_committed: set[int] = set()
        """Ids of producers with a committed transaction of which a batch, but not yet the marker, was registered."""

    def aborted_with(self, batch: Batch) -> Aborted | None:
        """Return the aborted transaction to which a batch or marker belongs; None if it was committed."""
        if not batch.is_transactional:
            return None
        of_producer = self._aborted.get(batch.producer_id, [])
        position = bisect_right(of_producer, batch.base_offset, key=lambda each: each.first_offset)
        found = of_producer[position - 1] if position else None
        return found if found is not None and batch.base_offset <= found.last_offset else None

    def register_batch(self, batch: Batch) -> Aborted | None:
        """Register a batch of records. Return its transaction if that was aborted, else None."""
        aborted = self.aborted_with(batch)
        if aborted is not None:
            self._registered.add(aborted)
        elif batch.is_transactional:
            self._registered_committed.add(batch.producer_id)
        return aborted

    def register_marker(self, marker: Batch) -> bool:
        """Register a marker; return whether it can be removed, because no batch of its transaction was registered."""
        aborted = self.aborted_with(marker)
        if aborted is not None:
            return aborted not in self._registered
        is_removable = marker.producer_id not in self._registered_committed
        self._registered_committed.discard(marker.producer_id)
        return is_removable
