"""Answer to StreamsGroupDescribe: the description of one streams group (rule 5.6)."""

from tenure.coordinator.answers import NO_MEMBER_ID, Refused, refuse
from tenure.coordinator.groups.answers import DescribedStreamsGroup
from tenure.coordinator.groups.commands import DescribeStreamsGroup
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def describe_streams_group(
    _: Groups, ask: AskId, group: AnyGroup | None, describe: DescribeStreamsGroup, __: Now
) -> CoordinatorResult:
    group_id = describe.group_id
    if not group_id:
        return refuse(ask, ErrorCode.INVALID_GROUP_ID)
    if not isinstance(group, StreamsGroup):
        why = f"Group {group_id} {'not found' if group is None else 'is not a streams group'}."
        return CoordinatorResult((), ((ask, Refused(ErrorCode.GROUP_ID_NOT_FOUND, NO_MEMBER_ID, why)),))
    described = DescribedStreamsGroup(
        group_id,
        group.state.value,
        group.group_epoch,
        group.target_epoch,
        group.topology,
        group.plan,
        [
            (member, group.target_of(member_id), group.task_offsets.get(member_id, NO_OFFSETS))
            for member_id, member in group.members.items()
        ],
    )
    return CoordinatorResult((), ((ask, described),))
