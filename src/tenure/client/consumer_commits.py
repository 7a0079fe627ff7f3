"""What a consumer commits: when its user says so, every now and then by itself, and before it gives partitions up."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from tenure.client import group_changes
from tenure.client.cluster import Cluster, check
from tenure.client.consumer_settings import ConsumerSettings
from tenure.client.errors import ClientError, CommitRefused
from tenure.client.positions import Positions
from tenure.client.seat import Seat, now_ms
from tenure.client.values import OffsetAndMetadata, TopicPartition

log: Final = logging.getLogger("tenure.client")


class ConsumerCommits:
    def __init__(self, settings: ConsumerSettings, cluster: Cluster, positions: Positions) -> None:
        self.seat: Seat | None = None
        """Whose commits these are; None for commits from outside the group."""
        self._settings: Final = settings
        self._cluster: Final = cluster
        self._positions: Final = positions
        self._under_way: asyncio.Task[None] | None = None
        """The automatic commit."""
        self._due_ms = now_ms() + (settings.auto_commit_interval_ms or 0)

    def consumed(self) -> dict[TopicPartition, OffsetAndMetadata]:
        """What was handed out so far: the positions of all partitions that have one."""
        return {
            partition: OffsetAndMetadata(offset, leader_epoch=leader_epoch)
            for partition, (offset, leader_epoch) in self._positions.consumed().items()
        }

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """All of them or none. Raises what `Commits.commit_as_now` raises."""
        if self.seat is not None:
            await self.seat.commits.commit_as_now(offsets)
            return
        group_id = self.group_id
        outcome = await group_changes.commit_from_outside(self._cluster, group_id, offsets)
        for partition, error_code in outcome.items():
            check(error_code, f"The commit of group '{group_id}' for {partition} was refused", CommitRefused)

    @property
    def group_id(self) -> str:
        """Raises `ConfigurationError` where there is none."""
        values = self._settings.configuration
        group_id: str = values.required("group.id", "to commit offsets and to read committed ones")
        return group_id

    def now_and_then(self) -> None:
        """The automatic commit of what earlier polls handed out (`enable.auto.commit`). Failures are logged: the next
        one makes good for them."""
        interval_ms = self._settings.auto_commit_interval_ms
        if interval_ms is None or now_ms() < self._due_ms or self._under_way is not None:
            return
        offsets = self.consumed()
        if offsets:
            self._due_ms = now_ms() + interval_ms
            self._under_way = asyncio.get_running_loop().create_task(self.commit(offsets))
            self._under_way.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._under_way = None
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.warning("An automatic commit failed: %s", error)

    async def at_last(self) -> None:
        """Before partitions are given up; in vain is no reason to keep them (rule 7.2.5)."""
        if self._settings.auto_commit_interval_ms is None:
            return
        offsets = self.consumed()
        try:
            if offsets:
                await self.commit(offsets)
        except ClientError as error:
            log.warning("The automatic commit before partitions were given up failed: %s", error)

    def close(self) -> None:
        if self._under_way is not None:
            self._under_way.cancel()
