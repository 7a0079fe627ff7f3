"""The sticky assignors, rule by rule and property by property (KIP-792; rules 7.7 to 7.9)."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.client.group.assignment import Assignments, assign
from tenure.protocol.consumer_protocol import decode_subscription
from tests.assignors import groups
from tests.assignors.cases import Case, Partition, draw, true_owners, violation
from tests.assignors.groups import dynamic, member
from tests.assignors.rounds import settled, with_claims

STICKY = pytest.mark.parametrize("protocol", groups.STICKY)

cases = st.builds(lambda seed, protocol: draw(Random(seed), protocol), st.integers(0), st.sampled_from(groups.STICKY))


def owners_of(assignments: Assignments) -> dict[Partition, str]:
    return {
        (topic, number): member_id
        for member_id, topics in assignments.items()
        for topic, numbers in topics.items()
        for number in numbers
    }


def sizes(assignments: Assignments) -> list[int]:
    return sorted(sum(map(len, topics.values())) for topics in assignments.values())


# --- assignments ------------------------------------------------------------------------------------------------------


@STICKY
def test_sticky__no_owned_partitions__partitions_in_turn_topic_by_topic(protocol: str) -> None:
    assert groups.assign(protocol, [dynamic("a", "t", "u"), dynamic("b", "t", "u")], t=3, u=2) == {
        "a": {"t": [0, 2], "u": [1]},
        "b": {"t": [1], "u": [0]},
    }


@STICKY
def test_sticky__member_joins__only_partitions_above_the_new_share_move(protocol: str) -> None:
    common = {"generation": 4, "protocol": protocol}
    a, b = member("a", None, "t", owns="t0 t1 t2", **common), member("b", None, "t", owns="t3 t4 t5", **common)
    found = groups.assign(protocol, [a, b, dynamic("c", "t")], t=6)
    assert (found["a"], found["b"]) == ({"t": [0, 1]}, {"t": [3, 4]})
    assert found["c"] == ({"t": [2, 5]} if protocol == "sticky" else {})  # withheld until a and b have revoked them


@STICKY
def test_sticky__member_leaves__its_partitions_are_spread_and_others_keep_theirs(protocol: str) -> None:
    common = {"generation": 4, "protocol": protocol}
    a, b = member("a", None, "t", owns="t0 t1", **common), member("b", None, "t", owns="t2 t3", **common)
    assert groups.assign(protocol, [a, b], t=6) == {"a": {"t": [0, 1, 4]}, "b": {"t": [2, 3, 5]}}


@STICKY
def test_sticky__two_claims_of_a_partition_with_the_same_generation__both_ignored(protocol: str) -> None:
    common = {"generation": 4, "protocol": protocol}
    a, b = member("a", None, "t", owns="t0 t1", **common), member("b", None, "t", owns="t0", **common)
    found = groups.assign(protocol, [a, b], t=2)
    assert found == {"a": {"t": [1]}, "b": {"t": [0]} if protocol == "sticky" else {}}


@STICKY
@pytest.mark.parametrize("newer", ["a", "b"])
def test_sticky__two_claims_of_a_partition_with_different_generations__claim_with_the_higher_generation_used(
    protocol: str, newer: str
) -> None:
    members = [
        member(name, None, "t", owns="t0 t1 t2", generation=7 if name == newer else 6, protocol=protocol)
        for name in "ab"
    ]
    found = groups.assign(protocol, members, t=3)
    assert found[newer] == {"t": [0, 1]}


@STICKY
def test_sticky__partition_claimed_in_generations_5_5_and_7__claim_of_generation_7_used(
    protocol: str,
) -> None:
    members = [
        member(name, None, "t", owns="t0", generation=generation, protocol=protocol)
        for name, generation in (("a", 5), ("b", 5), ("c", 7))
    ]
    assert groups.assign(protocol, members, t=1)["c"] == {"t": [0]}


@STICKY
def test_sticky__two_claims_and_only_one_has_a_generation__claim_with_the_generation_used(protocol: str) -> None:
    a = member("a", None, "t", owns="t0 t1", generation=-1, protocol=protocol)
    b = member("b", None, "t", owns="t1", generation=0, protocol=protocol)
    assert groups.assign(protocol, [a, b], t=2) == {"a": {"t": [0]}, "b": {"t": [1]}}


@STICKY
def test_sticky__claims_of_partitions_that_do_not_exist__ignored(protocol: str) -> None:
    a = member("a", None, "t", owns="t0 t1 t9 x0", generation=3, protocol=protocol)
    assert groups.assign(protocol, [a, dynamic("b", "t")], t=4) == {"a": {"t": [0, 1]}, "b": {"t": [2, 3]}}


@STICKY
def test_sticky__owner_unsubscribes_from_a_topic__its_partitions_move_to_subscribers(protocol: str) -> None:
    a = member("a", None, "u", owns="t0 t1", generation=3, protocol=protocol)
    found = groups.assign(protocol, [a, dynamic("b", "t")], t=2, u=2)
    assert found == {"a": {"u": [0, 1]}, "b": {"t": [0, 1]} if protocol == "sticky" else {}}


@STICKY
def test_sticky__static_members_with_new_member_ids__same_assignment(protocol: str) -> None:
    def dealt(*members: tuple[str, str]) -> list[dict[str, list[int]]]:
        found = groups.assign(protocol, [member(name, instance, "t") for name, instance in members], t=5)
        return [found[name] for name, _ in members]

    assert dealt(("z-1", "i1"), ("a-1", "i2"), ("m-1", "i3")) == dealt(("a-2", "i1"), ("m-2", "i2"), ("z-2", "i3"))


@STICKY
def test_sticky__static_member_rejoins_without_claims__gets_its_partitions_again(protocol: str) -> None:
    common = {"generation": 4, "protocol": protocol}
    a, c = member("a", "i1", "t", owns="t0 t3", **common), member("c", "i3", "t", owns="t2 t5", **common)
    found = groups.assign(protocol, [a, member("new", "i2", "t"), c], t=6)
    assert found == {"a": {"t": [0, 3]}, "new": {"t": [1, 4]}, "c": {"t": [2, 5]}}


def test_sticky__balance_needs_two_moves_at_once__balance_found() -> None:
    """Find the balance that needs two moves at once; Kafka stays at 3, 2, 1, because no single move helps."""
    a = member("a", None, "t", owns="t0 t1 t2", generation=4, protocol="sticky")
    b = member("b", None, "t", "u", owns="u0 u1", generation=4, protocol="sticky")
    c = member("c", None, "u", owns="u2", generation=4, protocol="sticky")
    found = groups.assign("sticky", [a, b, c], t=3, u=3)
    assert found == {"a": {"t": [0, 1]}, "b": {"t": [2], "u": [0]}, "c": {"u": [1, 2]}}


@STICKY
def test_sticky__members_with_racks__partitions_with_a_replica_in_their_rack(protocol: str) -> None:
    a, b = member("a", None, "t", rack="x"), member("b", None, "t", rack="y")
    assert groups.assign(protocol, [a, b], t=["x", "y", "y", "x"]) == {"a": {"t": [0, 3]}, "b": {"t": [1, 2]}}


def test_sticky__members_with_racks__moves_for_racks_never_reduce_the_balance() -> None:
    a = member("a", None, "t", rack="x", owns="t0 t1", generation=2, protocol="sticky")
    b = member("b", None, "t", rack="y", owns="t2 t3", generation=2, protocol="sticky")
    assert groups.assign("sticky", [a, b], t=["y", "y", "x", "y"]) == {"a": {"t": [0, 2]}, "b": {"t": [1, 3]}}


@STICKY
def test_sticky__replicas_in_all_racks__same_assignment_as_without_racks(protocol: str) -> None:
    common = {"generation": 4, "protocol": protocol}
    a = member("a", None, "t", rack="x", owns="t0 t1", **common)
    b = member("b", None, "t", rack="z", owns="t2", **common)
    assert groups.assign(protocol, [a, b], t=["xy"] * 4) == {"a": {"t": [0, 1]}, "b": {"t": [2, 3]}}


# --- histories --------------------------------------------------------------------------------------------------------


def test_cooperative__member_missed_a_generation__keeps_partitions_that_no_other_member_claims() -> None:
    """Keep undisputed old claims; KAFKA-14639 ignored them, and revoked and assigned partitions at once."""
    late = member("late", None, "t", owns="t0 t1 t2", generation=10)
    prompt = member("prompt", None, "t", owns="t3", generation=11)
    first = groups.assign("cooperative-sticky", [late, prompt, dynamic("new", "t")], t=6)
    assert first == {"late": {"t": [0, 1]}, "prompt": {"t": [3, 4]}, "new": {"t": [5]}}
    # t2 has no owner: `late` has to revoke it before another member gets it


def test_cooperative__two_members_claim_the_same_partition__one_owner_after_the_next_rounds() -> None:
    """Reach one owner; in KAFKA-12984 such claims made the leader fail, and the group never left its rebalance."""
    members = [
        member("a", None, "t", owns="t0 t1 t2 t3", generation=9),
        member("b", None, "t", owns="t0 t1 t2 t3", generation=9),
    ]
    first = groups.assign("cooperative-sticky", members, t=4)
    assert first == {"a": {}, "b": {}}  # neither claim counts, and both may still be reading
    again = [with_claims(each, first[each.member_id], 10) for each in members]
    assert sizes(groups.assign("cooperative-sticky", again, t=4)) == [2, 2]


# --- properties -------------------------------------------------------------------------------------------------------


@given(cases)
def test_sticky__random_group__each_partition_assigned_once_and_to_a_subscriber(case: Case) -> None:
    assert violation(case, settled(case)) is None


@given(cases)
def test_cooperative__random_claims__partition_assigned_to_its_true_owner_or_if_no_other_member_claims_it(
    case: Case,
) -> None:
    """Assign a partition only to the member with the valid claim, or if no other member claims it (cooperative)."""
    cooperative = case._replace(protocol="cooperative-sticky")
    true = true_owners(cooperative)
    claimants: dict[Partition, set[str]] = {}
    for each in cooperative.members:
        for of in decode_subscription(each.metadata).owned_partitions:
            for number in of.partitions:
                claimants.setdefault((of.topic, number), set()).add(each.member_id)
    for partition, owner in owners_of(assign("cooperative-sticky", case.members, case.topics)).items():
        assert true.get(partition) == owner or claimants.get(partition, set()) <= {owner}


@given(cases)
def test_cooperative__several_rounds_of_a_random_group__no_partition_assigned_before_it_is_revoked(case: Case) -> None:
    """Assign no partition before it is revoked: each member keeps its claims until it gets another assignment."""
    members = case.members
    true = true_owners(case._replace(protocol="cooperative-sticky"))
    holds: dict[str, set[Partition]] = {each.member_id: set() for each in members}
    for partition, owner in true.items():
        holds[owner].add(partition)
    for generation in range(1_000, 1_004):
        found = assign("cooperative-sticky", members, case.topics)
        for each in members:
            given = {partition for partition, owner in owners_of(found).items() if owner == each.member_id}
            others = set[Partition]().union(*(held for name, held in holds.items() if name != each.member_id))
            assert not given & others
        holds = {name: {(topic, n) for topic in has for n in has[topic]} for name, has in found.items()}
        members = [with_claims(each, found[each.member_id], generation) for each in members]


@given(st.integers(1, 30), st.lists(st.integers(0, 12), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_sticky__random_group_with_equal_subscriptions__balanced_with_the_fewest_moves(
    count: int, partitions: list[int], random: Random
) -> None:
    """Move no more than needed.

    A member above its quota revokes the rest, other members revoke nothing. As many members as there are extra
    partitions may keep one more: first those that have it already.
    """
    topics = dict(zip("tuvw", partitions, strict=False))
    everything = [f"{topic}{number}" for topic, number_of in topics.items() for number in range(number_of)]
    owned: list[list[str]] = [[] for _ in range(count)]
    for partition in everything:
        if random.random() < 0.8:
            owned[min(random.randrange(count), random.randrange(count))].append(partition)
    members = [
        member(f"m{number}", None, *topics, owns=" ".join(had), generation=3, protocol="sticky")
        for number, had in enumerate(owned)
    ]
    found = groups.assign("sticky", members, **topics)
    low, extra = divmod(len(everything), count)
    assert sizes(found) == [low] * (count - extra) + [low + 1] * extra
    owner_of = {f"{topic}{number}": name for (topic, number), name in owners_of(found).items()}
    moved = sum(owner_of[partition] != f"m{number}" for number, had in enumerate(owned) for partition in had)
    surplus = sorted((max(0, len(had) - low) for had in owned), reverse=True)
    assert moved == sum(surplus) - sum(1 for over in surplus[:extra] if over)


@given(cases)
def test_sticky__assigned_again_with_its_own_result_as_claims__nothing_moves(case: Case) -> None:
    case = case._replace(protocol="cooperative-sticky")
    found = settled(case)
    again = [with_claims(each, found[each.member_id], 2_000) for each in case.members]
    assert assign(case.protocol, again, case.topics) == found


@given(cases, st.randoms(use_true_random=False))
def test_sticky__members_in_another_order__same_assignment(case: Case, random: Random) -> None:
    shuffled: Sequence = random.sample(case.members, len(case.members))
    assert assign(case.protocol, shuffled, case.topics) == assign(case.protocol, case.members, case.topics)
