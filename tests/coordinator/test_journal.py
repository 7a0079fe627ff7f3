"""The rebalance journal: what a shard's history is told as."""

from pathlib import Path

import pytest

from tenure.broker.coordinators.journal import EVENTS
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.causes import Cause
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.journal.entries import (
    EpochMove,
    Former,
    Moves,
    Party,
    RebalanceBegan,
    Replacement,
    ReserveChanged,
    SeatTakenOver,
)
from tenure.coordinator.groups.journal.ownership import moves
from tenure.coordinator.groups.journal.sentences import duration
from tenure.limits.coordinator import JOURNAL_DEPARTED_MAX, JOURNAL_MEMBERS_NAMED_MAX
from tests.coordinator.told import Told, assignment, ended, names
from tests.coordinator.world import START_WALL_MS


@pytest.fixture
def stage() -> Told:
    """A(web-1) leads, B(web-2) follows, C is dynamic: Stable in generation 1."""
    told = Told()
    told.tell("stable g A(web-1):a B(web-2):b C:c", "wait 1")
    return told


def rejoin(stage: Told, *members: str) -> None:
    """Let present members join the rebalance that has begun."""
    for name in members:
        instance = {"A": " instance=web-1", "B": " instance=web-2"}.get(name, "")
        stage.perform(f"join g as {name} member={name}{instance}")


# --- what begins a rebalance ------------------------------------------------------------------------------------------


def test_first_member__empty_group__entry_with_both_phases() -> None:
    stage = Told(group_initial_rebalance_delay_ms="3000")
    (began,) = stage.tell("join g as A instance=web-1")
    assert (began.trigger, began.state_before, began.generation_before) == ("joined", "Empty", 0)
    assert began.cause == "member A (instance web-1) joined"
    stage.tell("wait 3000", "wait 250")
    stage.assign(1, "A", A=[0, 1])
    end = ended(stage.tell())
    assert (end.outcome, end.generation_before, end.generation, end.members, end.static_members) == (
        "stable",
        0,
        1,
        1,
        1,
    )
    assert (end.preparing_ms, end.completing_ms, end.began_ms) == (3_000, 250, START_WALL_MS)
    assert (end.leader, end.protocol_type, end.protocol_name) == (stage.ids["A"], "consumer", "range")
    assert (end.partitions.moved, end.partitions.gained, end.partitions.lost) == (0, 2, 0)


def test_static_member_back_after_its_session__entry_with_the_time_of_absence(stage: Told) -> None:
    stage.tell("heartbeat g as A generation=1 instance=web-1", "heartbeat g as C generation=1")
    stage.tell("wait 29990", "heartbeat g as A generation=1 instance=web-1", "heartbeat g as C generation=1")
    (began,) = stage.tell("wait 20")
    assert (began.trigger, began.cause) == (
        "session-expired",
        "member B (instance web-2) was silent for its session timeout",
    )
    rejoin(stage, "A", "C")
    stage.assign(2, "A", A=[0], C=[1])
    end = ended(stage.tell())
    assert (names(stage, end.departed), end.departed[0].trigger, end.members) == (["B"], "session-expired", 2)
    began = stage.tell("wait 4000", "join g as B' instance=web-2")[0]
    assert began.cause.startswith(
        "member B' (instance web-2) joined with a new id: the session of the old one had expired"
    )
    assert began.cause.endswith(" 4 s before")
    rejoin(stage, "A", "C")
    stage.assign(3, "A", A=[0], C=[], **{"B'": [1]})
    end = ended(stage.tell())
    assert [(stage.names[p.member_id], stage.names[p.former.member_id], p.former.trigger) for p in end.joined] == [
        ("B'", "B", "session-expired")
    ]
    assert 4_000 <= end.joined[0].former.before_ms < 5_000
    assert (end.partitions.moved, end.partitions.gained, end.partitions.lost) == (1, 0, 0)


