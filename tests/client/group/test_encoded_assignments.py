"""Assignments that a leader keeps encoded: it sends the same bytes as a leader that encodes all of them again."""

from random import Random

import pytest

from tenure.client.group.assignment import assigned_partitions, claims_of, encoded_assignments, subscribed_members
from tenure.client.group.encoded_assignments import EncodedAssignments
from tenure.client.group.subscriptions import subscription
from tenure.client.values import TopicLayout
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import InstanceId, MemberId
from tests.quick import quick_first

PROTOCOLS = ("range", "roundrobin", "sticky", "cooperative-sticky")
TOPICS = ("a", "bb", "ccc")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("seed", quick_first(range(3)))
def test_encoded_assignments__reused_from_the_previous_generation__same_as_encoded_from_scratch(
    seed: int, protocol: str
) -> None:
    random = Random(seed)
    topics = {name: TopicLayout(random.randrange(12)) for name in TOPICS}
    wishes: dict[str, list[str]] = {}
    kept: EncodedAssignments | None = None
    shared = 0
    for generation in range(60):
        for member in random.sample(range(30), random.choice((0, 1, 1, 1, 8))):
            name = f"{random.choice('äb')}-{member}"
            if wishes.pop(name, None) is None:
                wishes[name] = random.sample(TOPICS, random.randrange(1, 4))
        if random.random() < 0.1:
            topics[random.choice(TOPICS)] = TopicLayout(random.randrange(12))
        had = {} if kept is None else {of.member_id: assigned_partitions(of.assignment) for of in kept.assignments}
        members = []
        for name in random.sample(list(wishes), len(wishes)):
            owned = had.get(MemberId(name), ())
            told = subscription(
                protocol, wishes[name], () if protocol == "sticky" else owned, generation, assigned=owned
            )
            instance_id = InstanceId(name) if name.endswith("3") else None
            members.append(JoinGroupResponseMember(MemberId(name), instance_id, told))
        subscribed = subscribed_members(members)
        claims = claims_of(protocol, subscribed)
        anew = encoded_assignments(protocol, subscribed, claims, topics)
        found = encoded_assignments(protocol, subscribed, claims, topics, kept)
        assert [(of.member_id, of.assignment) for of in found.assignments] == [
            (of.member_id, of.assignment) for of in anew.assignments
        ], f"seed {seed}, generation {generation}"
        assert found.places == anew.places
        if kept is not None:
            shared += len({id(of) for of in kept.assignments} & {id(of) for of in found.assignments})
        kept = found
    assert shared > 100
