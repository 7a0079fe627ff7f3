"""Logs of all partitions, by topic and partition. A log is opened on first use.

After an unclean stop all logs are opened at the start (`recover`): each one must be truncated to its valid part before
it is read or written, and must begin a new leader epoch, unless it is empty and has lost nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.config.topic_settings import log_settings
from tenure.broker.logs.cleaner import Cleaner
from tenure.broker.logs.served_log import ServedLog, log_losses
from tenure.broker.logs.storage_codes import LOG_ERRORS
from tenure.broker.loop.threads import Threads
from tenure.config_keys import INT32_MAX
from tenure.coordinator.metadata.topic_names import CLUSTER_METADATA, COORDINATOR_TOPICS, INTERNAL_TOPICS
from tenure.limits.broker import READER_THREADS, RECORDS_LOST_MAX, RECOVERY_THREADS
from tenure.protocol.types import PartitionId, TopicId, TopicName
from tenure.storage.data_directory import DataDirectory, partition_directory, topic_and_partition
from tenure.storage.errors import PartitionUnusable, StorageError
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.sync_pool import SyncPool

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic, Topics

log = logging.getLogger("tenure.broker")

T = TypeVar("T")

SETTLE_POLL_S: Final = 0.002

PartitionName = tuple[TopicName, int]


class Logs:
    def __init__(
        self,
        directory: DataDirectory,
        settings: Settings,
        loop: asyncio.AbstractEventLoop,
        recorded_epochs: Callable[[], Mapping[tuple[TopicId, PartitionId], int]],
    ) -> None:
        """Find the logs in the data directory, without opening them.

        `recorded_epochs()` returns the leader epochs above 0 in the metadata log.
        """
        self._directory = directory
        self._settings = settings
        self._loop = loop
        self._recorded_epochs: Final = recorded_epochs
        self._sync_pool = SyncPool(settings[keys.SYNC_THREADS])
        self._open: dict[PartitionName, ServedLog] = {}
        self._found: Final = self.stored()
        """Logs that existed at the start. Invariant: each log is in here, or in `_open`, or was never used."""
        self._unusable: Final[dict[PartitionName, PartitionUnusable]] = {}
        """Partitions that cannot be used until the process ends.

        A log that is repaired while the process runs stays unusable, because it was not recovered at the start.
        """
        self._cleaner = Cleaner(directory, settings, lambda: list(self._open.values()))
        self._loader: Final = Threads(loop, 1, "loader")
        self._readers: Final = Threads(loop, READER_THREADS, "reader")

    def of(self, topic: "Topic", partition: int, *, syncs: bool = True) -> ServedLog:
        """Return the log of an existing partition; open it if necessary. Raises the errors of `storage`.

        If `syncs` is false, the caller must call `make_safe` of the partition before the log is used.
        """
        found = self._open.get((topic.name, partition))
        if found is None:
            internal = topic.name in COORDINATOR_TOPICS
            found = self._opened(
                (topic.name, partition), self._settings_of(topic), topic.topic_id, internal=internal, syncs=syncs
            )
            recorded = self._recorded_epoch(topic, partition)
            # Clients may know the recorded epoch.
            if found.partition.leader_epoch < recorded:
                found.partition.begin_leader_epoch(recorded, syncs=syncs)
        return found

    def _recorded_epoch(self, topic: "Topic", partition: int) -> int:
        return self._recorded_epochs().get((topic.topic_id, PartitionId(partition)), 0)

    def reconfigure(self, topic: "Topic") -> None:
        """Apply changed settings of a topic to its open logs. Other logs read the settings when they are opened."""
        settings = self._settings_of(topic)
        for partition in range(topic.partitions):
            served = self._open.get((topic.name, partition))
            if served is not None:
                served.partition.settings = settings

    def _settings_of(self, topic: "Topic") -> LogSettings:
        settings = log_settings(self._settings, topic.configs)
        if topic.name in INTERNAL_TOPICS:  # a turn's records form one batch, which must not be refused
            settings = settings._replace(max_message_bytes=INT32_MAX)
        if topic.name in COORDINATOR_TOPICS:  # retention would delete state that the coordinator still needs
            settings = settings._replace(deletes=False)
        return settings

    def of_metadata(self) -> ServedLog:
        """Return the metadata log.

        If the metadata log is damaged, the broker does not start. If it started, topics would be missing, and
        `set_strays_aside` would rename their logs.
        """
        settings = LogSettings(max_message_bytes=INT32_MAX, deletes=False)
        return self._opened((CLUSTER_METADATA, 0), settings, None, internal=True, may_set_aside=False)

    def _opened(
        self,
        name: PartitionName,
        settings: LogSettings,
        topic_id: TopicId | None,
        *,
        internal: bool,
        may_set_aside: bool = True,
        syncs: bool = True,
    ) -> ServedLog:
        if name in self._unusable:
            raise PartitionUnusable(str(self._unusable[name]))
        durability = self._settings[keys.COORDINATOR_DURABILITY if internal else keys.DATA_DURABILITY]
        try:
            partition = Partition.open(
                self._directory,
                partition_directory(*name),
                settings,
                durability=Durability(durability),
                topic_id=topic_id,
                may_set_aside=may_set_aside,
                syncs=syncs,
            )
        except PartitionUnusable as error:
            log.error("partition %s-%d is not served: %s", *name, error)
            self._unusable[name] = error
            raise
        log_losses(partition.name, partition.truncation, partition.damages)
        served = self._open[name] = ServedLog(partition, self._loop, self._sync_pool, may_set_aside=may_set_aside)
        return served

    def on_loader(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """Run `work` on the loader thread, which replays the logs of shards. The thread runs one task at a time."""
        return self._loader.run(work)

    def on_reader(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """Run `work`, which reads from the disk, on one of the reader threads."""
        return self._readers.run(work)

    @property
    def open(self) -> Mapping[PartitionName, ServedLog]:
        return self._open

    @property
    def directory(self) -> DataDirectory:
        return self._directory

    def size_bytes(self, name: PartitionName) -> int:
        """Return the size of a log on the disk; 0 if it was never used. The log need not be open."""
        served = self._open.get(name)
        if served is not None:
            return served.partition.size_bytes
        return self._directory.log_bytes(partition_directory(*name)) if name in self._found else 0

    @property
    def unusable(self) -> list[str]:
        """Names of partitions that are not served, because their files contradict the broker's metadata."""
        return [partition_directory(*name) for name in self._unusable]

    @property
    def syncs(self) -> SyncPool:
        return self._sync_pool

    def leader_epoch(self, topic: "Topic", partition: int) -> int:
        """Return the leader epoch of a partition; -1 if its log cannot be opened.

        For a log that was never used, return the epoch in the metadata log, without creating files for the log.
        """
        if (topic.name, partition) not in self._open and (topic.name, partition) not in self._found:
            return self._recorded_epoch(topic, partition)
        try:
            return self.of(topic, partition).partition.leader_epoch
        except StorageError:
            return -1

    # --- contents of the directory ------------------------------------------------------------------------------------

    def stored(self) -> set[PartitionName]:
        names = map(topic_and_partition, self._directory.partition_directories())
        return {(TopicName(topic), partition) for topic, partition in names if topic != CLUSTER_METADATA}

    def set_strays_aside(self, topics: "Topics") -> None:
        """Rename the logs whose topics do not exist.

        Either a crash has interrupted a deletion, or metadata were lost. The two cases look alike, so nothing is
        deleted. Kafka renames such logs, too.
        """
        for name in sorted(self.stored()):
            topic = topics.named(name[0])
            if topic is None or name[1] >= topic.partitions:
                directory = partition_directory(*name)
                aside = self._directory.set_aside(directory)
                log.warning(
                    "partition directory %s belongs to no topic: renamed to %s; delete it if its records are not"
                    " needed",
                    directory,
                    aside,
                )

    def recover(self, topics: "Topics", committed: Mapping[PartitionName, int]) -> None:
        """Recover all logs after an unclean stop, so that no acknowledged offset is used again for another record.

        If the end of a log was lost, its new leader epoch begins after the highest offset that any group has committed.
        So a committed offset never refers to other records than those that the group has read.

        The broker serves no request before the recovery ends, so each log is synced only once. Several threads sync
        logs at the same time, because a file system then writes these logs together.
        """
        stored = self.stored()
        changed: list[Partition] = []
        for name in sorted(stored | committed.keys()):
            topic = topics.named(name[0])
            if topic is None or name[1] >= topic.partitions:
                continue
            try:
                partition = self.of(topic, name[1], syncs=False).partition
            except PartitionUnusable:
                continue
            was_there = name in stored
            start_offset = self._offset_to_continue_at(partition, committed.get(name, 0), was_there=was_there)
            may_have_lost_all = self._may_have_lost(partition, 0, was_there=was_there)
            if partition.log_end_offset or start_offset or may_have_lost_all:
                partition.begin_leader_epoch(start_offset=start_offset, syncs=False)
            if partition.log_end_offset or partition.leader_epoch:
                changed.append(partition)
        with ThreadPoolExecutor(RECOVERY_THREADS, "recovery") as threads:
            for _ in threads.map(Partition.make_safe, changed):
                pass

    def _offset_to_continue_at(self, partition: Partition, committed_offset: int, *, was_there: bool) -> int:
        """Return the lowest offset that the next record may have; 0 without a limit.

        The limit is `committed_offset`, the highest that any group has committed. It does not apply if the log ends
        before it, although no crash can have removed records: then a client has committed an offset that never existed.
        `was_there` is true if the directory of the partition existed at the start.
        """
        if committed_offset <= partition.log_end_offset:
            return committed_offset
        if not self._may_have_lost(partition, committed_offset, was_there=was_there):
            log.warning(
                "partition %s ends at offset %d, but a group has committed offset %d. No crash can have removed "
                "records, so a client has committed an offset that never existed; the next record gets offset %d",
                partition.name,
                partition.log_end_offset,
                committed_offset,
                partition.log_end_offset,
            )
            return 0
        log.warning(
            "partition %s ends at offset %d, but a group has committed offset %d: a crash may have removed the "
            "records between these offsets, and the next record that is written gets the committed offset",
            partition.name,
            partition.log_end_offset,
            committed_offset,
        )
        return committed_offset

    def _may_have_lost(self, partition: Partition, until: int, *, was_there: bool) -> bool:
        """Return whether a crash may have removed records from the end of the log, up to offset `until`.

        If `until` is 0, return whether a crash may have removed any records of the log. `was_there` is true if the
        directory of the partition existed at the start.

        A crash removes records only if the machine crashed before they were synced, or if files are damaged.
        """
        if until - partition.log_end_offset > RECORDS_LOST_MAX:
            return False
        has_damage = partition.truncation is not None or self._directory.inventory_damage is not None
        return not self._directory.is_same_boot or has_damage or not was_there

    # --- deletion and closing -----------------------------------------------------------------------------------------

    def delete(self, topic: "Topic") -> None:
        with suppress(OSError):  # each partition tries again by itself
            self._directory.inventory.remove_partitions(
                partition_directory(topic.name, partition) for partition in range(topic.partitions)
            )
        for partition in range(topic.partitions):
            name = (topic.name, partition)
            if name in self._open or name in self._found:
                self._delete(topic, partition)
            self._found.discard(name)
        try:
            self._directory.sync()
        except OSError as error:
            log.error(
                "topic %s was deleted, but its directories may exist again after a crash of the machine, because the"
                " data directory could not be synced: %s",
                topic.name,
                error,
            )

    def _delete(self, topic: "Topic", partition: int) -> None:
        """Delete the log of a partition. An error is only logged, because the topic is deleted already."""
        try:
            self.of(topic, partition).close_for_good()
            self._open.pop((topic.name, partition)).partition.delete()
            self._cleaner.forget(partition_directory(topic.name, partition))
        except (*LOG_ERRORS, OSError) as error:
            directory = partition_directory(topic.name, partition)
            log.error(
                "partition directory %s could not be deleted; the next start of the broker sets it aside, as "
                "*-stray: %s",
                directory,
                error,
            )

    def enforce_retention(self, topic: "Topic", partition: int, wall_ms: int) -> None:
        """Delete segments of a partition by retention.

        An error is only logged, so that other logs are still processed.
        """
        try:
            removed = self.of(topic, partition).partition.enforce_retention(wall_ms)
        except LOG_ERRORS as error:
            log.error(
                "partition %s-%d: old segments could not be deleted (retention), the broker will retry: %s",
                topic.name,
                partition,
                error,
            )
            return
        if removed:
            log.info("partition %s-%d: removed %d segments (retention)", topic.name, partition, removed)

    async def wait_until_synced(self, timeout_s: float) -> None:
        """Wait until no sync is pending, at most for `timeout_s`."""
        deadline_s = self._loop.time() + timeout_s
        while any(served.is_waited_for for served in self._open.values()) and self._loop.time() < deadline_s:
            await asyncio.sleep(SETTLE_POLL_S)

    def close(self) -> bool:
        """Sync and close all logs. Return False if that has failed for a log, so that the next start recovers it."""
        self._cleaner.stop()
        self._loader.close()
        self._readers.close()
        self._sync_pool.close()
        clean = True
        for served in self._open.values():
            try:
                served.partition.close()
            except StorageError as error:
                log.error(
                    "partition %s: its log could not be closed cleanly, so the next start recovers it: %s",
                    served.partition.name,
                    error,
                )
                clean = False
        return clean
