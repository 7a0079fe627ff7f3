"""Memberships of the consumer protocol against the real coordinator, in virtual time (rule 3.13)."""

from collections import Counter
from typing import Any

import pytest

from tenure.client.group.memberships.epoch_membership import EpochState
from tenure.client.group.memberships.membership_settings import FAIL, WAIT
from tenure.client.values import Assigned, Identity, Lost, Revoked, TopicPartition
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import TopicName
from tests.client.group.faulty_life import FaultyLife
from tests.client.group.group_of_members import GROUP, TOPIC, TOPIC_ID, GroupOfMembers, Member, assigned
from tests.quick import quick_first

EVERYTHING = tuple(TopicPartition(TOPIC, partition) for partition in range(8))


def settled(seed: int = 1, **instance_ids: str | None) -> GroupOfMembers:
    group = GroupOfMembers(seed, protocol=CONSUMER)
    for name, instance_id in instance_ids.items():
        group.join(name, instance_id)
    group.run(30_000)
    return group


def kinds(events: list[Any]) -> list[type]:
    return [type(event) for event in events]


def coordinator_group(group: GroupOfMembers) -> Any:
    return group.coordinator.shard._groups.by_id[GROUP]


def grow(group: GroupOfMembers, partitions: int) -> None:
    group.partitions = partitions
    group.coordinator.topics.put(Topic(TopicName(TOPIC), TOPIC_ID, partitions))


def do(group: GroupOfMembers, member: Member, happened: Any, *arguments: Any) -> None:
    """Call a method of the member's membership as its user, and perform the resulting outputs."""
    happened(*arguments)
    group._do_outputs(member)


# --- members and partitions -------------------------------------------------------------------------------------------


def test_group__three_members__share_the_partitions() -> None:
    group = settled(a="i1", b=None, c=None)
    assert sorted(Counter(owner for (owner,) in group.owners().values()).values()) == [2, 3, 3]
    assert {member.membership.state for member in group.members} == {EpochState.STABLE}  # type: ignore[attr-defined]


def test_group__second_member_joins__moved_partitions_are_revoked_first() -> None:
    group = settled(a=None)
    (a,) = group.members
    b = group.join("b")
    group.run(30_000)
    (revoked,) = [event.partitions for event in a.events if isinstance(event, Revoked)]
    assert len(revoked) == 4
    assert a.membership.partitions == tuple(sorted(set(EVERYTHING) - set(revoked)))
    assert [event.added for event in b.events if isinstance(event, Assigned)][-1] == revoked
    assert kinds(a.events) == [Assigned, Revoked, Assigned]
    assert a.events[-1].added == ()


def test_group__revocation_not_acknowledged__partition_stays_unassigned_until_the_deadline() -> None:
    group = GroupOfMembers(1, protocol=CONSUMER)
    a = group.join("a", rebalance_timeout_ms=80_000)
    group.run(10_000)
    a.acknowledges = False
    b = group.join("b")
    group.run(15_000)
    assert a.membership.is_revoking
    assert (len(a.membership.partitions), b.membership.partitions) == (8, ())
    group.run(20_000)
    assert (len(a.membership.partitions), len(b.membership.partitions)) == (4, 4)


def test_group__dynamic_member_leaves__other_gets_all_partitions() -> None:
    group = settled(a=None, b=None)
    group.leave(group.members[0])
    group.run(7_000)
    assert group.members[1].membership.partitions == EVERYTHING


def test_group__dynamic_member_crashes__other_gets_all_partitions_after_the_session_timeout() -> None:
    group = settled(a=None, b=None)
    a, b = group.members
    group.crash(a)
    group.run(39_000)
    assert len(b.membership.partitions) == 4
    group.run(15_000)
    assert b.membership.partitions == EVERYTHING


def test_group__static_member_replaced__no_rebalance() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    before, epoch, had = list(b.events), coordinator_group(group).group_epoch, a.membership.partitions
    group.leave(a)
    group.run(20_000)
    successor = group.join("a2", "i1")
    group.run(10_000)
    assert successor.membership.partitions == had
    assert (b.events, coordinator_group(group).group_epoch) == (before, epoch)


def test_group__topic_grows__the_new_partitions_are_assigned() -> None:
    group = settled(a=None, b=None)
    grow(group, 10)
    group.run(30_000)
    assert sorted(Counter(owner for (owner,) in group.owners().values()).values()) == [5, 5]


