"""Entries of the rebalance journal for the history of a shard."""

from pathlib import Path

import pytest

from tenure.broker.coordinators.journal import EVENTS
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.journal.entries import (
    ChangedMember,
    EpochMove,
    FormerMember,
    Moves,
    RebalanceBegan,
    Replacement,
    ReserveChanged,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.ownership import moves
from tenure.coordinator.groups.journal.sentences import duration
from tenure.limits.coordinator import JOURNAL_DEPARTED_MAX, JOURNAL_MEMBERS_NAMED_MAX
from tests.coordinator.journaled import JournaledScenario, assignment, ended, names
from tests.coordinator.virtual_host import START_WALL_MS


@pytest.fixture
def runner() -> JournaledScenario:
    """Return a Stable group in generation 1: A(web-1) leads, B(web-2) follows, C is dynamic."""
    told = JournaledScenario()
    told.run_lines("stable g A(web-1):a B(web-2):b C:c", "wait 1")
    return told


def rejoin(runner: JournaledScenario, *members: str) -> None:
    """Let present members join the rebalance that has begun."""
    for name in members:
        instance = {"A": " instance=web-1", "B": " instance=web-2"}.get(name, "")
        runner.perform(f"join g as {name} member={name}{instance}")


# --- start of a rebalance ---------------------------------------------------------------------------------------------


def test_journal__first_member_joins__entry_with_times_of_join_and_sync_phase() -> None:
    runner = JournaledScenario(group_initial_rebalance_delay_ms="3000")
    (began,) = runner.run_lines("join g as A instance=web-1")
    assert (began.trigger, began.state_before, began.generation_before) == ("joined", "Empty", 0)
    assert began.cause == "member A (instance web-1) joined"
    runner.run_lines("wait 3000", "wait 250")
    runner.assign(1, "A", A=[0, 1])
    end = ended(runner.run_lines())
    assert (end.outcome, end.generation_before, end.generation, end.members, end.static_members) == (
        "stable",
        0,
        1,
        1,
        1,
    )
    assert (end.preparing_ms, end.completing_ms, end.began_ms) == (3_000, 250, START_WALL_MS)
    assert (end.leader, end.protocol_type, end.protocol_name) == (runner.ids["A"], "consumer", "range")
    assert (end.partitions.moved, end.partitions.gained, end.partitions.lost) == (0, 2, 0)


def test_journal__static_member_returns_after_its_session_timeout__entry_has_the_time_of_absence(
    runner: JournaledScenario,
) -> None:
    runner.run_lines("heartbeat g as A generation=1 instance=web-1", "heartbeat g as C generation=1")
    runner.run_lines("wait 29990", "heartbeat g as A generation=1 instance=web-1", "heartbeat g as C generation=1")
    (began,) = runner.run_lines("wait 20")
    assert (began.trigger, began.cause) == (
        "session-expired",
        "member B (instance web-2) sent no heartbeat within its session timeout",
    )
    rejoin(runner, "A", "C")
    runner.assign(2, "A", A=[0], C=[1])
    end = ended(runner.run_lines())
    assert (names(runner, end.departed), end.departed[0].trigger, end.members) == (["B"], "session-expired", 2)
    began = runner.run_lines("wait 4000", "join g as B' instance=web-2")[0]
    assert began.cause.startswith(
        "member B' (instance web-2) joined with a new member id: the session of the old member had expired"
    )
    assert began.cause.endswith(" 4 s before")
    rejoin(runner, "A", "C")
    runner.assign(3, "A", A=[0], C=[], **{"B'": [1]})
    end = ended(runner.run_lines())
    assert [(runner.names[p.member_id], runner.names[p.former.member_id], p.former.trigger) for p in end.joined] == [
        ("B'", "B", "session-expired")
    ]
    assert 4_000 <= end.joined[0].former.before_ms < 5_000
    assert (end.partitions.moved, end.partitions.gained, end.partitions.lost) == (1, 0, 0)


def test_journal__dynamic_member_returns_with_a_new_id__entry_names_the_former_member(
    runner: JournaledScenario,
) -> None:
    runner.run_lines(
        "leave g C reason=deploy", "join g as A member=A instance=web-1", "join g as B member=B instance=web-2"
    )
    runner.assign(2, "A", A=[0], B=[1])
    runner.run_lines("wait 2000")
    (began,) = runner.run_lines("join g as D v=3")
    assert (
        began.cause
        == "member D joined; member C of the same client and host is gone: the old member had left 2 s before"
    )


@pytest.mark.parametrize(
    ("line", "trigger", "cause"),
    [
        ("join g as D v=3 reason=hello", "joined", 'member D joined, saying "hello"'),
        ("leave g C reason=bye", "left", 'member C left, saying "bye"'),
        ("leave g /web-2", "removed", "member B (instance web-2) was removed by an operator"),
        (
            "join g as A member=A instance=web-1",
            "leader-joined",
            "member A (instance web-1) is the leader and joined again",
        ),
        (
            "join g as C member=C protocols=range:other",
            "joined-changed",
            "member C joined again with other protocols",
        ),
    ],
)
def test_journal__each_cause_of_a_rebalance__described_in_words(
    runner: JournaledScenario, line: str, trigger: str, cause: str
) -> None:
    first = runner.run_lines(line)[0]
    assert isinstance(first, RebalanceBegan)
    assert (first.trigger, first.cause) == (trigger, cause)
    assert (first.state_before, first.generation_before) == ("Stable", 1)


def test_journal__static_member_restarts_without_a_rebalance__entry_for_the_takeover(runner: JournaledScenario) -> None:
    (entry,) = runner.run_lines("join g as B' instance=web-2")
    assert isinstance(entry, SeatTakenOver)
    assert (entry.generation, entry.replacement.group_instance_id) == (1, "web-2")
    assert entry.cause == (
        "member B' (instance web-2) returned and replaces member B, which is fenced: generation 1 stays"
    )
    assert (runner.host.tally.seats_taken_over, runner.run_lines("heartbeat g as A generation=1 instance=web-1")) == (
        1,
        [],
    )


def test_journal__reserve_member_joins_and_leaves__entries_without_a_rebalance(runner: JournaledScenario) -> None:
    runner.ask(commands.ConfigureGroup("g", GroupConfigs(target_group_size=3), at_load=True))
    (came,) = runner.run_lines("join g as S instance=web-9 protocols=range:topics")
    assert isinstance(came, ReserveChanged)
    assert (came.cause, came.generation) == ("member S (instance web-9) joined as a reserve member", 1)
    (went,) = runner.run_lines("leave g /web-9")
    assert went.cause == "reserve member S (instance web-9) was removed by an operator"
    assert (names(runner, came.joined), names(runner, went.departed)) == (["S"], ["S"])


def test_journal__operator_requests_a_rebalance__entry_without_a_member(runner: JournaledScenario) -> None:
    runner.ask(commands.ConfigureGroup("g", GroupConfigs(group_rebalance_counter=1)))
    (began,) = runner.run_lines()
    assert (began.trigger, began.cause) == ("requested", "an operator asked for a rebalance")


def test_journal__heartbeats_and_commits__no_entries(runner: JournaledScenario) -> None:
    assert runner.run_lines("heartbeat g as C generation=1", "commit g as C generation=1 t/0=5", "fetch g t/0") == []


# --- end of a rebalance -----------------------------------------------------------------------------------------------


def test_journal__static_member_returns_while_the_leader_assigns__rebalance_superseded_by_the_next(
    runner: JournaledScenario,
) -> None:
    runner.run_lines("join g as D v=3")
    rejoin(runner, "A", "B", "C")
    superseded, began = runner.run_lines("wait 70", "join g as B' instance=web-2")
    assert (superseded.outcome, superseded.generation, superseded.completing_ms) == ("superseded", 2, 70)
    assert (began.trigger, began.state_before, began.generation_before) == ("came-back", "CompletingRebalance", 2)
    assert began.cause == "member B' (instance web-2) returned with a new member id"
    runner.perform("join g as D member=D")
    rejoin(runner, "A", "C")
    runner.assign(3, "A", A=[0], **{"B'": [1]})
    end = ended(runner.run_lines())
    assert [runner.names[r.member_id] for r in end.replaced] == ["B'"]
    assert (end.outcome, end.partitions) == ("stable", None)  # earlier assignments have another format


def test_journal__member_does_not_rejoin_in_time__entry_names_it_as_departed(runner: JournaledScenario) -> None:
    runner.run_lines("join g as A member=A instance=web-1", "join g as B member=B instance=web-2")
    runner.run_lines("heartbeat g as C generation=1", "wait 29000", "heartbeat g as C generation=1")
    runner.run_lines("wait 29000", "heartbeat g as C generation=1", "wait 2000")
    runner.assign(2, "A", A=[0], B=[1])
    end = ended(runner.run_lines())
    assert (names(runner, end.departed), end.departed[0].trigger) == (["C"], "join-expired")
    assert (end.preparing_ms, end.outcome) == (60_000, "stable")


def test_journal__last_member_leaves__outcome_of_the_rebalance_is_empty(runner: JournaledScenario) -> None:
    began, end = runner.run_lines("leave g A B C")
    assert (began.cause, end.outcome, end.generation, end.members) == (
        "member A (instance web-1) and 2 more left",
        "empty",
        2,
        0,
    )
    assert (end.departed_count, end.joined_count, end.completing_ms, end.leader) == (3, 0, None, None)


def test_journal__broker_resigns_during_a_rebalance__outcome_is_resigned(runner: JournaledScenario) -> None:
    runner.run_lines("join g as D v=3")
    (end,) = runner.run_lines("resign")
    assert (end.outcome, end.completing_ms) == ("resigned", None)


def test_journal__fail_over_during_a_rebalance__only_an_entry_for_its_start(runner: JournaledScenario) -> None:
    (began,) = runner.run_lines("join g as D v=3")
    runner.host.fail_over()
    assert runner.run_lines("wait 10") == []
    assert (began.trigger, runner.run_lines("join g as B' instance=web-2")[0].generation) == ("joined", 1)


def test_journal__group_larger_than_group_max_size_after_a_load__entry_without_a_member() -> None:
    runner = JournaledScenario()
    runner.run_lines("stable g A:a B:b C:c")
    runner.host.settings = type(runner.host.settings)(group_max_size=2)
    runner.host.fail_over()
    (began,) = runner.run_lines()
    assert (began.trigger, began.cause) == ("oversize", Cause.OVERSIZE.value)


def test_journal__group_deleted__new_member_replaces_no_former_one(runner: JournaledScenario) -> None:
    runner.run_lines("leave g A B C", "delete g")
    (began,) = runner.run_lines("join g as A instance=web-1")
    assert began.cause == f"member {runner.ids['A']} (instance web-1) joined".replace(runner.ids["A"], "A")
    assert runner.host.tally.departures == {Cause.LEFT: 3}


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_journal__many_members_in_an_entry__some_named_and_the_others_counted() -> None:
    runner = JournaledScenario()
    many = JOURNAL_MEMBERS_NAMED_MAX + JOURNAL_DEPARTED_MAX
    everybody = [f"M{n}" for n in range(many)]
    runner.run_lines("stable g " + " ".join(f"{name}(i-{name}):x" for name in everybody))
    began, end = runner.run_lines("leave g " + " ".join(everybody))
    assert f"and {many - 1} more left" in began.cause
    assert (end.departed_count, len(end.departed)) == (many, JOURNAL_MEMBERS_NAMED_MAX)
    (began,) = runner.run_lines("join g as Late instance=i-M0")
    assert began.cause == "member Late (instance i-M0) joined"
    runner.run_lines(f"join g as Early instance=i-M{many - 1}", "wait 9000")
    runner.assign(3, "Late", Late=[0], Early=[1])
    end = ended(runner.run_lines())
    assert [changed_member.former is not None for changed_member in end.joined] == [False, True]


def test_moves__partitions_moved_gained_and_lost__each_counted() -> None:
    before = {"web-1": assignment(0, 1, 2), "web-2": assignment(3), "gone": assignment(4, 5)}
    after = {"web-1": assignment(0, 1), "web-2": assignment(3, 2, 4), "new": assignment(6)}
    found = moves(before, after)
    assert found is not None
    assert (found.moved, found.gained, found.lost) == (2, 1, 1)
    assert moves(before, {"web-1": b"\x00"}) is None
    assert moves({}, {"web-1": assignment(*range(100_000))}) is None


@pytest.mark.parametrize(
    ("of_ms", "words"),
    [(-5, "0 ms"), (350, "350 ms"), (4_999, "4 s"), (90_000, "1 min"), (7_200_000, "2 h"), (9**9, "4 d")],
)
def test_duration_text__any_milliseconds__largest_unit_that_fits(of_ms: int, words: str) -> None:
    assert duration(of_ms) == words


def test_journal_page_of_the_docs__each_field_of_each_entry__is_described() -> None:
    written = (Path(__file__).parents[2] / "docs" / "journal.md").read_text("utf-8")
    kinds = (*EVENTS, EpochMove, ChangedMember, FormerMember, Replacement, Moves)
    fields = {name for kind in kinds for name in kind.__match_args__}
    assert {name for name in fields if f"`{name}`" not in written} == set()
    assert f"the first {JOURNAL_MEMBERS_NAMED_MAX} of them" in written
