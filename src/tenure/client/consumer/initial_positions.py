"""Positions at which a consumer begins to read: the committed offset, or the result of `auto.offset.reset`."""

import asyncio
from collections.abc import Mapping
from typing import Final

from tenure.backoff import REQUEST, Backoff
from tenure.client.consumer.consumer_settings import ConsumerSettings
from tenure.client.consumer.positions import Positions
from tenure.client.errors import NoOffset
from tenure.client.net.cluster import Cluster
from tenure.client.queries.group_queries import stable_offsets
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import EARLIEST, LATEST

RESET_TO: Final = {"earliest": EARLIEST, "latest": LATEST}


class InitialPositions:
    """Look-up of the positions of partitions that have none, or whose position is out of range."""

    def __init__(self, settings: ConsumerSettings, cluster: Cluster, positions: Positions) -> None:
        self._settings: Final = settings
        self._cluster: Final = cluster
        self._positions: Final = positions
        self._unstable: set[TopicPartition] = set()
        """Partitions whose committed offset an open transaction may still change. The offset is fetched repeatedly."""
        self._backoff: Final = Backoff(REQUEST)

    def is_unstable(self, partition: TopicPartition) -> bool:
        """Return whether an open transaction may still change the committed offset of a partition."""
        return partition in self._unstable

    @property
    def has_unstable(self) -> bool:
        """True if the last `look_up` has left out partitions with an open transaction."""
        return bool(self._unstable)

    async def look_up(self) -> None:
        """Set all missing positions, except those that an open transaction may still change. Raises `NoOffset`."""
        without_position = self._positions.without_position()
        stuck = self._positions.stuck()
        offsets: dict[TopicPartition, int] = {}
        if not without_position:  # the user may have sought in unstable partitions
            self._unstable = set()
        elif self._settings.group_id is not None:
            committed, self._unstable = await stable_offsets(self._cluster, self._settings.group_id, without_position)
            offsets = {partition: found.offset for partition, found in committed.items()}
        lacking = [
            partition for partition in without_position if partition not in offsets and partition not in self._unstable
        ]
        if lacking or stuck:
            offsets |= await self._reset({**dict.fromkeys(lacking), **stuck})
        for partition, offset in offsets.items():
            reading = self._positions.reading(partition)
            if reading is not None and reading.position == stuck.get(partition):  # the user has not sought meanwhile
                self._positions.set_position(partition, offset)

    async def wait(self) -> None:
        """Wait before the next `look_up` if partitions are unstable. Each wait is longer than the one before."""
        if self._unstable:
            await asyncio.sleep(self._backoff.next_s())
        else:
            self._backoff.reset()

    async def _reset(self, partitions: Mapping[TopicPartition, int | None]) -> dict[TopicPartition, int]:
        """Return the start offset of each partition according to `auto.offset.reset`.

        Args:
            partitions: By partition, the offset that is out of range; None if the partition has no committed offset.

        Raises:
            NoOffset: `auto.offset.reset` is none.
        """
        policy = self._settings.auto_offset_reset
        if policy not in RESET_TO:
            partition, offset = next(iter(partitions.items()))
            problem = f"No committed offset of {partition}" if offset is None else f"No offset {offset} in {partition}"
            raise NoOffset(
                f"{problem}, and 'auto.offset.reset' is 'none': call seek() first.",
                ErrorCode.OFFSET_OUT_OF_RANGE,
            )
        timestamps_ms = dict.fromkeys(partitions, RESET_TO[policy])
        isolation_level = self._settings.fetch.isolation_level
        found = await list_offsets(self._cluster, timestamps_ms, isolation_level=isolation_level)
        return {partition: listed.offset for partition, listed in found.items()}
