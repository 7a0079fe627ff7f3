"""What a coordinator tells about a group, as one thing whatever its protocol: classic (DescribeGroups) or of KIP-848
(ConsumerGroupDescribe). What only one of the two has is None in the other.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from tenure.client.leadership import assigned_partitions
from tenure.client.subscriptions import holder_of
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import decode_subscription
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import (
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    DescribedGroup,
    DescribedGroupMember,
    DescribedTopicPartitions,
)

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
"""Types of groups, and protocols of members: a consumer group may have members of both (rule 3.9)."""

PROTOCOLS: Final = {0: CLASSIC, 1: CONSUMER}
"""By KIP-1099's numbers; coordinators before Kafka 4.1 do not tell."""


class MemberDescription(NamedTuple):
    group_instance_id: str | None
    member_id: str
    client_id: str
    host: str
    partitions: tuple[TopicPartition, ...]
    topics: tuple[str, ...]
    """What it has subscribed to; of a classic group, known while it is stable."""
    holder: str | None
    """Which process on which host has a static seat, where a member of ours says so; `host` is its first client's."""
    protocol: str | None
    """"classic" or "consumer"; None: the coordinator does not tell."""
    member_epoch: int | None = None
    """-2 of a static member that is away for a while."""
    target: tuple[TopicPartition, ...] | None = None
    """What it is to have once everybody has given up what is others'."""
    topic_regex: str | None = None
    rack_id: str | None = None

    @property
    def name(self) -> str:
        return self.group_instance_id or self.member_id


class GroupDescription(NamedTuple):
    group_id: str
    state: str
    protocol_type: str
    assignor: str
    """Of a classic group, known while it is stable."""
    coordinator: str
    members: tuple[MemberDescription, ...]
    """Static ones first, by instance id."""
    group_type: str = CLASSIC
    group_epoch: int | None = None
    assignment_epoch: int | None = None
    """The epoch of the group for which its target was computed."""


def classic_group(found: DescribedGroup, coordinator: str) -> GroupDescription:
    members = _in_order(map(_classic_member, found.members))
    return GroupDescription(
        found.group_id, found.group_state, found.protocol_type, found.protocol_data, coordinator, members
    )


def consumer_group(found: DescribedConsumerGroup, coordinator: str) -> GroupDescription:
    return GroupDescription(
        found.group_id,
        found.group_state,
        CONSUMER,
        found.assignor_name,
        coordinator,
        _in_order(map(_consumer_member, found.members)),
        CONSUMER,
        found.group_epoch,
        found.assignment_epoch,
    )


def _in_order(members: Iterable[MemberDescription]) -> tuple[MemberDescription, ...]:
    return tuple(sorted(members, key=lambda one: (one.group_instance_id is None, one.name, one.member_id)))


def _classic_member(found: DescribedGroupMember) -> MemberDescription:
    try:
        partitions = assigned_partitions(found.member_assignment)
    except MalformedMessage:  # no bytes before the first sync, or no "consumer" group
        partitions = ()
    return MemberDescription(
        found.group_instance_id,
        found.member_id,
        found.client_id,
        found.client_host.removeprefix("/"),
        partitions,
        _topics(found.member_metadata),
        holder_of(found.member_metadata),
        CLASSIC,
    )


def _consumer_member(found: DescribedConsumerGroupMember) -> MemberDescription:
    return MemberDescription(
        found.instance_id,
        found.member_id,
        found.client_id,
        found.client_host.removeprefix("/"),
        _partitions(found.assignment.topic_partitions),
        tuple(sorted(found.subscribed_topic_names)),
        None,
        PROTOCOLS.get(found.member_type),
        found.member_epoch,
        _partitions(found.target_assignment.topic_partitions),
        found.subscribed_topic_regex or None,
        found.rack_id,
    )


def _partitions(topics: Iterable[DescribedTopicPartitions]) -> tuple[TopicPartition, ...]:
    return tuple(sorted(TopicPartition(topic.topic_name, at) for topic in topics for at in topic.partitions))


def _topics(subscription: bytes) -> tuple[str, ...]:
    try:
        return tuple(sorted(decode_subscription(subscription).topics))
    except MalformedMessage:  # hidden while the group is not stable, or no "consumer" group
        return ()
