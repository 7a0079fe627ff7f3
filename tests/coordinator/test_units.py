"""Rare cases of the groups shard."""

from functools import partial
from typing import Any

import pytest

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Joined
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.states import ALLOWED_FROM, State
from tenure.coordinator.groups.refusals import unavailable
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import InvariantError, LogRecord
from tenure.coordinator.timer_heap import TimerHeap
from tenure.limits.coordinator import OFFSETS_CHECKED_PER_STEP_MAX, OFFSETS_PER_COMMIT_MAX, STOPPED_TIMERS_KEPT
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.errors import ErrorCode
from tests.coordinator.virtual_host import VirtualHost

TOPIC_ID = bytes(range(16))


@pytest.mark.parametrize(
    ("group_id", "partition"),
    [
        ("", 0),
        ("g", 3),
        ("console-consumer-1234", 9),
        ("flight-delays", 43),
        ("grüße", 23),
        ("😀-group", 43),
        ("polygenelubricants", 0),
        ("g" * 300, 6),
    ],
)
def test_partition_of_group__any_group_id__same_as_in_java(group_id: str, partition: int) -> None:
    """Compare with results of Java (rule 6.2).

    The hash of "polygenelubricants" is -2**31, whose absolute value Kafka takes for 0.
    """
    assert partition_of(group_id, 50) == partition


@pytest.mark.parametrize("before", State)
@pytest.mark.parametrize("after", State)
def test_classic_group_state__any_transition__allowed_as_in_the_table_of_rule_2_2(before: State, after: State) -> None:
    """Check the table of rule 2.2."""
    group = ClassicGroup("g")
    group.state = before
    if before in ALLOWED_FROM[after]:
        group.set_state(after, 5)
        assert (group.state, group.state_since_ms) == (after, 5)
    else:
        with pytest.raises(InvariantError, match="cannot go from"):
            group.set_state(after, 5)


def test_check_invariants__two_members_with_one_instance_id__invariant_error() -> None:
    group = ClassicGroup("g")
    for member_id in ("a", "b"):
        group.members[member_id] = Member(member_id, "web-1", "c", "/h", 1, 1, (("range", b""),))
    group.leader = "a"
    group.static_members["web-1"] = "a"
    with pytest.raises(InvariantError, match="OneInstanceOneMember"):
        group.check_invariants()


# --- deadlines --------------------------------------------------------------------------------------------------------


def session_of(name: str) -> Timer:
    return Timer(TimerKind.SESSION, "g", name)


def test_deadline__extended__expires_at_the_new_time() -> None:
    state = {session_of("a"): 10}
    timers = TimerHeap(state.get)
    timers.arm(session_of("a"), 10)
    state[session_of("a")] = 30
    assert timers.take(20) == []
    assert timers.next_ms() == 30
    assert timers.take(30) == [session_of("a")]
    assert timers.next_ms() is None


def test_deadline__moved_to_an_earlier_time__expires_once() -> None:
    state = {session_of("a"): 100}
    timers = TimerHeap(state.get)
    timers.arm(session_of("a"), 100)
    state[session_of("a")] = 10
    timers.arm(session_of("a"), 10)
    assert timers.take(10) == [session_of("a")]
    del state[session_of("a")]
    assert timers.take(200) == []


def test_deadlines__several_expired__ordered_by_time_and_then_by_timer() -> None:
    state = {Timer(TimerKind.SYNC, "g"): 5, session_of("b"): 5, session_of("a"): 4}
    timers = TimerHeap(state.get)
    for timer, at_ms in state.items():
        timers.arm(timer, at_ms)
    assert timers.take(9) == [session_of("a"), session_of("b"), Timer(TimerKind.SYNC, "g")]


def test_deadlines__many_timers_stopped__heap_stays_small() -> None:
    state: dict[Timer, int] = {}
    timers = TimerHeap(state.get)
    for number in range(10 * STOPPED_TIMERS_KEPT):
        timer = session_of(str(number))
        state[timer] = 1_000_000 + number
        timers.arm(timer, state[timer])
        del state[timer]
    assert len(timers._heap) <= STOPPED_TIMERS_KEPT
    assert len(timers._queued) <= STOPPED_TIMERS_KEPT


# --- offsets ----------------------------------------------------------------------------------------------------------


