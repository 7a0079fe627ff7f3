"""When a member of a consumer group speaks again: what its coordinator tells it with every answer (rule 3.7).

Apache Kafka always tells the configured interval, so each step of a rebalance may take one: members hear of it at their
next heartbeat, and who waits for them at the one after. While a group is on its way to a new assignment, or has its
regular expressions resolved, and for one interval after it got one, because changes seldom come alone, we tell the
least that an operator allows (`group.consumer.min.heartbeat.interval.ms`). A group that stands still speaks as seldom
as it is told to.
"""

from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import Now
from tenure.limits import HINTED_HEARTBEATS_PER_MS_MAX


def has_just_changed(group: ConsumerGroup, now: Now) -> bool:
    return now.wall_ms - group.assignment_timestamp < group.configs.consumer_heartbeat_interval_ms


def sooner_ms(group: ConsumerGroup, settings: GroupSettings) -> int:
    """Never later than usual; and a large group's members do not all come at once."""
    least_ms = settings.group_consumer_min_heartbeat_interval_ms
    return min(
        max(least_ms, len(group.members) // HINTED_HEARTBEATS_PER_MS_MAX),
        group.configs.consumer_heartbeat_interval_ms,
    )
