"""Reactions to changed configs of a streams group. Members get the new values with their next heartbeats.

A changed number of standby replicas leads to a new assignment with the next heartbeat (rule 5.2, point 6). A requested
rebalance raises the group epoch.
"""

from tenure.coordinator.answers import ACCEPTED
from tenure.coordinator.groups.commands import ConfigureGroup
from tenure.coordinator.groups.records import GroupConfigured
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams import logged
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.shard import AskId, CoordinatorResult, Now


def configure_streams_group(
    _: Groups, ask: AskId, group: StreamsGroup, configure: ConfigureGroup, __: Now
) -> CoordinatorResult:
    before, after = group.configs, configure.configs
    records: list[object] = [GroupConfigured(group.group_id, after)]
    is_new_interval = not configure.at_load and after.group_rebalance_counter != before.group_rebalance_counter
    if is_new_interval and group.members:
        records.append(logged.next_epoch(group))
    return CoordinatorResult(records, ((ask, ACCEPTED),))
