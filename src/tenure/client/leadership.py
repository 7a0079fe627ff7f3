"""What the leader of a classic group does between its join and its sync (rule 7.5): nothing but functions."""

from collections.abc import Iterable, Mapping, Sequence

from tenure.client.assignment import SubscribedMember, Topic, assign
from tenure.client.subscriptions import holder_of as holder_of
from tenure.client.values import TopicPartition
from tenure.protocol import consumer_protocol
from tenure.protocol.messages import JoinGroupResponseMember, SyncGroupRequestAssignment
from tenure.protocol.types import MemberId, PartitionId, TopicName


def subscribed_members(members: Iterable[JoinGroupResponseMember]) -> list[SubscribedMember]:
    """Raises MalformedMessage when a member's subscription cannot be read."""
    return [
        SubscribedMember(
            member.member_id, member.group_instance_id, consumer_protocol.decode_subscription(member.metadata)
        )
        for member in members
    ]


def subscribed_topics(members: Iterable[SubscribedMember]) -> frozenset[str]:
    return frozenset(topic for member in members for topic in member.subscription.topics)


def assignments(
    protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, Topic]
) -> list[SyncGroupRequestAssignment]:
    """One for every member, also for those that get nothing: Java clients choke on no bytes at all (rule 2.9).

    Raises AssignmentError.
    """
    return [
        SyncGroupRequestAssignment(member_id=MemberId(member_id), assignment=_encoded(partitions_of_topic))
        for member_id, partitions_of_topic in assign(protocol_name, members, topics).items()
    ]


def assigned_partitions(assignment: bytes) -> tuple[TopicPartition, ...]:
    """Raises MalformedMessage when the leader wrote something else than an assignment (rule 7.5.6)."""
    return tuple(
        sorted(
            TopicPartition(of_topic.topic, partition)
            for of_topic in consumer_protocol.decode_assignment(assignment).assigned_partitions
            for partition in of_topic.partitions
        )
    )


def _encoded(partitions_of_topic: Mapping[str, Sequence[int]]) -> bytes:
    assigned = [
        consumer_protocol.TopicPartition(
            topic=TopicName(topic), partitions=[PartitionId(partition) for partition in partitions]
        )
        for topic, partitions in sorted(partitions_of_topic.items())
    ]
    return consumer_protocol.encode_assignment(consumer_protocol.Assignment(assigned_partitions=assigned))
