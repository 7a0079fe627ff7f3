"""Offset commits of a consumer: explicit, automatic, and before a revocation."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from tenure.client.consumer.consumer_settings import ConsumerSettings
from tenure.client.consumer.positions import Positions
from tenure.client.errors import ClientError, CommitRefused, RebalanceInProgress, StaleIdentity
from tenure.client.group.membership_runner import MembershipRunner, now_ms
from tenure.client.net.cluster import Cluster, check
from tenure.client.queries import group_changes
from tenure.client.values import Event, OffsetAndMetadata, TopicPartition

log: Final = logging.getLogger("tenure.client")


class ConsumerCommits:
    """Explicit and automatic commits of one consumer."""

    def __init__(self, settings: ConsumerSettings, cluster: Cluster, positions: Positions) -> None:
        self.membership: MembershipRunner[Event] | None = None
        """Membership whose identity the commits carry; None for manually assigned partitions."""
        self._settings: Final = settings
        self._cluster: Final = cluster
        self._positions: Final = positions
        self._under_way: asyncio.Task[None] | None = None
        """The automatic commit in flight."""
        self._due_ms = now_ms() + (settings.auto_commit_interval_ms or 0)

    def consumed(self) -> dict[TopicPartition, OffsetAndMetadata]:
        """Return the offsets to commit: the position of each partition that has a position."""
        return {
            partition: OffsetAndMetadata(offset, leader_epoch=leader_epoch)
            for partition, (offset, leader_epoch) in self._positions.consumed().items()
        }

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Commit all offsets, or none if a partition is no longer owned.

        Without a membership, ownership is not checked, and some offsets may be committed although others were refused.

        Raises the errors of `CommitQueue.commit_owned` with `all_or_none`.
        """
        if self.membership is None:
            await self._commit_from_outside(offsets)
        else:
            commits = self.membership.commits
            await commits.commit_owned(offsets, commits.ownership_ids, all_or_none=True, waits_for_revocation=False)
        self._positions.store_committed(offsets)

    async def commit_owned(self) -> frozenset[TopicPartition]:
        """Commit the positions of the partitions that are still owned. See `Consumer.commit_owned`."""
        consumed = self.consumed()
        offsets = {partition: consumed[partition] for partition in self._positions.uncommitted()}
        try:
            owned = await self._commit_owned(offsets) if offsets else frozenset()
        except (StaleIdentity, RebalanceInProgress):
            owned = frozenset()
        self._positions.store_committed({partition: offsets[partition] for partition in owned})
        return owned.union(consumed.keys() - offsets.keys())

    async def _commit_owned(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> frozenset[TopicPartition]:
        if self.membership is None:
            await self._commit_from_outside(offsets)
            return frozenset(offsets)
        ownership_ids = self._positions.ownership_ids()
        return await self.membership.commits.commit_owned(offsets, ownership_ids, waits_for_revocation=False)

    async def _commit_from_outside(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        group_id = self.group_id
        outcome = await group_changes.commit_from_outside(self._cluster, group_id, offsets)
        for partition, error_code in outcome.items():
            check(error_code, f"Commit of group '{group_id}' for {partition} was rejected", CommitRefused)

    @property
    def group_id(self) -> str:
        """Group id. Raises `ConfigurationError` if `group.id` is not set."""
        values = self._settings.configuration
        group_id: str = values.required("group.id", "to commit offsets and to read committed ones")
        return group_id

    def commit_if_due(self) -> None:
        """Start an automatic commit of the positions if `auto.commit.interval.ms` has passed since the last one.

        An error of the commit is only logged, because the next automatic commit includes its offsets.
        """
        interval_ms = self._settings.auto_commit_interval_ms
        if interval_ms is None or now_ms() < self._due_ms or self._under_way is not None:
            return
        offsets = self.consumed()
        if offsets:
            self._due_ms = now_ms() + interval_ms
            self._under_way = asyncio.get_running_loop().create_task(self.commit(offsets))
            self._under_way.add_done_callback(self._handle_commit_end)

    def _handle_commit_end(self, task: "asyncio.Task[None]") -> None:
        self._under_way = None
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.warning(
                "group %s: automatic commit failed; the next automatic commit includes the same partitions: %s",
                self.group_id,
                error,
            )

    async def commit_before_revocation(self) -> None:
        """Commit before a revocation if auto commit is on. An error is only logged (rule 7.2.5)."""
        if self._settings.auto_commit_interval_ms is None:
            return
        offsets = self.consumed()
        try:
            if offsets:
                await self.commit(offsets)
        except ClientError as error:
            log.warning(
                "group %s: automatic commit before a revocation failed; the next owners of the partitions may read"
                " records again: %s",
                self.group_id,
                error,
            )

    def close(self) -> None:
        """Cancel the automatic commit in flight."""
        if self._under_way is not None:
            self._under_way.cancel()