def test_group__coordinator_fails_over__members_and_epochs_kept() -> None:
    group = settled(a="i1", b=None)
    before = [list(member.events) for member in group.members]
    group.fail_over()
    group.run(60_000)
    assert [member.events for member in group.members] == before


@pytest.mark.parametrize("instance_id", ["i1", None])
def test_group__member_does_not_poll__leaves_and_joins_with_its_next_poll(instance_id: str | None) -> None:
    group = GroupOfMembers(1, protocol=CONSUMER)
    member = group.join("a", instance_id, max_poll_interval_ms=60_000)
    group.run(10_000)
    member.polls = False
    group.run(65_000)
    assert kinds(member.events) == [Assigned, Lost]
    known = coordinator_group(group).members
    assert [one.is_away for one in known.values()] == ([True] if instance_id else [])
    group.run(10_000)
    do(group, member, member.membership.polled, group.now_ms)
    group.run(10_000)
    assert kinds(member.events) == [Assigned, Lost, Assigned]
    assert member.membership.identity.member_id == "a-2"


# --- takeovers --------------------------------------------------------------------------------------------------------


def test_takeover__static_member_killed__successor_gets_its_partitions_without_a_rebalance() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    before, epoch, had = list(b.events), coordinator_group(group).group_epoch, a.membership.partitions
    group.crash(a)
    successor = group.join("a2", "i1")
    group.run(300)
    assert assigned(successor) == [had]
    group.run(60_000)
    assert (b.events, coordinator_group(group).group_epoch) == (before, epoch)