def test_dynamic_member_back__entry_names_the_former_member(stage: Told) -> None:
    stage.tell("leave g C reason=deploy", "join g as A member=A instance=web-1", "join g as B member=B instance=web-2")
    stage.assign(2, "A", A=[0], B=[1])
    stage.tell("wait 2000")
    (began,) = stage.tell("join g as D v=3")
    assert began.cause == "member D joined; C of the same client and host is gone: the old one had left 2 s before"


@pytest.mark.parametrize(
    ("line", "trigger", "cause"),
    [
        ("join g as D v=3 reason=hello", "joined", 'member D joined, saying "hello"'),
        ("leave g C reason=bye", "left", 'member C left, saying "bye"'),
        ("leave g /web-2", "removed", "member B (instance web-2) was removed by an operator"),
        ("join g as A member=A instance=web-1", "leader-joined", "member A (instance web-1) leads and joined again"),
        (
            "join g as C member=C protocols=range:other",
            "joined-changed",
            "member C joined again with other protocols",
        ),
    ],
)
def test_stable_group__each_cause_in_words(stage: Told, line: str, trigger: str, cause: str) -> None:
    first = stage.tell(line)[0]
    assert isinstance(first, RebalanceBegan)
    assert (first.trigger, first.cause) == (trigger, cause)
    assert (first.state_before, first.generation_before) == ("Stable", 1)


def test_static_member_restarts__no_rebalance__entry_for_the_takeover(stage: Told) -> None:
    (entry,) = stage.tell("join g as B' instance=web-2")
    assert isinstance(entry, SeatTakenOver)
    assert (entry.generation, entry.replacement.group_instance_id) == (1, "web-2")
    assert entry.cause == (
        "member B' (instance web-2) came back and took over its seat from B, which is fenced: generation 1 stays"
    )
    assert (stage.world.tally.seats_taken_over, stage.tell("heartbeat g as A generation=1 instance=web-1")) == (1, [])


def test_reserve_member__joins_and_leaves__entries_without_a_rebalance(stage: Told) -> None:
    stage.ask(commands.ConfigureGroup("g", GroupConfigs(target_group_size=3), at_load=True))
    (came,) = stage.tell("join g as S instance=web-9 protocols=range:topics")
    assert isinstance(came, ReserveChanged)
    assert (came.cause, came.generation) == ("member S (instance web-9) joined as a standby", 1)
    (went,) = stage.tell("leave g /web-9")
    assert went.cause == "standby member S (instance web-9) was removed by an operator"
    assert (names(stage, came.joined), names(stage, went.departed)) == (["S"], ["S"])


def test_operator__requests_a_rebalance__entry_without_a_member(stage: Told) -> None:
    stage.ask(commands.ConfigureGroup("g", GroupConfigs(group_rebalance_counter=1)))
    (began,) = stage.tell()
    assert (began.trigger, began.cause) == ("requested", "an operator asked for a rebalance")


def test_heartbeats_and_commits__no_entries(stage: Told) -> None:
    assert stage.tell("heartbeat g as C generation=1", "commit g as C generation=1 t/0=5", "fetch g t/0") == []


# --- what becomes of it -----------------------------------------------------------------------------------------------


def test_static_member_back_while_the_leader_assigns__superseded(stage: Told) -> None:
    stage.tell("join g as D v=3")
    rejoin(stage, "A", "B", "C")
    superseded, began = stage.tell("wait 70", "join g as B' instance=web-2")
    assert (superseded.outcome, superseded.generation, superseded.completing_ms) == ("superseded", 2, 70)
    assert (began.trigger, began.state_before, began.generation_before) == ("came-back", "CompletingRebalance", 2)
    assert began.cause == "member B' (instance web-2) came back under a new id"
    stage.perform("join g as D member=D")
    rejoin(stage, "A", "C")
    stage.assign(3, "A", A=[0], **{"B'": [1]})
    end = ended(stage.tell())
    assert [stage.names[r.member_id] for r in end.replaced] == ["B'"]
    assert (end.outcome, end.partitions) == ("stable", None)  # what was assigned before are no assignments of consumers


