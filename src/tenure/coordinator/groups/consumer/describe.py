"""Answer to ConsumerGroupDescribe: the description of one consumer group (rule 3.11)."""

from collections.abc import Collection, Mapping, Sequence

from tenure.coordinator.answers import NO_MEMBER_ID, Refused, refuse
from tenure.coordinator.groups.answers import DescribedConsumerGroup, DescribedConsumerMember
from tenure.coordinator.groups.commands import DescribeConsumerGroup
from tenure.coordinator.groups.consumer.assign import preferred_assignor
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicId


def describe_consumer_group(
    groups: Groups, ask: AskId, group: AnyGroup | None, describe: DescribeConsumerGroup, _: Now
) -> CoordinatorResult:
    group_id = describe.group_id
    if not group_id:
        return refuse(ask, ErrorCode.INVALID_GROUP_ID)
    if not isinstance(group, ConsumerGroup):
        why = f"Group {group_id} {'not found' if group is None else 'is not a consumer group'}."
        return CoordinatorResult((), ((ask, Refused(ErrorCode.GROUP_ID_NOT_FOUND, NO_MEMBER_ID, why)),))
    members = group.members.values()
    described = DescribedConsumerGroup(
        group_id,
        group.state.value,
        group.group_epoch,
        group.target_epoch,
        preferred_assignor(members, groups.settings),
        [_member(group, member) for member in members],
    )
    return CoordinatorResult((), ((ask, described),))


def _member(group: ConsumerGroup, member: Member) -> DescribedConsumerMember:
    return DescribedConsumerMember(
        member.member_id,
        member.instance_id,
        member.rack_id,
        member.member_epoch,
        member.client_id,
        member.client_host,
        member.subscribed_topic_names,
        member.subscribed_topic_regex,
        _partitions(member.assigned, member.pending_revocation),
        _partitions(group.target_of(member.member_id)),
        member.classic is not None,
    )


def _partitions(*mappings: Mapping[TopicId, Collection[PartitionId]]) -> Sequence[tuple[TopicId, list[PartitionId]]]:
    """Return partitions by topic. If several mappings are given, their partitions are merged."""
    found: dict[TopicId, list[PartitionId]] = {}
    for topics in mappings:
        for topic_id, partitions in topics.items():
            found.setdefault(topic_id, []).extend(sorted(partitions))
    return list(found.items())
