"""Memberships against the real coordinator, in virtual time."""

from collections import Counter

import pytest

from tenure.client.group import assignment
from tenure.client.values import Assigned, Lost, Revoked
from tenure.protocol.errors import ErrorCode
from tests.client.group.faulty_life import FaultyLife
from tests.client.group.group_of_members import GroupOfMembers, assigned
from tests.quick import quick_first


def settled(seed: int = 1, **instance_ids: str | None) -> GroupOfMembers:
    group = GroupOfMembers(seed)
    for name, instance_id in instance_ids.items():
        group.join(name, instance_id)
    group.run(20_000)
    return group


def kinds(events: list[object]) -> list[type]:
    return [type(event) for event in events]


def test_group__three_members__share_the_partitions_by_range() -> None:
    group = settled(a="i1", b="i2", c="i3")
    assert group.owners() == dict(zip(range(8), [[n] for n in "aaabbbcc"], strict=True))


def test_group__static_member_restarts__no_rebalance() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    before, generation = list(b.events), group.generation_id
    group.crash(a)
    restarted = group.join("a2", "i1")
    group.run(20_000)
    assert assigned(restarted) == assigned(a)[-1:]
    assert (b.events, group.generation_id) == (before, generation)


def test_group__static_leader_restarts_and_a_third_member_joins__partitions_shared_by_three() -> None:
    group = settled(a="i1", b="i2")
    group.crash(group.members[0])
    group.join("a2", "i1")
    group.run(20_000)
    group.join("c", "i3")
    group.run(20_000)
    assert Counter(map(len, group.owners().values())) == {1: 8}
    assert len({owner for (owner,) in group.owners().values()}) == 3


def test_group__dynamic_member_crashes__other_gets_all_partitions_after_the_session_timeout() -> None:
    group = settled(a=None, b=None)
    a, b = group.members
    group.crash(a)
    group.run(44_000)
    assert len(b.membership.partitions) == 4
    group.run(10_000)
    assert len(b.membership.partitions) == 8


def test_group__dynamic_member_leaves__other_gets_all_partitions() -> None:
    group = settled(a=None, b=None)
    group.leave(group.members[0])
    group.run(6_000)
    assert len(group.members[1].membership.partitions) == 8


def test_group__static_member_closes__its_partitions_stay_reserved() -> None:
    group = settled(a="i1", b="i2")
    group.leave(group.members[0])
    group.run(30_000)
    assert len(group.members[1].membership.partitions) == 4


