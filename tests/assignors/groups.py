"""Short notations of groups for tests: members by name, topics by keyword."""

from collections.abc import Mapping, Sequence

from tenure.client.group import assignment, subscriptions
from tenure.client.group.assignment import SubscribedMember
from tenure.client.group.memberships import leader
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import InstanceId, MemberId

STICKY = ("sticky", "cooperative-sticky")

Assignments = dict[str, dict[str, list[int]]]
"""Partitions by member id and topic, ascending. Contains every member."""


def member(
    member_id: str,
    instance_id: str | None,
    *topics: str,
    rack: str | None = None,
    owns: str = "",
    generation: int = -1,
    protocol: str = "cooperative-sticky",
    version: int = 3,
) -> SubscribedMember:
    """Return a member; `owns="t0 t1 u0"` are its claims, encoded and decoded as on the wire."""
    owned = [TopicPartition(told[0], int(told[1:])) for told in owns.split()]
    told = subscriptions.subscription(
        protocol, topics, owned, generation, assigned=owned, rack_id=rack, holder="a test", version=version
    )
    return subscribed(member_id, instance_id, told)


def subscribed(member_id: str, instance_id: str | None, subscription: bytes) -> SubscribedMember:
    instance = None if instance_id is None else InstanceId(instance_id)
    (found,) = leader.subscribed_members([JoinGroupResponseMember(MemberId(member_id), instance, subscription)])
    return found


def dynamic(member_id: str, *topics: str) -> SubscribedMember:
    return member(member_id, None, *topics)


def assign(protocol: str, members: Sequence[SubscribedMember], **topics: int | list[str]) -> Assignments:
    """Return an assignment; `t=3` is a topic, `t=["x", "yz"]` one with a letter for each replica's rack."""
    known = {
        name: TopicLayout(told) if isinstance(told, int) else TopicLayout(len(told), [set(racks) for racks in told])
        for name, told in topics.items()
    }
    return assigned(protocol, members, known)


def assigned(protocol: str, members: Sequence[SubscribedMember], topics: Mapping[str, TopicLayout]) -> Assignments:
    found = assignment.assign(protocol, members, leader.claims_of(protocol, members), topics)
    return {
        member_id: {
            of.topic: [int(number) for number in of.partitions] for of in decode_assignment(encoded).assigned_partitions
        }
        for member_id, encoded in found
    }
