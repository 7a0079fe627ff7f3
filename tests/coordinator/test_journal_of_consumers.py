"""Entries of the rebalance journal for consumer groups: each new epoch with its cause, and its outcome."""

from typing import Any

import pytest

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.journal.entries import RebalanceBegan, SeatTakenOver
from tenure.coordinator.groups.journal.ownership import target_moves
from tenure.limits.coordinator import JOURNAL_PARTITIONS_MAX
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tests.coordinator.journaled import JournaledScenario, ended
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import START_WALL_MS


@pytest.fixture
def runner() -> JournaledScenario:
    """Return a group in which A(web-1) has had t:0-3 in epoch 2 for more than a second."""
    told = JournaledScenario()
    told.run_lines("topic t partitions=4", "consumer-heartbeat g as A topics=t instance=web-1", "wait 1000")
    return told


def moved(entry: Any) -> tuple[int, int, int]:
    return entry.partitions.moved, entry.partitions.gained, entry.partitions.lost


def members(parties: Any) -> list[str]:
    return [changed_member.member_id for changed_member in parties]


def test_journal__first_member_of_a_consumer_group__entry_with_gained_partitions() -> None:
    runner = JournaledScenario()
    began, end = runner.run_lines("topic t partitions=4", "consumer-heartbeat g as A topics=t instance=web-1")
    assert (began.group_type, began.trigger, began.state_before, began.generation_before) == (
        "consumer",
        "joined",
        "Empty",
        1,
    )
    assert began.cause == end.cause == "member A (instance web-1) joined"
    assert (end.outcome, end.generation, end.members, end.static_members) == ("stable", 2, 1, 1)
    assert (end.preparing_ms, end.completing_ms, end.began_ms) == (0, 0, START_WALL_MS)
    assert [(move.epoch, move.cause) for move in end.epoch_moves] == [(2, began.cause)]
    assert (moved(end), members(end.joined)) == ((0, 4, 0), ["A"])


def test_journal__new_member_and_others_must_revoke__end_entry_when_all_reached_the_target(
    runner: JournaledScenario,
) -> None:
    (began,) = runner.run_lines("consumer-heartbeat g as B topics=t")
    assert (began.state_before, began.generation_before, began.cause) == ("Stable", 2, "member B joined")
    assert runner.run_lines("wait 300", "consumer-heartbeat g as A epoch=2 instance=web-1") == []
    assert runner.run_lines("wait 200", "consumer-heartbeat g as A epoch=2 instance=web-1 owned=t:0,1") == []
    (end,) = runner.run_lines("wait 100", "consumer-heartbeat g as B epoch=3")
    assert (end.outcome, end.generation, end.preparing_ms, end.completing_ms) == ("stable", 3, 0, 600)
    assert (moved(end), end.members, end.static_members) == ((2, 0, 0), 2, 1)


def test_journal__several_members_join_before_an_assignment__one_rebalance_with_all_epochs() -> None:
    runner = JournaledScenario()
    runner.run_lines("topic t partitions=4", "consumer-heartbeat g as A topics=t", "wait 400")
    (began,) = runner.run_lines("consumer-heartbeat g as B topics=t", "wait 100", "consumer-heartbeat g as C topics=t")
    assert began.cause == "member B joined"
    assert runner.host.tally.rebalances == {Cause.JOINED: 2}
    assert runner.host.tally.epoch_moves == {Cause.JOINED: 3}
    runner.run_lines(
        "wait 500",
        "consumer-heartbeat g as B epoch=2",
        "consumer-heartbeat g as A epoch=2",
        "consumer-heartbeat g as A epoch=2 owned=t:0,1",
    )
    told = runner.run_lines(
        "consumer-heartbeat g as A epoch=4 owned=t:0,1",
        "consumer-heartbeat g as B epoch=4",
        "consumer-heartbeat g as C epoch=2",
    )
    end = ended(told)
    assert (end.cause, end.generation_before, end.generation) == ("member B joined; and 1 more since", 2, 4)
    assert [(move.epoch, move.trigger, move.cause) for move in end.epoch_moves] == [
        (3, "joined", "member B joined"),
        (4, "joined", "member C joined"),
    ]
    assert (end.joined_count, end.preparing_ms) == (2, 600)


