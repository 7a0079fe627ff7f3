"""Short notations of groups for tests: members by name, topics by keyword."""

from collections.abc import Sequence

from tenure.client.group import assignment, subscriptions
from tenure.client.group.assignment import Assignments
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import InstanceId, MemberId

STICKY = ("sticky", "cooperative-sticky")


def member(
    member_id: str,
    instance_id: str | None,
    *topics: str,
    rack: str | None = None,
    owns: str = "",
    generation: int = -1,
    protocol: str = "cooperative-sticky",
    version: int = 3,
) -> JoinGroupResponseMember:
    """Return a member; `owns="t0 t1 u0"` are its claims, encoded and decoded as on the wire."""
    owned = [TopicPartition(claim[0], int(claim[1:])) for claim in owns.split()]
    subscription = subscriptions.subscription(
        protocol, topics, owned, generation, assigned=owned, rack_id=rack, holder="a test", version=version
    )
    return subscribed(member_id, instance_id, subscription)


def subscribed(member_id: str, instance_id: str | None, subscription: bytes) -> JoinGroupResponseMember:
    instance = None if instance_id is None else InstanceId(instance_id)
    return JoinGroupResponseMember(MemberId(member_id), instance, subscription)


def dynamic(member_id: str, *topics: str) -> JoinGroupResponseMember:
    return member(member_id, None, *topics)


def assign(protocol: str, members: Sequence[JoinGroupResponseMember], **topics: int | list[str]) -> Assignments:
    """Return an assignment; `t=3` is a topic, `t=["x", "yz"]` one with a letter for each replica's rack."""
    known = {
        name: TopicLayout(topic) if isinstance(topic, int) else TopicLayout(len(topic), [set(racks) for racks in topic])
        for name, topic in topics.items()
    }
    return assignment.assign(protocol, members, known)
