"""Read of a consumer's partitions up to fixed end offsets."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final

from tenure.client.consumer.consumer import Consumer
from tenure.client.errors import NotAssigned
from tenure.client.values import TopicPartition


class BoundedRead:
    """Read of partitions up to fixed end offsets. `pause_finished` pauses a partition that is read to the end."""

    def __init__(self, consumer: Consumer, ends: Mapping[TopicPartition, int] | None = None) -> None:
        self._consumer: Final = consumer
        self.left: Final = dict(ends or {})
        """Partitions that are not read to their end yet, and the offset of each end."""

    def add(self, partitions: Collection[TopicPartition]) -> None:
        """Store the current end offsets of these partitions. Can be passed to `subscribe` as `on_assigned`."""
        self.left.update(self._consumer.end_offsets(partitions))

    def remove(self, partitions: Collection[TopicPartition]) -> None:
        """Forget the end offsets of these partitions. Can be passed to `subscribe` as `on_revoked` and `on_lost`."""
        for partition in partitions:
            self.left.pop(partition, None)

    def pause_finished(self, owned: Callable[[], Collection[TopicPartition]]) -> None:
        """Pause the partitions that are read to their end and that the consumer still owns.

        `owned()` returns the partitions that the consumer still owns. The positions are read before this call, because
        it may wait for a commit. During that wait, a fetch can reset a position.
        """
        before: dict[TopicPartition, int] = {}
        for at in self.left.keys() & self._consumer.assignment():
            with suppress(NotAssigned):
                before[at] = self._consumer.position(at)
        still_owned = owned()
        positions = {at: position for at, position in before.items() if at in still_owned}
        beyond = [at for at, position in positions.items() if position > self.left[at]]
        # A position beyond the end of the log does not count: the next fetch resets it.
        limits = self._consumer.end_offsets(beyond) if beyond else {}
        done = [at for at, position in positions.items() if self.left[at] <= position <= limits.get(at, position)]
        if done:
            self._consumer.pause(done)
            self.remove(done)

    @property
    def is_done(self) -> bool:
        """True if all partitions are read to their end, or the group assigns no partition to this consumer."""
        return not self.left and (bool(self._consumer.assignment()) or self._consumer.has_empty_assignment())
