"""What the leader of a classic group does between its join and its sync (rule 7.5): nothing but functions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.assignors.members import AssignArrays, SubscribedMember, assign_by_name
from tenure.client.values import TopicPartition
from tenure.protocol import consumer_protocol
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import JoinGroupResponseMember, SyncGroupRequestAssignment
from tenure.protocol.types import MemberId, PartitionId, TopicName

HOLDER_PREFIX: Final = b"held by "


def subscription(topics: Sequence[str], holder: str = "") -> bytes:
    """What an eager member says of itself: it owns nothing any more when it joins (rule 7.4).

    The range assignor has no use for user data; ours says who holds the seat, because the coordinator goes on naming
    the client and the host that took a static seat first (rule 2.6.2), while it keeps the newest subscription.
    """
    return consumer_protocol.encode_subscription(
        consumer_protocol.Subscription(
            topics=[TopicName(topic) for topic in sorted(topics)],
            user_data=HOLDER_PREFIX + holder.encode() if holder else None,
        )
    )


def holder_of(subscription: bytes) -> str | None:
    """Who holds the seat that this subscription is of; None for a member of another make."""
    try:
        user_data = consumer_protocol.decode_subscription(subscription).user_data or b""
    except MalformedMessage:
        return None
    return (
        user_data.removeprefix(HOLDER_PREFIX).decode(errors="replace") if user_data.startswith(HOLDER_PREFIX) else None
    )


def subscribed_members(members: Iterable[JoinGroupResponseMember]) -> list[SubscribedMember]:
    """Raises MalformedMessage when a member's subscription cannot be read."""
    return [
        SubscribedMember(
            member.member_id, member.group_instance_id, consumer_protocol.decode_subscription(member.metadata).topics
        )
        for member in members
    ]


def subscribed_topics(members: Iterable[SubscribedMember]) -> frozenset[str]:
    return frozenset(topic for member in members for topic in member.topics)


def assignments(
    assign: AssignArrays, members: Sequence[SubscribedMember], partition_counts: Mapping[str, int]
) -> list[SyncGroupRequestAssignment]:
    """One for every member, also for those that get nothing: Java clients choke on no bytes at all (rule 2.9)."""
    return [
        SyncGroupRequestAssignment(member_id=MemberId(member_id), assignment=_encoded(partitions_of_topic))
        for member_id, partitions_of_topic in assign_by_name(assign, members, partition_counts).items()
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
