"""Configs of groups that have none of their own, from the broker's settings."""

from tenure.broker.config import keys
from tenure.broker.config.keys import Settings
from tenure.coordinator.groups.configs import GroupConfigs


def default_group_configs(settings: Settings) -> GroupConfigs:
    """Return the configs of a group that has none of its own."""
    return GroupConfigs(
        group_commit_fencing=settings[keys.GROUP_COMMIT_FENCING],
        group_expected_timeout_ms=settings[keys.GROUP_EXPECTED_TIMEOUT_MS],
        consumer_session_timeout_ms=settings[keys.GROUP_CONSUMER_SESSION_TIMEOUT_MS],
        consumer_heartbeat_interval_ms=settings[keys.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS],
        consumer_assignment_interval_ms=settings[keys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS],
    )
