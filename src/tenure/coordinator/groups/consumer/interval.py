"""Heartbeat interval of the members of a consumer group. Every answer to a heartbeat contains it (rule 3.7).

Apache Kafka always returns the configured interval, so each step of a rebalance may take that long. A member learns of
the rebalance with its next heartbeat, and gives up partitions. A member that waits for these partitions gets them only
with its own next heartbeat.

Tenure returns the smallest interval that the operator allows (`group.consumer.min.heartbeat.interval.ms`) while a group
moves to a new target or resolves regular expressions. Changes often come in succession. So Tenure also returns the
smallest interval until one configured interval has passed since the last target was computed. In all other cases,
Tenure returns the configured interval.
"""

from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import Now
from tenure.limits.coordinator import HINTED_HEARTBEATS_PER_MS_MAX


def has_just_changed(group: ConsumerGroup, now: Now) -> bool:
    return now.wall_ms - group.assignment_timestamp < group.configs.consumer_heartbeat_interval_ms


def sooner_ms(group: ConsumerGroup, settings: GroupSettings) -> int:
    """Return the heartbeat interval of a group that changes. It is at most the configured interval.

    The interval grows with the number of members, so that the number of heartbeats per second is bounded.
    """
    least_ms = settings.group_consumer_min_heartbeat_interval_ms
    return min(
        max(least_ms, len(group.members) // HINTED_HEARTBEATS_PER_MS_MAX),
        group.configs.consumer_heartbeat_interval_ms,
    )
