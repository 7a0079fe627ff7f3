"""JoinGroup of a classic member to a streams group: an empty group becomes classic; any other refuses (rule 5.2)."""

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.classic.join import join_group
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.logged import group_gone
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def join_streams_group(groups: Groups, ask: AskId, group: StreamsGroup, join: JoinGroup, now: Now) -> CoordinatorResult:
    if group.members:
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, join.member_id)
    result = join_group(groups, ask, join, now)
    return (
        CoordinatorResult([*group_gone(group), *result.records], result.replies, result.effects)
        if result.records
        else result
    )
