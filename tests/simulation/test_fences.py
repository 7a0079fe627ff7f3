"""Commits of present and former owners of partitions, judged by each fencing policy (rules 4.1, 4.2, 4.7)."""

from typing import Any

import pytest

from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.member import Member
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId
from tenure.simulation.commit_history import Attempt, HistoryParameters, play
from tenure.simulation.fences import judge
from tenure.simulation.holders import CommitKind, Holders
from tests.simulation.consumer_broken_rules import AcceptsEveryOlderEpoch
from tests.simulation.soak import TooLittle, busy, judge_policy, main

COMMITS = 50_000
"""Number of honest commits and of zombies' commits each; `make soak` uses a million."""


@pytest.mark.long
def test_commit_fencing__honest_and_zombie_commits_of_random_histories__all_decided_correctly() -> None:
    verdict, seed = judge_policy(COMMITS)
    assert not verdict.wrong, f"seed {seed}: {verdict.wrong}"
    assert verdict.accepted[CommitKind.HONEST] >= COMMITS
    assert verdict.refused[CommitKind.TAKEN] + verdict.refused[CommitKind.GONE] >= COMMITS
    assert verdict.refused[CommitKind.TAKEN] >= COMMITS // 10, f"too few zombies are members still: {verdict.refused}"
    assert verdict.accepted[CommitKind.FOREIGN] == 0 < verdict.refused[CommitKind.FOREIGN]


def test_history__same_seed_twice__same_events() -> None:
    parameters = HistoryParameters(rebalances=10, seed=7)
    assert list(play(parameters)) == list(play(parameters))


# --- broken rules -----------------------------------------------------------------------------------------------------


def accepted(policy: str, shard_class: Any = None) -> Any:
    if shard_class is None:
        return judge(play(busy(3)), policy)
    return judge(play(busy(3)), policy, new_shard=lambda settings: shard_class(settings, bytes))


@pytest.mark.long
def test_broken_rule__every_older_epoch_is_accepted__zombie_commits_pass() -> None:
    assert {wrong.kind for wrong in accepted("assignment-epoch", AcceptsEveryOlderEpoch).wrong} == {CommitKind.TAKEN}


@pytest.mark.long
def test_broken_rule__only_the_present_epoch_is_accepted__honest_commits_refused() -> None:
    verdict = accepted("member-epoch")
    assert {wrong.kind for wrong in verdict.wrong} == {CommitKind.HONEST}
    assert verdict.false_refusals_ms


@pytest.mark.long
def test_judge_policy__policy_refuses_honest_commits__stops_after_the_first_history() -> None:
    verdict, seed = judge_policy(10**9, "member-epoch", first_seed=3)
    assert (verdict.wrong != [], seed) == (True, 3)


def test_judge_policy__too_few_histories__error() -> None:
    with pytest.raises(TooLittle, match="1 histories have"):
        judge_policy(10**9, histories_max=1)


def test_commits_command__ten_commits__summary_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["commits", "--commits", "10", "--seed", "2"]) == 0
    assert "honest commits accepted, 0 refused" in capsys.readouterr().out


# --- classification of commits ----------------------------------------------------------------------------------------

A, B = MemberId("a"), MemberId("b")
TOPIC = TopicId(bytes(15) + b"t")
P = TOPIC, PartitionId(0)


def tell(holders: Holders, member_id: MemberId, *, epoch: int = 1, has: bool = False, gives_up: bool = False) -> int:
    holders.step += 1
    one = {TOPIC: {PartitionId(0): epoch}}
    member = Member(
        member_id, member_epoch=epoch, assigned=one if has else {}, pending_revocation=one if gives_up else {}
    )
    holders.fold(logged.current(GroupId("g"), member))
    return holders.step


def test_classified_commit__partition_owned_since_the_last_heartbeat__kind_is_honest() -> None:
    holders = Holders()
    step = tell(holders, A, has=True)
    tell(holders, A, epoch=2, has=True)
    tell(holders, A, epoch=2, gives_up=True)
    assert holders.classify(A, P, step) is CommitKind.HONEST


def test_classified_commit__partition_had_another_owner_in_between__kind_is_taken() -> None:
    holders = Holders()
    step = tell(holders, A, has=True)
    tell(holders, A)
    tell(holders, B, has=True)
    assert holders.classify(A, P, step) is CommitKind.TAKEN
    tell(holders, B)
    assert holders.classify(A, P, step) is CommitKind.TAKEN
    again = tell(holders, A, has=True)
    assert holders.classify(A, P, step) is CommitKind.TAKEN
    assert holders.classify(A, P, again) is CommitKind.HONEST


def test_classified_commit__partition_was_revoked_without_a_new_owner__kind_is_idle() -> None:
    holders = Holders()
    step = tell(holders, A, has=True)
    tell(holders, A, gives_up=True)
    tell(holders, A, has=True)
    assert holders.classify(A, P, step) is CommitKind.IDLE


def test_classified_commit__member_left_temporarily_or_was_removed__kind_is_gone() -> None:
    holders = Holders()
    step = tell(holders, A, has=True)
    tell(holders, A, epoch=LEAVES_FOR_NOW, has=True)
    assert holders.classify(A, P, step) is CommitKind.GONE
    for record in logged.member_gone(GroupId("g"), A):
        holders.fold(record)
    assert holders.classify(A, P, step) is CommitKind.GONE


@pytest.mark.long
def test_random_histories__all_seeds_together__contain_every_kind_of_commit() -> None:
    kinds = {event.kind for event in play(busy(3)) if isinstance(event, Attempt)}
    assert kinds == set(CommitKind)