def test_journal__member_leaves_while_others_revoke__rebalance_superseded_by_the_next(
    runner: JournaledScenario,
) -> None:
    runner.run_lines("consumer-heartbeat g as B topics=t", "wait 1000")
    superseded, began = runner.run_lines("consumer-heartbeat g as B epoch=-1")
    assert (superseded.outcome, superseded.generation, superseded.partitions) == ("superseded", 3, None)
    assert (began.trigger, began.cause, began.state_before) == ("left", "member B left", "Reconciling")
    end = ended(
        runner.run_lines(
            "consumer-heartbeat g as A epoch=2 instance=web-1", "consumer-heartbeat g as A epoch=3 instance=web-1"
        )
    )
    assert (end.outcome, end.generation, members(end.departed), moved(end)) == ("stable", 4, ["B"], (0, 0, 0))
    assert runner.host.tally.superseded == 1


@pytest.mark.parametrize(
    ("lines", "trigger", "cause"),
    [
        (
            ["consumer-heartbeat g as A epoch=2 instance=web-1 topics=u"],
            "subscribed",
            "member A (instance web-1) changed its subscription",
        ),
        (
            ["topic t partitions=6", "consumer-heartbeat g as A epoch=2 instance=web-1"],
            "topics-changed",
            "subscribed topics were created, deleted or got more partitions",
        ),
        (["wait 45000"], "session-expired", "member A (instance web-1) sent no heartbeat within its session timeout"),
        (["consumer-heartbeat g as A epoch=-1 instance=web-1"], "left", "member A (instance web-1) left"),
    ],
)
def test_journal__each_cause_of_a_new_epoch__described_in_words(
    runner: JournaledScenario, lines: list[str], trigger: str, cause: str
) -> None:
    began = runner.run_lines(*lines)[0]
    assert isinstance(began, RebalanceBegan)
    assert (began.trigger, began.cause, began.state_before, began.generation_before) == (trigger, cause, "Stable", 2)


def test_journal__operator_requests_a_rebalance_of_a_consumer_group__entry_without_a_member(
    runner: JournaledScenario,
) -> None:
    runner.ask(commands.ConfigureGroup("g", GroupConfigs(group_rebalance_counter=1)))  # type: ignore[arg-type]
    (began,) = runner.run_lines()
    assert (began.trigger, began.cause) == ("requested", "an operator asked for a rebalance")
    end = ended(runner.run_lines("consumer-heartbeat g as A epoch=2 instance=web-1"))
    assert (end.outcome, end.generation, moved(end)) == ("stable", 3, (0, 0, 0))


def test_journal__member_does_not_revoke_in_time__entry_lists_it_as_departed(runner: JournaledScenario) -> None:
    runner.run_lines("consumer-heartbeat g as B topics=t", "consumer-heartbeat g as A epoch=2 instance=web-1")
    told = runner.run_lines(
        *("wait 40000", "consumer-heartbeat g as A epoch=2 instance=web-1", "consumer-heartbeat g as B epoch=3"),
        *("wait 20000", "consumer-heartbeat g as B epoch=3"),
    )
    superseded, began, end = told
    assert superseded.outcome == "superseded"
    assert (began.trigger, began.cause) == (
        "revocation-expired",
        "member A (instance web-1) did not finish its revocation within the rebalance timeout",
    )
    assert (end.outcome, moved(end), end.departed[0].trigger) == ("stable", (4, 0, 0), "revocation-expired")
    assert runner.host.tally.departures == {Cause.REVOCATION_EXPIRED: 1}


def test_journal__session_of_the_last_consumer_member_expires__outcome_is_empty(runner: JournaledScenario) -> None:
    began, end = runner.run_lines("wait 45000")
    assert (end.outcome, end.generation, end.members, end.completing_ms) == ("empty", 3, 0, None)
    assert (moved(end), began.generation_before) == ((0, 0, 4), 2)


# --- static members ---------------------------------------------------------------------------------------------------


def test_journal__static_member_of_a_consumer_group_restarts__entry_for_the_takeover(runner: JournaledScenario) -> None:
    assert runner.run_lines("consumer-heartbeat g as A epoch=-2 instance=web-1", "wait 5000") == []
    (entry,) = runner.run_lines("consumer-heartbeat g as A2 topics=t instance=web-1")
    assert isinstance(entry, SeatTakenOver)
    assert (entry.group_type, entry.generation, entry.replacement.group_instance_id) == ("consumer", 2, "web-1")
    assert entry.cause == "member A2 (instance web-1) returned and replaces member A: epoch 2 stays"
    assert runner.host.tally.seats_taken_over == 1


