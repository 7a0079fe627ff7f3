"""Answer to DescribeGroups: the description of one classic group (rule 2.16)."""

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import Described, DescribedMember
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import DescribeGroup
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode


def describe_group(_: Groups, ask: AskId, group: AnyGroup | None, __: DescribeGroup, ___: Now) -> CoordinatorResult:
    if not isinstance(group, ClassicGroup) or group.state is State.DEAD:
        return refuse(ask, ErrorCode.GROUP_ID_NOT_FOUND)
    return CoordinatorResult((), ((ask, _described(group)),))


def _described(group: ClassicGroup) -> Described:
    """Return the description of a group with its members.

    The metadata of members is included only while the group is Stable, because otherwise no protocol is selected.
    """
    stable = group.state is State.STABLE
    members = [
        DescribedMember(
            member.member_id,
            member.group_instance_id,
            member.client_id,
            member.client_host,
            member.metadata_for(group.protocol_name) if stable else b"",
            group.assignments.get(member.member_id, b""),
        )
        for member in group.members.values()
    ]
    protocol_name = (group.protocol_name or "") if stable else ""
    return Described(group.group_id, group.state.value, group.protocol_type or "", protocol_name, members)
