"""Entries of the rebalance journal for streams groups: each new epoch with its cause, and its outcome."""

from typing import Any

import pytest

from tenure.coordinator.groups.journal.entries import RebalanceBegan, SeatTakenOver
from tests.coordinator.journaled import JournaledScenario, ended

AT_ONCE = "configure g streams.initial.rebalance.delay.ms=0 streams.assignment.interval.ms=0"

FIRST = ("topic lines partitions=4", AT_ONCE, "streams-heartbeat g as A instance=web-1 0:lines")


@pytest.fixture
def runner() -> JournaledScenario:
    """Return a group in which A(web-1) has 0_0 to 0_3, in epoch 2."""
    runner = JournaledScenario()
    runner.run_lines(*FIRST)
    return runner


def moved(entry: Any) -> tuple[int, int, int]:
    return entry.partitions.moved, entry.partitions.gained, entry.partitions.lost


def test_journal__first_member_of_a_streams_group__entry_with_gained_tasks() -> None:
    runner = JournaledScenario()
    began, end = runner.run_lines(
        "topic lines partitions=4", AT_ONCE, "streams-heartbeat g as A instance=web-1 0:lines"
    )
    assert (began.group_type, began.trigger, began.state_before, began.generation_before) == (
        "streams",
        "joined",
        "Empty",
        1,
    )
    assert began.cause == end.cause == "member A (instance web-1) joined"
    assert (end.outcome, end.generation, end.members, end.static_members) == ("stable", 2, 1, 1)
    assert [(move.epoch, move.cause) for move in end.epoch_moves] == [(2, began.cause)]
    assert (moved(end), [changed_member.member_id for changed_member in end.joined]) == ((0, 4, 0), ["A"])


def test_journal__missing_source_topic_is_created__entry_for_a_rebalance() -> None:
    runner = JournaledScenario()
    began, end = runner.run_lines(AT_ONCE, "streams-heartbeat g as A 0:lines")
    assert (began.cause, end.outcome, moved(end)) == ("member A joined", "stable", (0, 0, 0))
    began, end = runner.run_lines("topic lines partitions=2", "streams-heartbeat g as A epoch=2")
    assert (began.trigger, began.state_before) == ("topics-changed", "NotReady")
    assert (end.outcome, end.generation, moved(end)) == ("stable", 3, (0, 2, 0))


def test_journal__member_joins_and_another_revokes_tasks__end_entry_after_both_have_the_new_epoch(
    runner: JournaledScenario,
) -> None:
    (began,) = runner.run_lines("streams-heartbeat g as B 0:lines")
    assert (began.state_before, began.cause) == ("Stable", "member B joined")
    assert runner.run_lines("wait 300", "streams-heartbeat g as A epoch=2 instance=web-1") == []
    assert runner.run_lines("streams-heartbeat g as A epoch=2 instance=web-1 active=0_0,0_1 standby= warmup=") == []
    (end,) = runner.run_lines("streams-heartbeat g as B epoch=3")
    assert (end.outcome, end.generation, end.completing_ms, moved(end)) == ("stable", 3, 300, (2, 0, 0))


@pytest.mark.parametrize(
    ("lines", "trigger", "cause"),
    [
        (
            ["streams-heartbeat g as A epoch=2 instance=web-1 process=other"],
            "described",
            "member A (instance web-1) changed its endpoint, rack, client tags or process id",
        ),
        (
            ["configure g streams.num.standby.replicas=1", "streams-heartbeat g as A epoch=2 instance=web-1"],
            "reconfigured",
            "a config of the assignor changed",
        ),
        (
            ["topic lines partitions=6", "streams-heartbeat g as A epoch=2 instance=web-1"],
            "topics-changed",
            "subscribed topics were created, deleted or got more partitions",
        ),
        (["wait 45000"], "session-expired", "member A (instance web-1) sent no heartbeat within its session timeout"),
        (["streams-heartbeat g as A epoch=-1 instance=web-1"], "left", "member A (instance web-1) left"),
    ],
)
def test_journal__each_cause_in_a_streams_group__described_in_words(
    runner: JournaledScenario, lines: list[str], trigger: str, cause: str
) -> None:
    began = runner.run_lines(*lines)[0]
    assert isinstance(began, RebalanceBegan)
    assert (began.trigger, began.cause, began.state_before, began.generation_before) == (trigger, cause, "Stable", 2)


def test_journal__last_member_of_a_streams_group_leaves__entry_with_lost_tasks(runner: JournaledScenario) -> None:
    end = ended(runner.run_lines("streams-heartbeat g as A epoch=-1 instance=web-1"))
    assert (end.outcome, end.generation, end.members, moved(end)) == ("empty", 3, 0, (0, 0, 4))


def test_journal__static_member_returns_after_a_temporary_leave__no_rebalance(runner: JournaledScenario) -> None:
    (taken,) = runner.run_lines(
        "streams-heartbeat g as A epoch=-2 instance=web-1",
        "streams-heartbeat g as B instance=web-1 process=p-A 0:lines",
    )
    assert isinstance(taken, SeatTakenOver)
    assert (taken.group_type, taken.generation) == ("streams", 2)
    assert taken.cause == "member B (instance web-1) returned and replaces member A: epoch 2 stays"


def test_journal__shard_loaded_again_with_a_stable_group__no_entry(runner: JournaledScenario) -> None:
    assert runner.run_lines("reload", "streams-heartbeat g as A epoch=2 instance=web-1") == []
