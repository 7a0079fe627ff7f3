"""ListGroups: the groups of all types in a shard (rule 2.16)."""

from tenure.coordinator.groups.answers import Listed, ListedGroup
from tenure.coordinator.groups.commands import ListGroups
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS


def list_groups(groups: Groups, ask: AskId, wanted: ListGroups, now: Now) -> CoordinatorResult:  # noqa: ARG001
    states = {state.lower() for state in wanted.states}
    types = {kind.lower() for kind in wanted.types}
    every = [
        *(ListedGroup(g.group_id, g.protocol_type or "", g.state.value, CLASSIC) for g in groups.classic.values()),
        *(ListedGroup(g.group_id, CONSUMER, g.state.value, CONSUMER) for g in groups.consumer.values()),
        *(ListedGroup(g.group_id, STREAMS, g.state.value, STREAMS) for g in groups.streams.values()),
    ]
    listed = [
        group
        for group in every
        if (not states or group.state.lower() in states) and (not types or group.group_type in types)
    ]
    return CoordinatorResult((), ((ask, Listed(listed)),))
