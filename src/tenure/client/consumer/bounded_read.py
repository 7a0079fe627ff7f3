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
        for partition in self.left.keys() & self._consumer.assignment():
            with suppress(NotAssigned):
                before[partition] = self._consumer.position(partition)
        still_owned = owned()
        positions = {partition: position for partition, position in before.items() if partition in still_owned}
        beyond = [partition for partition, position in positions.items() if position > self.left[partition]]
        # A position beyond the end of the log does not count: the next fetch resets it.
        limits = self._consumer.end_offsets(beyond) if beyond else {}
        done = [
            partition
            for partition, position in positions.items()
            if self.left[partition] <= position <= limits.get(partition, position)
        ]
        if done:
            self._consumer.pause(done)
            self.remove(done)

    @property
    def is_done(self) -> bool:
        """True if all partitions are read to their end, or the group assigns no partition to this consumer."""
        return not self.left and (bool(self._consumer.assignment()) or self._consumer.has_empty_assignment())