def fetch_one(host: VirtualHost, topic_id: bytes) -> int:
    host.ask(commands.FetchOffsets("g", [commands.OffsetsWanted("t", topic_id, [0])]))
    return host.replies[-1][1].topics[0].partitions[0].offset  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    ("committed_under", "asked_under", "offset"),
    [
        (TOPIC_ID, TOPIC_ID, 7),
        (TOPIC_ID, bytes(16), 7),
        (bytes(16), TOPIC_ID, 7),
        (TOPIC_ID, bytes(15) + b"x", -1),
    ],
)
def test_offset_fetch__topic_id_given__offset_returned_unless_committed_under_another_topic_id(
    committed_under: bytes, asked_under: bytes, offset: int
) -> None:
    host = VirtualHost()
    one = commands.OffsetToCommit("t", committed_under, 0, 7)
    host.ask(commands.CommitOffsets("g", "", None, -1, [one]))
    assert fetch_one(host, asked_under) == offset


@pytest.mark.parametrize(
    ("committed_under", "told"), [(bytes(16), TOPIC_ID), (bytes(15) + b"x", bytes(15) + b"x")], ids=["none", "old"]
)
def test_offset_fetch__all_topics__topic_id_of_the_commit_or_else_the_present_one(
    committed_under: bytes, told: bytes
) -> None:
    host = VirtualHost()
    host.topics.put(Topic("t", TOPIC_ID, 1))
    offsets = [commands.OffsetToCommit(topic, committed_under, 0, 7) for topic in ("gone", "t")]
    host.ask(commands.CommitOffsets("g", "", None, -1, offsets))
    host.ask(commands.FetchOffsets("g", None))
    found = [(topic.topic, topic.topic_id) for topic in host.replies[-1][1].topics]
    assert found == [("gone", committed_under), ("t", told)]


def test_commit__fail_over_afterwards__offset_leader_epoch_metadata_and_topic_id_unchanged() -> None:
    host = VirtualHost()
    one = commands.OffsetToCommit("t", TOPIC_ID, 3, 7, 5, "tenure1:abc")
    host.ask(commands.CommitOffsets("g", "", None, -1, [one]))
    host.fail_over()
    ((value,),) = (offsets.values() for offsets in host.shard.digest()[1].values())
    assert (value.offset, value.leader_epoch, value.metadata, value.topic_id) == (7, 5, "tenure1:abc", TOPIC_ID)


def test_commit__empty_group_id__accepted() -> None:
    host = VirtualHost()
    host.ask(commands.CommitOffsets("", "", None, -1, [commands.OffsetToCommit("t", TOPIC_ID, 0, 1)]))
    host.ask(commands.DescribeGroup(""))
    assert host.replies[-1][1].state == "Empty"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("epochs_supported", "refused"), [(True, ErrorCode.GROUP_ID_NOT_FOUND), (False, ErrorCode.ILLEGAL_GENERATION)]
)
def test_commit__group_does_not_exist_but_generation_given__error_depends_on_version(
    epochs_supported: bool, refused: ErrorCode
) -> None:
    host = VirtualHost()
    one = commands.OffsetToCommit("t", TOPIC_ID, 0, 1)
    host.ask(commands.CommitOffsets("g", "", None, 3, [one], member_epochs_supported=epochs_supported))
    assert host.replies[-1][1] == Refused(refused)


@pytest.mark.parametrize(
    "commit",
    [commands.CommitOffsets, partial(commands.CommitInTransaction, producer_id=7, producer_epoch=0)],
    ids=["plain", "in-transaction"],
)
def test_commit__more_offsets_than_one_commit_may_have__refused_but_errors_of_fencing_come_first(commit: Any) -> None:
    host = VirtualHost()
    offsets = [commands.OffsetToCommit("t", TOPIC_ID, 0, offset) for offset in range(OFFSETS_PER_COMMIT_MAX + 1)]
    host.ask(commit("g", "", None, -1, offsets))
    assert host.replies[-1][1] == Refused(ErrorCode.UNKNOWN_SERVER_ERROR)
    host.ask(commit("g", "", None, 3, offsets))
    assert host.replies[-1][1].error_code in (ErrorCode.GROUP_ID_NOT_FOUND, ErrorCode.ILLEGAL_GENERATION)
    assert not any(host.shard.digest())