def test_members_that_do_not_come_back__named_in_the_rebalance_that_waited(stage: Told) -> None:
    stage.tell("join g as A member=A instance=web-1", "join g as B member=B instance=web-2")
    stage.tell("heartbeat g as C generation=1", "wait 29000", "heartbeat g as C generation=1")
    stage.tell("wait 29000", "heartbeat g as C generation=1", "wait 2000")
    stage.assign(2, "A", A=[0], B=[1])
    end = ended(stage.tell())
    assert (names(stage, end.departed), end.departed[0].trigger) == (["C"], "join-expired")
    assert (end.preparing_ms, end.outcome) == (60_000, "stable")


def test_last_member_leaves__empty(stage: Told) -> None:
    began, end = stage.tell("leave g A B C")
    assert (began.cause, end.outcome, end.generation, end.members) == (
        "member A (instance web-1) and 2 more left",
        "empty",
        2,
        0,
    )
    assert (end.departed_count, end.joined_count, end.completing_ms, end.leader) == (3, 0, None, None)


def test_broker_resigns_during_a_rebalance__reported_as_cut_short(stage: Told) -> None:
    stage.tell("join g as D v=3")
    (end,) = stage.tell("resign")
    assert (end.outcome, end.completing_ms) == ("resigned", None)


def test_fail_over_during_a_rebalance__entry_for_its_start_only(stage: Told) -> None:
    (began,) = stage.tell("join g as D v=3")
    stage.world.fail_over()
    assert stage.tell("wait 10") == []
    assert (began.trigger, stage.tell("join g as B' instance=web-2")[0].generation) == ("joined", 1)


def test_load__more_members_than_allowed__entry_without_a_member() -> None:
    stage = Told()
    stage.tell("stable g A:a B:b C:c")
    stage.world.settings = type(stage.world.settings)(group_max_size=2)
    stage.world.fail_over()
    (began,) = stage.tell()
    assert (began.trigger, began.cause) == ("oversize", Cause.OVERSIZE.value)


def test_deleted_group__journal_state_removed(stage: Told) -> None:
    stage.tell("leave g A B C", "delete g")
    (began,) = stage.tell("join g as A instance=web-1")
    assert began.cause == f"member {stage.ids['A']} (instance web-1) joined".replace(stage.ids["A"], "A")
    assert stage.world.tally.departures == {Cause.LEFT: 3}


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_many_members__named_up_to_a_limit_then_counted() -> None:
    stage = Told()
    many = JOURNAL_MEMBERS_NAMED_MAX + JOURNAL_DEPARTED_MAX
    everybody = [f"M{n}" for n in range(many)]
    stage.tell("stable g " + " ".join(f"{name}(i-{name}):x" for name in everybody))
    began, end = stage.tell("leave g " + " ".join(everybody))
    assert f"and {many - 1} more left" in began.cause
    assert (end.departed_count, len(end.departed)) == (many, JOURNAL_MEMBERS_NAMED_MAX)
    (began,) = stage.tell("join g as Late instance=i-M0")
    assert began.cause == "member Late (instance i-M0) joined"
    stage.tell(f"join g as Early instance=i-M{many - 1}", "wait 9000")
    stage.assign(3, "Late", Late=[0], Early=[1])
    end = ended(stage.tell())
    assert [party.former is not None for party in end.joined] == [False, True]


def test_moves__static_and_dynamic_members__counted_by_seat() -> None:
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
def test_duration__largest_unit_that_fits(of_ms: int, words: str) -> None:
    assert duration(of_ms) == words


def test_document__names_every_field_of_every_entry() -> None:
    written = (Path(__file__).parents[2] / "docs" / "journal.md").read_text("utf-8")
    kinds = (*EVENTS, EpochMove, Party, Former, Replacement, Moves)
    fields = {name for kind in kinds for name in kind.__match_args__}
    assert {name for name in fields if f"`{name}`" not in written} == set()
    assert f"the first {JOURNAL_MEMBERS_NAMED_MAX} of them" in written
