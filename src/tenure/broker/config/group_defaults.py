"""Default configs of groups, taken from the broker's settings."""

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.coordinator.groups.configs import GroupConfigs, items


def default_group_configs(settings: Settings) -> GroupConfigs:
    """Return the broker's defaults for the configs of groups."""
    return GroupConfigs(
        group_commit_fencing=settings[keys.GROUP_COMMIT_FENCING],
        group_expected_timeout_ms=settings[keys.GROUP_EXPECTED_TIMEOUT_MS],
        consumer_session_timeout_ms=settings[keys.GROUP_CONSUMER_SESSION_TIMEOUT_MS],
        consumer_heartbeat_interval_ms=settings[keys.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS],
        consumer_assignment_interval_ms=settings[keys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS],
        consumer_assignor_offload_enable=settings[keys.GROUP_CONSUMER_ASSIGNOR_OFFLOAD_ENABLE],
        streams_session_timeout_ms=settings[keys.GROUP_STREAMS_SESSION_TIMEOUT_MS],
        streams_heartbeat_interval_ms=settings[keys.GROUP_STREAMS_HEARTBEAT_INTERVAL_MS],
        streams_assignment_interval_ms=settings[keys.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS],
        streams_assignor_offload_enable=settings[keys.GROUP_STREAMS_ASSIGNOR_OFFLOAD_ENABLE],
        streams_initial_rebalance_delay_ms=settings[keys.GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS],
        streams_num_standby_replicas=settings[keys.GROUP_STREAMS_NUM_STANDBY_REPLICAS],
        streams_task_offset_interval_ms=settings[keys.GROUP_STREAMS_TASK_OFFSET_INTERVAL_MS],
        streams_acceptable_recovery_lag=settings[keys.GROUP_STREAMS_ACCEPTABLE_RECOVERY_LAG],
        streams_rack_aware_assignment_tags=tuple(items(settings[keys.GROUP_STREAMS_RACK_AWARE_ASSIGNMENT_TAGS])),
    )
