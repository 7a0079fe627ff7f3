"""Short notations of groups for tests: members by name, topics by keyword."""

from collections.abc import Sequence

from tenure.client.group import assignment, subscriptions
from tenure.client.group.assignment import Assignments, SubscribedMember
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.consumer_protocol import decode_subscription

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
) -> SubscribedMember:
    """Return a member; `owns="t0 t1 u0"` are its claims, encoded and decoded as on the wire."""
    owned = [TopicPartition(told[0], int(told[1:])) for told in owns.split()]
    told = subscriptions.subscription(
        protocol, topics, owned, generation, assigned=owned, rack_id=rack, holder="a test", version=version
    )
    return SubscribedMember(member_id, instance_id, decode_subscription(told))


def dynamic(member_id: str, *topics: str) -> SubscribedMember:
    return member(member_id, None, *topics)


def assign(protocol: str, members: Sequence[SubscribedMember], **topics: int | list[str]) -> Assignments:
    """Return an assignment; `t=3` is a topic, `t=["x", "yz"]` one with a letter for each replica's rack."""
    known = {
        name: TopicLayout(told) if isinstance(told, int) else TopicLayout(len(told), [set(racks) for racks in told])
        for name, told in topics.items()
    }
    return assignment.assign(protocol, members, known)
