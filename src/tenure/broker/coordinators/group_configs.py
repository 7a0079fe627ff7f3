"""Configs of groups, sent to group shards after each load and after each change.

The metadata shard stores the configs; a group shard has them in memory only.
"""

from collections.abc import Callable
from typing import Final

from tenure.broker.config.group_bounds import group_bounds
from tenure.broker.config.group_defaults import default_group_configs
from tenure.broker.config.settings import Settings
from tenure.coordinator.groups.commands import ConfigureDefaults, ConfigureGroup
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.metadata.configs import GROUP_RESOURCE, Configs
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.types import GroupId


class GroupConfigCommands:
    """Factory of commands that send the configs of groups to group shards."""

    def __init__(self, configs: Callable[[], Configs], settings: Settings) -> None:
        self._configs: Final = configs
        self._settings: Final = settings
        self._defaults = default_group_configs(settings)
        self._bounds: Final = group_bounds(settings)
        self._places: dict[str, int] = {}
        """Partition of `__consumer_offsets` by group id: a cache, because each load of a shard looks up all of its
        groups."""

    def maybe_reload(self) -> bool:
        """Read the broker's settings again, and return whether the defaults of groups have changed."""
        before, self._defaults = self._defaults, default_group_configs(self._settings)
        return self._defaults != before

    def changed(self, group_id: str) -> ConfigureGroup:
        return self._command(group_id, at_load=False)

    def at_load(self, partition: int, partitions: int) -> list[ConfigureDefaults | ConfigureGroup]:
        """Return the command with the broker's defaults, and one command for each group with configs in `partition`.

        `partitions` is the number of partitions of `__consumer_offsets`.
        """
        names = self._configs().names(GROUP_RESOURCE)
        of_groups = [self._command(name, at_load=True) for name in names if self._place(name, partitions) == partition]
        return [ConfigureDefaults(self._defaults), *of_groups]

    def _command(self, group_id: str, *, at_load: bool) -> ConfigureGroup:
        configs = group_configs(self._configs().of(GROUP_RESOURCE, group_id), self._defaults, self._bounds)
        return ConfigureGroup(GroupId(group_id), configs, at_load)

    def _place(self, group_id: str, partitions: int) -> int:
        place = self._places.get(group_id)
        if place is None:
            place = self._places[group_id] = partition_of(group_id, partitions)
        return place