def test_journal__static_member_returns_with_its_old_member_id__entry_says_that_it_came_back(
    runner: JournaledScenario,
) -> None:
    (entry,) = runner.run_lines(
        "consumer-heartbeat g as A epoch=-2 instance=web-1", "consumer-heartbeat g as A topics=t instance=web-1"
    )
    assert entry.cause == "member A (instance web-1) returned after a temporary leave: epoch 2 stays"


def test_journal__static_member_replaced_during_a_rebalance__listed_in_the_entry_of_the_rebalance(
    runner: JournaledScenario,
) -> None:
    runner.run_lines("consumer-heartbeat g as B topics=t", "consumer-heartbeat g as A epoch=-2 instance=web-1")
    runner.run_lines("consumer-heartbeat g as A2 topics=t instance=web-1")
    told = runner.run_lines("consumer-heartbeat g as A2 epoch=3 instance=web-1", "consumer-heartbeat g as B epoch=3")
    end = ended(told)
    assert [one.member_id for one in end.replaced] == ["A2"]
    assert (end.outcome, moved(end)) == ("stable", (2, 0, 0))


def test_journal__static_member_returns_after_its_session_timeout__entry_has_the_time_since_the_session_expired(
    runner: JournaledScenario,
) -> None:
    runner.run_lines("wait 44000", "wait 4000")
    began = runner.run_lines("consumer-heartbeat g as A2 topics=t instance=web-1")[0]
    assert began.cause == (
        "member A2 (instance web-1) joined with a new member id: the session of the old member had expired 4 s before"
    )


# --- events without an entry ------------------------------------------------------------------------------------------


def test_journal__heartbeats_and_commits_of_a_consumer_group__no_entries(runner: JournaledScenario) -> None:
    assert runner.run_lines("consumer-heartbeat g as A epoch=2 instance=web-1", "fetch g t/0") == []


def test_journal__fail_over_during_a_rebalance__only_an_entry_for_its_start(runner: JournaledScenario) -> None:
    (began,) = runner.run_lines("consumer-heartbeat g as B topics=t")
    runner.host.fail_over()
    assert (
        runner.run_lines(
            "consumer-heartbeat g as A epoch=2 instance=web-1",
            "consumer-heartbeat g as A epoch=2 instance=web-1 owned=t:0,1",
        )
        == []
    )
    assert runner.run_lines("consumer-heartbeat g as B epoch=3") == []
    (again,) = runner.run_lines("wait 1000", "consumer-heartbeat g as C topics=t")
    assert (began.generation_before, again.generation_before, again.state_before) == (2, 3, "Stable")


def test_journal__consumer_group_deleted__new_member_replaces_no_former_one(runner: JournaledScenario) -> None:
    runner.run_lines("wait 45000", "delete g")
    began = runner.run_lines("consumer-heartbeat g as A2 topics=t instance=web-1")[0]
    assert (began.cause, began.generation_before) == ("member A2 (instance web-1) joined", 1)


def test_moved_partitions__two_targets__counted_or_none_if_there_are_too_many() -> None:
    topic: Any = topic_id_of("t")
    before: Any = {"web-1": TargetAssignment({topic: range(4)}), "web-2": TargetAssignment({topic: (4,)})}
    after: Any = {"web-1": TargetAssignment({topic: (0, 1, 4)}), "m-3": TargetAssignment({topic: (2, 5)})}
    found = target_moves(before, after)
    assert found is not None
    assert (found.moved, found.gained, found.lost) == (2, 1, 1)
    many: Any = range(JOURNAL_PARTITIONS_MAX + 1)
    assert target_moves({}, {"m": TargetAssignment({topic: many})}) is None


def test_journal__operator_removes_several_members__one_entry_each(runner: JournaledScenario) -> None:
    runner.run_lines("consumer-heartbeat g as B topics=t instance=web-2")
    superseded, began, end = runner.run_lines("leave g /web-2 /web-1")
    assert (superseded.outcome, end.outcome) == ("superseded", "empty")
    assert began.cause == "member B (instance web-2) and 1 more was removed by an operator"
    assert (members(end.departed), end.departed_count) == (["B", "A"], 2)
    assert runner.host.tally.departures == {Cause.REMOVED: 2}