@pytest.mark.parametrize(
    "command",
    [
        commands.SyncGroup("", "m", None, 1, "consumer", "range", {}),
        commands.Heartbeat("", "m", None, 1),
        commands.LeaveGroup("", [commands.Leaver("m")]),
    ],
)
def test_sync_heartbeat_or_leave__empty_group_id__refused_even_if_a_commit_has_created_the_group(
    command: object,
) -> None:
    host = VirtualHost()
    for _ in range(2):
        host.ask(command)
        assert host.replies[-1][1] == Refused(ErrorCode.INVALID_GROUP_ID)
        host.ask(commands.CommitOffsets("", "", None, -1, [commands.OffsetToCommit("t", TOPIC_ID, 0, 5)]))


@pytest.mark.parametrize("delay_ms", [0, 1])
def test_join__two_members_in_the_same_millisecond_and_initial_delay_of_at_most_1_ms__one_generation(
    delay_ms: int,
) -> None:
    host = VirtualHost(GroupSettings(group_initial_rebalance_delay_ms=delay_ms))
    for client in ("a", "b"):
        host.ask(commands.JoinGroup("g", "", client, client, "/h", 10_000, 10_000, "consumer", [("range", b"")]))
    assert host.replies == []
    while len(host.replies) < 2:
        assert host.next_moment(host.tick_ms + 10)
        host.turn()
    joined = [answer for _, answer in host.replies if isinstance(answer, Joined)]
    assert [answer.generation_id for answer in joined] == [1, 1]
    assert max(len(answer.members) for answer in joined) == 2


# --- expiry -----------------------------------------------------------------------------------------------------------


def test_expiry_of_offsets__more_offsets_than_one_step_may_examine__all_removed_in_several_turns() -> None:
    host = VirtualHost(GroupSettings(offsets_retention_minutes=1))
    groups = {"large": 2 * OFFSETS_CHECKED_PER_STEP_MAX + 1, "small": 1, "kept": 2}
    for group_id, count in groups.items():
        offsets = [commands.OffsetToCommit("t", TOPIC_ID, partition, 7) for partition in range(count)]
        host.ask(commands.CommitOffsets(group_id, "", None, -1, offsets, 3_600_000 if group_id == "kept" else -1))
    host.take()
    assert host.next_moment(600_000)
    steps = 0
    while host.next_moment(600_000):
        host.turn()
        steps += 1
    host.ask(commands.ListGroups())
    assert [group.group_id for group in host.replies[-1][1].groups] == ["kept"]  # type: ignore[attr-defined]
    tombstones = [record for record in host.take()[0] if isinstance(record, LogRecord)]
    assert len(tombstones) == sum(groups.values()) - groups["kept"] + 2
    assert steps == 3


def test_expiry_of_offsets__group_deleted_before_its_turn__group_skipped() -> None:
    host = VirtualHost(GroupSettings(offsets_retention_minutes=1))
    offsets = [
        commands.OffsetToCommit("t", TOPIC_ID, partition, 7) for partition in range(OFFSETS_CHECKED_PER_STEP_MAX)
    ]
    for group_id in ("first", "second"):
        host.ask(commands.CommitOffsets(group_id, "", None, -1, offsets))
    host.next_moment(600_000)
    host.turn()
    host.ask(commands.DeleteGroup("second"))
    host.turn()
    assert host.shard.digest() == ({}, {})


# --- cases that scenario files cannot show ----------------------------------------------------------------------------


def test_join__impossible_empty_group_with_a_static_member__unknown_server_error() -> None:
    """Answer UNKNOWN_SERVER_ERROR in a state that cannot occur, because an Empty group has no members (scenario 60)."""
    host = VirtualHost()
    host.ask(commands.CommitOffsets("g", "", None, -1, [commands.OffsetToCommit("t", TOPIC_ID, 0, 1)]))
    host.shard._groups.by_id["g"].static_members["web-1"] = "lost"
    protocols = [("range", b"")]
    host.ask(commands.JoinGroup("g", "", "web-1", "c", "/h", 10_000, 10_000, "consumer", protocols))
    assert host.replies[-1][1] == Refused(ErrorCode.UNKNOWN_SERVER_ERROR)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (commands.Heartbeat("g", "m", None, 1), ACCEPTED),
        (commands.SyncGroup("g", "m", None, 1, "consumer", "range", {}), Refused(ErrorCode.REBALANCE_IN_PROGRESS)),
        (commands.LeaveGroup("g", []), Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)),
        (commands.FetchOffsets("g", None), Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)),
    ],
)
def test_coordinator_loading__any_command__heartbeats_accepted_and_others_refused(
    command: object, answer: object
) -> None:
    """Accept heartbeats while the coordinator loads (scenario 74, and the note to rule 2.3 on SyncGroup)."""
    assert unavailable(command, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS) == answer
