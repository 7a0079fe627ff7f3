"""Group coordinator: the shards of `__consumer_offsets`, one per partition, and the partition of each group."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from tenure.broker.coordinators.group_configs import GroupConfigCommands
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.coordinator.groups.commands import TopicsDeleted
from tenure.coordinator.groups.refusals import unavailable
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicName
from tenure.storage.errors import PartitionUnusable, StorageError

log = logging.getLogger("tenure.broker")

GroupsServed = ServedShard[GroupsShard]


class Groups:
    def __init__(self, open_shard: Callable[[Topic, int], GroupsServed], config_commands: GroupConfigCommands) -> None:
        """Create a coordinator without shards.

        `open_shard(topic, partition)` opens the log of a partition, and returns its shard, which is not loaded yet.
        """
        self._open_shard = open_shard
        self._config_commands = config_commands
        self._shards: dict[int, GroupsServed] = {}
        self._topic: Topic
        self._partitions: int

    def set_offsets_topic(self, offsets_topic: Topic) -> None:
        """Store the offsets topic and its number of partitions, which never changes. Call this before any request."""
        self._topic = offsets_topic
        self._partitions = offsets_topic.partitions

    @property
    def active(self) -> list[GroupsServed]:
        return list(self._shards.values())

    def highest_committed(self) -> dict[tuple[TopicName, int], int]:
        """Return, by partition, the highest offset that any group has committed."""
        highest: dict[tuple[TopicName, int], int] = {}
        for shard in self._shards.values():
            for partition, offset in shard.host.shard.committed_offsets():
                highest[partition] = max(offset, highest.get(partition, offset))
        return highest

    def offsets_partition(self, group_id: str) -> tuple[TopicName, PartitionId]:
        """Return the partition of `__consumer_offsets` to which offsets of the group are committed."""
        return CONSUMER_OFFSETS, PartitionId(partition_of(group_id, self._partitions))

    def of(self, group_id: str) -> GroupsServed:
        return self.shard(partition_of(group_id, self._partitions))

    def ask(self, group_id: str, command: object, then: Callable[[Any], None]) -> None:
        partition = partition_of(group_id, self._partitions)
        try:
            shard = self._shards.get(partition) or self.shard(partition)
        except StorageError as error:
            if not isinstance(error, PartitionUnusable):  # already logged when the log was opened
                log.error("requests of group %s are refused, because its log cannot be used: %s", group_id, error)
            then(unavailable(command, ErrorCode.COORDINATOR_NOT_AVAILABLE))
            return
        shard.ask(command, then)

    def shard(self, partition: int) -> GroupsServed:
        """Return the shard of a partition; start it if necessary."""
        shard = self._shards.get(partition)
        if shard is None:
            shard = self._open_shard(self._topic, partition)
            shard.on_loaded = lambda: self._send_configs(partition, shard)
            shard.load()
            self._shards[partition] = shard
        return shard

    def maybe_shard(self, partition: int) -> GroupsServed | None:
        """Return the shard of a partition; None if its log cannot be used.

        The error was logged when the log was opened. Groups of the partition get COORDINATOR_NOT_AVAILABLE.
        """
        try:
            return self.shard(partition)
        except PartitionUnusable:
            return None

    def configure(self, group_id: str, then: Callable[[object], None]) -> None:
        """Send the group's changed configs to its shard, and call `then(answer)`.

        A shard that is not started yet gets the configs when it is loaded. In this case, call `then(None)` at once.
        """
        shard = self._shards.get(partition_of(group_id, self._partitions))
        if shard is None:
            then(None)
        else:
            shard.ask(self._config_commands.changed(group_id), then)

    def maybe_configure_all(self) -> None:
        """Send the broker's defaults, and the configs of all groups, to the shards if the defaults have changed."""
        if not self._config_commands.maybe_reload():
            return
        for partition, shard in self._shards.items():
            shard.when_loaded(partial(self._send_configs, partition, shard))

    def remove_offsets(self, topics: list[TopicName]) -> None:
        """Delete the offsets that groups have committed for deleted topics (rule 6.4.7)."""
        for shard in self._shards.values():
            shard.when_loaded(partial(shard.ask, TopicsDeleted(topics), lambda _: None))

    def _send_configs(self, partition: int, shard: GroupsServed) -> None:
        for command in self._config_commands.at_load(partition, self._partitions):
            shard.ask(command, lambda _: None)
