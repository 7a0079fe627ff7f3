"""ListGroups: the groups of all types in a shard (rule 2.16)."""

from tenure.coordinator.groups.answers import Listed, ListedGroup
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.commands import ListGroups
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS


def list_groups(groups: Groups, ask: AskId, wanted: ListGroups, now: Now) -> CoordinatorResult:  # noqa: ARG001
    states = {state.lower() for state in wanted.states}
    types = {kind.lower() for kind in wanted.types}
    listed = [
        group
        for group in map(_listed, groups.by_id.values())
        if (not states or group.state.lower() in states) and (not types or group.group_type in types)
    ]
    return CoordinatorResult((), ((ask, Listed(listed)),))


def _listed(group: AnyGroup) -> ListedGroup:
    state = group.state.value
    if isinstance(group, ClassicGroup):
        return ListedGroup(group.group_id, group.protocol_type or "", state, CLASSIC)
    group_type = CONSUMER if isinstance(group, ConsumerGroup) else STREAMS
    return ListedGroup(group.group_id, group_type, state, group_type)
