"""Reactions to changed configs of a consumer group.

Members get changed timeouts with their next heartbeats. A requested rebalance raises the group epoch, so that the next
heartbeat computes a new target.
"""

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.commands import ConfigureGroup
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.records import EpochBumped, GroupConfigured
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now


def configure_consumer_group(
    _: Groups, ask: AskId, group: ConsumerGroup, configure: ConfigureGroup, __: Now
) -> CoordinatorResult:
    group_id, before, after = group.group_id, group.configs, configure.configs
    records: list[object] = [GroupConfigured(group_id, after)]
    is_new_interval = not configure.at_load and after.group_rebalance_counter != before.group_rebalance_counter
    if is_new_interval and group.members:
        records.append(EpochBumped(group_id, Why(Cause.REQUESTED)))
        records.append(logged.group_epoch(group_id, group.group_epoch + 1, group.metadata_hash))
    return CoordinatorResult(records, ((ask, ACCEPTED),))
