"""Default configs, for groups without configs of their own.

The default configs come from settings of the broker, which clients can change.
"""

from dataclasses import replace

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.commands import ConfigureDefaults
from tenure.coordinator.groups.records import DefaultsConfigured
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now


def configure_defaults(groups: Groups, ask: AskId, configure: ConfigureDefaults, _: Now) -> CoordinatorResult:
    is_new = configure.configs != groups.settings.configs
    return CoordinatorResult([DefaultsConfigured(configure.configs)] if is_new else (), ((ask, ACCEPTED),))


def defaults_configured(groups: Groups, record: DefaultsConfigured) -> None:
    """Replace the default configs. Groups with configs of their own keep them."""
    groups.settings = replace(groups.settings, configs=record.configs)
    for group_id, group in groups.by_id.items():
        if group_id not in groups.configs:
            group.configs = record.configs
