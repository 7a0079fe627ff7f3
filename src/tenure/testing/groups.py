"""State of classic and consumer groups in the coordinator, and actions on their members, for tests."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tenure.coordinator.groups.answers import DescribedConsumerGroup
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.commands import ConsumerHeartbeat, DescribeConsumerGroup, JoinGroup
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import NO_ASK, Now
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.message import MalformedMessage
from tenure.protocol.special_values import CLASSIC, CONSUMER, JOINS, LEAVES_FOR_NOW
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId

Group: TypeAlias = ClassicGroup | ConsumerGroup

CLIENT_ID: Final = "tenure.testing"
CLIENT_HOST: Final = "/127.0.0.1"


class Member(NamedTuple):
    """Member of a group, as the coordinator sees it."""

    member_id: str
    instance_id: str | None
    client_id: str
    partitions: tuple[tuple[str, int], ...]
    """Sorted pairs (topic, partition). In a classic group, empty until the group is stable. In a consumer group,
    including partitions that the member still has to release.
    """


class GroupState(NamedTuple):
    """State of a group in the coordinator, and its members."""

    state: str
    """Kafka's name: Stable, Empty, Dead; PreparingRebalance, CompletingRebalance (classic); Assigning, Reconciling
    (consumer).
    """
    generation: int
    """Generation of a classic group, group epoch of a consumer group: every rebalance increases it."""
    protocol: str | None
    """Name of the assignor."""
    members: tuple[Member, ...]
    type: str | None
    """"classic" or "consumer"; None if there is no group."""


NO_GROUP: Final = GroupState("Dead", 0, None, (), None)


def group_of(shard: GroupsShard, group_id: str) -> Group | None:
    """Return the group; None if there is none."""
    return shard.classic_group(GroupId(group_id)) or shard.consumer_group(GroupId(group_id))


def state_of(shard: GroupsShard, group_id: str, topics: Topics, now: Now) -> GroupState:
    """Return the state of a classic or consumer group."""
    classic = shard.classic_group(GroupId(group_id))
    if classic is not None:
        members = tuple(sorted(_classic_members(classic)))
        return GroupState(classic.state.value, classic.generation_id, classic.protocol_name, members, CLASSIC)
    ((_, found),) = shard.handle(NO_ASK, DescribeConsumerGroup(GroupId(group_id)), now).replies
    if not isinstance(found, DescribedConsumerGroup):
        return NO_GROUP
    members = tuple(
        sorted(
            Member(member.member_id, member.instance_id, member.client_id, tuple(_named_pairs(member.assigned, topics)))
            for member in found.members
        )
    )
    return GroupState(found.state, found.group_epoch, found.assignor if members else None, members, CONSUMER)


def _classic_members(group: ClassicGroup) -> Iterator[Member]:
    for member in group.members.values():
        partitions = _decode(group.assignments.get(member.member_id, b""))
        yield Member(member.member_id, member.group_instance_id, member.client_id, tuple(partitions))


def _decode(assignment: bytes) -> list[tuple[str, int]]:
    try:
        assigned = decode_assignment(assignment).assigned_partitions if assignment else []
    except MalformedMessage:  # a protocol of the user's own
        return []
    return sorted((of_topic.topic, partition) for of_topic in assigned for partition in of_topic.partitions)


def _named_pairs(assigned: Sequence[tuple[TopicId, Sequence[PartitionId]]], topics: Topics) -> list[tuple[str, int]]:
    """Return the assigned partitions as sorted pairs (topic name, partition). Deleted topics are left out."""
    named = [(topics.with_id(topic_id), partitions) for topic_id, partitions in assigned]
    return sorted((topic.name, partition) for topic, numbers in named if topic is not None for partition in numbers)


def only_member(members: Collection[Member], group_id: str, **wanted: str | None) -> Member:
    """Return the only member with the given `member_id`, `instance_id` or `client_id`. Raises LookupError."""
    criteria = {name: value for name, value in wanted.items() if value is not None}
    found = [member for member in members if all(getattr(member, name) == value for name, value in criteria.items())]
    if len(found) != 1:
        all_members = ", ".join(f"{m.client_id}/{m.instance_id or m.member_id}" for m in members) or "none"
        raise LookupError(
            f"{len(found)} members of group '{group_id}' have {criteria}, expected one; all members: {all_members}"
        )
    return found[0]


def takeover(group: Group, member_id: MemberId) -> list[object]:
    """Return the commands with which another application takes over a member's instance id.

    In a consumer group the old member must leave first (rule 3.4), so the first command is a leave heartbeat with its
    member id.
    """
    if isinstance(group, ClassicGroup):
        return [_join(group, member_id)]
    member = group.members[member_id]
    leave = ConsumerHeartbeat(group.group_id, member_id, LEAVES_FOR_NOW, member.instance_id)
    join = ConsumerHeartbeat(
        group_id=group.group_id,
        member_id=MemberId(""),
        member_epoch=JOINS,
        instance_id=member.instance_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        subscribed_topic_names=member.subscribed_topic_names,
        subscribed_topic_regex=member.subscribed_topic_regex or None,
        server_assignor=member.server_assignor,
        owned=(),
        client_id=CLIENT_ID,
        client_host=CLIENT_HOST,
        draws_own_id=False,
    )
    return [leave, join] if member.classic is None and not member.is_away else [join]


def _join(group: ClassicGroup, member_id: MemberId) -> JoinGroup:
    member = group.members[member_id]
    return JoinGroup(
        group_id=group.group_id,
        member_id=MemberId(""),
        group_instance_id=member.group_instance_id,
        client_id=CLIENT_ID,
        client_host=CLIENT_HOST,
        session_timeout_ms=member.session_timeout_ms,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        protocol_type=group.protocol_type or CONSUMER,
        protocols=member.protocols,
    )
