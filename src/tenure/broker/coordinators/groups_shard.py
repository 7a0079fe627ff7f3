"""Factory of the shards of `__consumer_offsets`."""

import os
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.group_defaults import default_group_configs
from tenure.broker.config.server_assignors import server_assignors
from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.coordinators.group_log_lines import LoggingGroupsCodec
from tenure.broker.coordinators.groups import GroupsServed
from tenure.broker.coordinators.journal import Journal
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic
from tenure.runtime.host import Host


class GroupsShards:
    """Factory of the shards of `__consumer_offsets`, with the settings, journal and codec that they share."""

    def __init__(self, context: CoordinatorContext) -> None:
        """Read the settings of groups. Raises StartError if one is invalid."""
        settings = context.settings
        assignors, own_assignors = server_assignors(settings[keys.GROUP_CONSUMER_ASSIGNORS])
        self.settings: Final = GroupSettings(
            group_min_session_timeout_ms=settings[keys.GROUP_MIN_SESSION_TIMEOUT_MS],
            group_max_session_timeout_ms=settings[keys.GROUP_MAX_SESSION_TIMEOUT_MS],
            group_initial_rebalance_delay_ms=settings[keys.GROUP_INITIAL_REBALANCE_DELAY_MS],
            group_max_size=settings[keys.GROUP_MAX_SIZE],
            group_consumer_max_size=settings[keys.GROUP_CONSUMER_MAX_SIZE],
            group_streams_max_size=settings[keys.GROUP_STREAMS_MAX_SIZE],
            group_consumer_assignors=assignors,
            own_assignors=own_assignors,
            group_consumer_regex_refresh_interval_ms=settings[keys.GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS],
            group_consumer_migration_policy=settings[keys.GROUP_CONSUMER_MIGRATION_POLICY],
            offset_metadata_max_bytes=settings[keys.OFFSET_METADATA_MAX_BYTES],
            offsets_retention_minutes=settings[keys.OFFSETS_RETENTION_MINUTES],
            offsets_retention_check_interval_ms=settings[keys.OFFSETS_RETENTION_CHECK_INTERVAL_MS],
            configs=default_group_configs(settings),
            group_consumer_min_heartbeat_interval_ms=settings[keys.GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS],
        )
        self.journal: Final = Journal(context)
        self._context: Final = context
        self._codec: Final = LoggingGroupsCodec()

    def open_shard(self, offsets_topic: Topic, partition: int) -> GroupsServed:
        """Open the log of a partition, and return its shard, which is not loaded yet.

        Raises the errors of `storage`.
        """
        context = self._context

        def new_shard() -> GroupsShard:
            listener = self.journal.listener(lambda command, then: served.ask(command, then))
            return GroupsShard(self.settings, os.urandom, listener, lambda: context.topics)

        served: GroupsServed = ServedShard(
            f"the groups of {offsets_topic.name}-{partition}",
            Host(new_shard, self._codec),
            context.logs.of(offsets_topic, partition),
            context.turn,
            context.logs.on_loader,
            context.effects,
        )
        return served
