"""Settings of groups, with Kafka's keys and defaults (rule 2.19)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tenure.coordinator.groups.configs import GroupConfigs

MIGRATION_POLICIES: Final = ("bidirectional", "upgrade", "downgrade", "disabled")


@dataclass(slots=True, frozen=True)
class GroupSettings:
    """Settings of groups. Each field is named after a key of Kafka, with underscores for dots."""

    group_min_session_timeout_ms: int = 6_000
    group_max_session_timeout_ms: int = 1_800_000
    group_initial_rebalance_delay_ms: int = 3_000
    group_max_size: int = 2**31 - 1
    group_consumer_max_size: int = 2**31 - 1
    group_consumer_min_heartbeat_interval_ms: int = 5_000
    """Heartbeat interval in ms while a group moves to a new target (see `consumer/interval.py`)."""
    group_consumer_assignors: tuple[str, ...] = ("uniform", "range")
    """Enabled assignors. The first one applies if no member names one."""
    own_assignors: Mapping[str, object] = field(default_factory=dict)
    """User-defined assignors by name; each is a `ServerAssignor`."""
    group_consumer_migration_policy: str = "bidirectional"
    """One of MIGRATION_POLICIES: the directions in which a group with members may be converted (rule 3.9)."""
    group_consumer_regex_refresh_interval_ms: int = 600_000
    group_streams_max_size: int = 2**31 - 1
    offset_metadata_max_bytes: int = 4_096
    configs: GroupConfigs = field(default_factory=GroupConfigs)
    """Default configs, for groups without configs of their own."""
    offsets_retention_minutes: int = 10_080
    offsets_retention_check_interval_ms: int = 600_000

    def allows_session_timeout(self, timeout_ms: int) -> bool:
        return self.group_min_session_timeout_ms <= timeout_ms <= self.group_max_session_timeout_ms

    @property
    def upgrades(self) -> bool:
        """True if a classic group becomes a consumer group when a member of the consumer protocol joins."""
        return self.group_consumer_migration_policy in ("bidirectional", "upgrade")

    @property
    def downgrades(self) -> bool:
        """True if a consumer group becomes a classic group when its last member of the consumer protocol has left."""
        return self.group_consumer_migration_policy in ("bidirectional", "downgrade")