def test_group__second_member_with_the_same_instance_id__first_is_fenced() -> None:
    group = settled(a="i1")
    (first,) = group.members
    second = group.join("b", "i1")
    group.run(60_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID
    assert kinds(first.events) == [Assigned, Lost]
    assert second.ended is None
    assert len(second.membership.partitions) == 8


def test_group__static_member_rejoins_with_a_new_member_id__same_generation_and_partitions() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    before, old = list(b.events), a.membership.identity
    a.membership.rejoin_as_new_member(group.now_ms)
    group._do_outputs(a)
    group.run(5_000)
    new = a.membership.identity
    assert new.member_id != old.member_id
    assert new.generation_id == old.generation_id
    assert kinds(a.events[-2:]) == [Lost, Assigned]
    assert assigned(a)[-1] == assigned(a)[-2]
    assert b.events == before


def test_group__member_rejoins_after_its_instance_id_was_taken_over__fenced() -> None:
    group = settled(a="i1")
    (first,) = group.members
    group.cut(first)
    second = group.join("b", "i1")
    group.run(500)
    first.membership.rejoin_as_new_member(group.now_ms)
    group._do_outputs(first)
    group.run(60_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID
    assert second.ended is None


def test_group__coordinator_fails_over__members_and_generation_kept() -> None:
    group = settled(a="i1", b=None)
    before = [list(member.events) for member in group.members]
    group.fail_over()
    group.run(60_000)
    assert [member.events for member in group.members] == before
    assert Counter(map(len, group.owners().values())) == {1: 8}


def test_group__revocation_not_acknowledged__member_rejoins_after_a_quarter_of_rebalance_timeout() -> None:
    group = GroupOfMembers(1)
    a = group.join("a", "i1", rebalance_timeout_ms=40_000)
    group.run(10_000)
    a.acknowledges = False
    group.join("b", "i2", rebalance_timeout_ms=40_000)
    group.run(8_000)
    assert kinds(a.events) == [Assigned, Revoked]
    group.run(10_000)
    assert kinds(a.events) == [Assigned, Revoked, Assigned]


@pytest.mark.parametrize("instance_id", ["i1", None])
def test_group__member_does_not_poll__leaves_and_joins_with_the_next_poll(
    instance_id: str | None,
) -> None:
    group = GroupOfMembers(1)
    member = group.join("a", instance_id, max_poll_interval_ms=60_000)
    group.run(10_000)
    member.polls = False
    group.run(65_000)
    assert kinds(member.events) == [Assigned, Lost]
    group.run(100_000)
    assert kinds(member.events) == [Assigned, Lost]
    member.membership.polled(group.now_ms)
    group._do_outputs(member)
    group.run(10_000)
    assert kinds(member.events) == [Assigned, Lost, Assigned]


def test_group__member_suspended_past_its_session__joins_again() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    a.frozen_until_ms = group.now_ms + 70_000
    group.run(60_000)
    assert len(b.membership.partitions) == 8
    group.run(60_000)
    assert Counter(map(len, group.owners().values())) == {1: 8}
    assert len(a.membership.partitions) == 4


@pytest.mark.parametrize("assignor", ["range", "cooperative-sticky", "sticky"])
@pytest.mark.parametrize("seed", quick_first(range(25)))
def test_group__random_faults__no_partition_owned_twice_and_all_owned_at_the_end(seed: int, assignor: str) -> None:
    group = GroupOfMembers(seed, assignors=(assignor,))
    life = FaultyLife(group)
    for _ in range(25):
        life.cause_fault()
    life.end(within_ms=1_000_000)
    assert group.generation_id > 3, "too little happened"
    assert {member.ended for member in group.members} <= {None, ErrorCode.FENCED_INSTANCE_ID}


# --- cooperative members ----------------------------------------------------------------------------------------------


def cooperative(**instance_ids: str | None) -> GroupOfMembers:
    group = GroupOfMembers(1, assignors=("cooperative-sticky",))
    for name, instance_id in instance_ids.items():
        group.join(name, instance_id)
        group.run(20_000)
    return group


def test_cooperative_group__second_member_joins__only_moved_partitions_are_revoked() -> None:
    group = cooperative(a="i1")
    (a,) = group.members
    before = set(a.membership.partitions)
    b = group.join("b", "i2")
    group.run(60_000)
    revoked = [event.partitions for event in a.events if isinstance(event, Revoked)]
    assert [len(partitions) for partitions in revoked] == [4]
    assert set(b.membership.partitions) == set(revoked[0])
    assert set(a.membership.partitions) == before - set(revoked[0])
    assert [len(event.added) for event in b.events if isinstance(event, Assigned)] == [0, 4]


def test_cooperative_group__member_leaves__others_keep_their_partitions_and_get_more() -> None:
    group = cooperative(a=None, b=None)
    a, b = group.members
    kept = set(a.membership.partitions)
    group.leave(b)
    group.run(60_000)
    assert set(a.membership.partitions) > kept
    assert Revoked not in kinds(a.events[-1:])
    assert len(a.membership.partitions) == 8


def test_cooperative_group__static_member_restarts__no_rebalance_and_same_partitions() -> None:
    group = cooperative(a="i1", b="i2")
    a, b = group.members
    before, had = list(b.events), a.membership.partitions
    group.crash(a)
    restarted = group.join("a2", "i1")
    group.run(20_000)
    assert restarted.membership.partitions == had
    assert b.events == before


def test_cooperative_group__revocation_not_acknowledged__partition_stays_unassigned() -> None:
    group = cooperative(a="i1")
    (a,) = group.members
    a.acknowledges = False
    b = group.join("b", "i2")
    group.run(20_000)
    assert len(a.membership.partitions) == 8
    assert b.membership.partitions == ()
    a.membership.acknowledge_revocation(group.now_ms)
    group._do_outputs(a)
    group.run(20_000)
    assert (len(a.membership.partitions), len(b.membership.partitions)) == (4, 4)


def test_upgrade__eager_to_cooperative_with_two_restarts__no_partition_owned_twice() -> None:
    """Upgrade as KIP-429 says: first all members offer both assignors, then the eager one is dropped."""
    group = GroupOfMembers(1)
    members = [group.join(f"m{number}", f"i{number}") for number in range(3)]
    group.run(20_000)
    for group.assignors in (("cooperative-sticky", "range"), ("cooperative-sticky",)):
        for number in range(3):
            group.crash(members[number])
            members[number] = group.join(f"{members[number].name}'", f"i{number}")
            for _ in range(30):
                group.run(1_000)
                assert all(len(owners) <= 1 for owners in group.owners().values())
        assert all(len(owners) == 1 for owners in group.owners().values())
    assert {member.ended for member in members} == {None}
    group.join("late", None)
    group.run(60_000)
    assert sorted(Counter(owner for (owner,) in group.owners().values()).values()) == [2, 2, 2, 2]


def test_broken_rule__assignor_moves_partitions_before_the_revocation__second_owner_is_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_step = assignment.ASSIGNORS["sticky"]._replace(rebalance_protocols=assignment.EITHER)
    monkeypatch.setattr(assignment, "ASSIGNORS", {**assignment.ASSIGNORS, "cooperative-sticky": one_step})
    group = cooperative(a="i1")
    group.members[0].acknowledges = False
    group.join("b", "i2")
    seen = 0
    for _ in range(100):
        group.run(100)
        seen = max(seen, *map(len, group.owners().values()))
    assert seen == 2
