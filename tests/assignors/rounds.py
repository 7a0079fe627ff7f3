"""Rounds of a cooperative group after an assignment: revoke and join again until nothing changes."""

from tenure.client.group.assignment import Assignments, assign
from tenure.protocol.consumer_protocol import Subscription, decode_subscription, encode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import GenerationId, PartitionId, TopicName
from tests.assignors.cases import Case
from tests.assignors.groups import subscribed

ROUNDS_MAX = 8


def settled(case: Case) -> Assignments:
    """Return the assignments of a cooperative group after all members have revoked partitions."""
    before, members = assign(case.protocol, case.members, case.topics), case.members
    if case.protocol != "cooperative-sticky":
        return before
    for generation in range(1_000, 1_000 + ROUNDS_MAX):
        members = [with_claims(member, before[member.member_id], generation) for member in members]
        after = assign(case.protocol, members, case.topics)
        if after == before:
            return after
        before = after
    raise AssertionError(f"not settled after {ROUNDS_MAX} rounds: {case.line}")


def with_claims(
    member: JoinGroupResponseMember, owned: dict[str, list[int]], generation: int
) -> JoinGroupResponseMember:
    before = decode_subscription(member.metadata)
    subscription = Subscription(
        topics=before.topics,
        owned_partitions=[OfTopic(TopicName(topic), list(map(PartitionId, owned[topic]))) for topic in owned],
        generation_id=GenerationId(generation),
        rack_id=before.rack_id,
    )
    return subscribed(member.member_id, member.group_instance_id, encode_subscription(subscription))