def test_takeover__holder_is_alive__holder_fenced_and_does_not_take_over_again() -> None:
    group = settled(a="i1")
    (first,) = group.members
    second = group.join("b", "i1")
    group.run(60_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID
    assert kinds(first.events) == [Assigned, Lost]
    assert second.membership.partitions == EVERYTHING


def test_takeover__fenced_holder_commits__commit_refused_and_its_membership_ends() -> None:
    group = settled(a="i1")
    (first,) = group.members
    identity = first.membership.identity
    group.join("b", "i1")
    group.run(300)
    assert refusal(group, identity, EVERYTHING[0]) is ErrorCode.UNKNOWN_MEMBER_ID
    do(group, first, first.membership.commit_refused, ErrorCode.UNKNOWN_MEMBER_ID, identity, group.now_ms)
    group.run(10_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID


def test_takeover__successor_has_left_when_the_fenced_holder_commits__membership_of_the_holder_ends() -> None:
    group = settled(a="i1")
    (first,) = group.members
    identity = first.membership.identity
    second = group.join("b", "i1")
    group.run(300)
    assert second.membership.partitions == EVERYTHING
    group.leave(second)
    do(group, first, first.membership.commit_refused, ErrorCode.UNKNOWN_MEMBER_ID, identity, group.now_ms)
    group.run(10_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID


def test_takeover__two_successors_at_once__one_joins_and_the_other_gets_an_error() -> None:
    group = settled(a="i1", b="i2")
    group.crash(group.members[0])
    rivals = [group.join("a2", "i1"), group.join("a3", "i1")]
    group.run(60_000)
    ended = [rival.ended for rival in rivals]
    assert len([one for one in ended if one is None]) == 1
    assert set(ended) <= {None, ErrorCode.FENCED_INSTANCE_ID, ErrorCode.UNRELEASED_INSTANCE_ID}
    assert all(len(owners) == 1 for owners in group.owners().values())


def test_on_unreleased_wait__static_member_killed__successor_joins_after_the_session_timeout() -> None:
    group = settled(a="i1")
    group.crash(group.members[0])
    successor = group.join("a2", "i1", on_unreleased=WAIT)
    group.run(35_000)
    assert (successor.events, successor.ended) == ([], None)
    group.run(20_000)
    assert successor.membership.partitions == EVERYTHING


def test_on_unreleased_fail__instance_id_in_use__new_member_ends_and_the_holder_continues() -> None:
    group = settled(a="i1")
    second = group.join("b", "i1", on_unreleased=FAIL)
    group.run(20_000)
    assert second.ended is ErrorCode.UNRELEASED_INSTANCE_ID
    assert group.members[0].membership.partitions == EVERYTHING


@pytest.mark.parametrize("instance_id", ["i1", None])
def test_rejoin_as_new_member__static_or_dynamic__new_member_id_and_old_one_refused(instance_id: str | None) -> None:
    group = settled(a=instance_id)
    (a,) = group.members
    old = a.membership.identity
    do(group, a, a.membership.rejoin_as_new_member, group.now_ms)
    group.run(10_000)
    assert kinds(a.events) == [Assigned, Lost, Assigned]
    assert a.membership.identity.member_id != old.member_id
    assert refusal(group, old, EVERYTHING[0]) is ErrorCode.UNKNOWN_MEMBER_ID


def test_rejoin_as_new_member__instance_id_taken_over_before__fenced() -> None:
    group = settled(a="i1")
    (first,) = group.members
    second = group.join("b", "i1")
    group.run(300)
    do(group, first, first.membership.rejoin_as_new_member, group.now_ms)
    group.run(60_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID
    assert second.ended is None


@pytest.mark.parametrize("instance_id", ["i1", None])
def test_heartbeat__epoch_ahead_of_the_coordinators__rejoins_with_a_new_member_id(instance_id: str | None) -> None:
    """Rejoin with a new member id, because the coordinator lost the end of its log."""
    group = settled(a=instance_id)
    (a,) = group.members
    a.membership.generation_id += 5  # type: ignore[assignment]
    group.run(20_000)
    assert kinds(a.events) == [Assigned, Lost, Assigned]
    assert a.membership.identity.member_id == "a-2"
    assert a.membership.partitions == EVERYTHING


# --- commits during random faults -------------------------------------------------------------------------------------


def refusal(group: GroupOfMembers, identity: Identity, partition: TopicPartition) -> ErrorCode | None:
    """Return the coordinator's error for a commit; None if it is accepted."""
    offset: Any = commands.OffsetToCommit(TopicName(TOPIC), TOPIC_ID, partition.partition, 1)  # type: ignore[arg-type]
    member_id, _, epoch = identity
    ask = group.coordinator.ask(commands.CommitOffsets(GROUP, member_id, None, epoch, [offset]))  # type: ignore[arg-type]
    replies = group.coordinator.take()[1]
    (answer,) = [answer for asked, answer in replies if asked == ask]
    group.coordinator.replies += [reply for reply in replies if reply[0] != ask]
    group._deliver_replies()
    return None if isinstance(answer, Committed) else answer.error_code


def commit_soon(group: GroupOfMembers, member: Member, happened: Counter[str]) -> None:
    """Commit later under the member's present identity.

    The commit must be accepted if the member still owns the partition when it arrives, and has owned it all the time
    (NoFalseFence).
    """
    membership = member.membership
    if not membership.may_commit or not membership.partitions:
        return
    partition = group.random.choice(membership.partitions)
    identity, since = membership.identity, membership.assignment_epochs[partition]

    def arrive() -> None:
        kept = (
            not member.gone
            and membership.identity.member_id == identity.member_id
            and membership.assignment_epochs.get(partition) == since
        )
        refused = refusal(group, identity, partition)
        happened["commit refused" if refused else "commit accepted"] += 1
        known = coordinator_group(group).members.get(identity.member_id)
        if kept and known is not None and not known.is_away:
            assert refused is None, (identity, partition, known)

    group._at(group._delay_ms() * group.random.choice([1, 1, 20]), arrive)


@pytest.mark.parametrize("seed", quick_first(range(15)))
def test_group__random_faults__one_owner_per_partition_and_no_valid_commit_refused(seed: int) -> None:
    group = GroupOfMembers(seed, protocol=CONSUMER)
    life = FaultyLife(group)
    life.faults["grow"] = lambda _: grow(group, min(12, group.partitions + 1))
    life.faults["silent"] = toggle_silence

    def commit() -> None:
        for member in group.members:
            if not member.gone:
                commit_soon(group, member, life.happened)

    for _ in range(25):
        life.cause_fault(commit)
    for member in group.members:
        member.acknowledges = True
    life.end(within_ms=400_000)
    assert coordinator_group(group).group_epoch > 3, life
    assert life.happened["commit accepted"] > 100, life
    assert {member.ended for member in group.members} <= {None, ErrorCode.FENCED_INSTANCE_ID}


def toggle_silence(member: Member) -> None:
    member.acknowledges = not member.acknowledges
