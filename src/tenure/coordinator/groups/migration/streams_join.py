"""JoinGroup of a classic member to a streams group: an empty group becomes classic; any other refuses (rule 5.2)."""

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.classic.join import join_group
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.logged import group_gone
from tenure.coordinator.shard import AskId, Now, Step
from tenure.protocol.errors import ErrorCode


def join_streams_group(groups: Groups, ask: AskId, group: StreamsGroup, join: JoinGroup, now: Now) -> Step:
    if group.members:
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, join.member_id)
    step = join_group(groups, ask, join, now)
    return Step([*group_gone(group), *step.records], step.replies, step.effects) if step.records else step
