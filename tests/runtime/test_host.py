"""Host of a shard: order of commands, delayed replies, failed appends, bugs, loading."""

from collections.abc import Callable

import pytest

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups.answers import Committed, Fetched, Joined
from tenure.coordinator.groups.commands import (
    CommitOffsets,
    ConsumerHeartbeat,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    OffsetToCommit,
    SyncGroup,
    TopicsDeleted,
)
from tenure.coordinator.groups.effects import ResolveRegex, perform
from tenure.coordinator.groups.records import SyncTimerArmed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import NO_ASK, AskId, CoordinatorResult, InvariantError, Now
from tenure.limits.runtime import COORDINATOR_BATCH_BYTES
from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState, Ready

NOW = Now(1_700_000_000_000, 1_000)
RANDOM_BYTES: Callable[[int], bytes] = lambda count: bytes(range(count))  # noqa: E731


def new_shard() -> GroupsShard:
    return GroupsShard(GroupSettings(), RANDOM_BYTES)


def active_host() -> Host[GroupsShard]:
    host = Host(new_shard, GroupsCodec())
    host.load([], NOW)
    return host


def commit(group_id: str, offset: int, metadata: str = "") -> CommitOffsets:
    return CommitOffsets(group_id, "", None, -1, [OffsetToCommit("t", ZERO_TOPIC_ID, 0, offset, -1, metadata)])


def fetch(group_id: str) -> FetchOffsets:
    return FetchOffsets(group_id, None)


def asks_answered(host: Host[GroupsShard]) -> list[int]:
    return [ask for ask, _ in host.take_replies()]


def batch_of(ready: Ready | None) -> bytes:
    assert ready is not None
    assert ready.batch is not None
    return ready.batch


# --- turns ------------------------------------------------------------------------------------------------------------


def test_turn__many_commands__one_record_batch_in_the_order_of_the_commands() -> None:
    host = active_host()
    for number in range(5):
        host.submit(AskId(number), commit("g", number))
    records = decode_records(next(read_batches(batch_of(host.turn(NOW)))))
    assert [int.from_bytes(record.value[2:10], "big") for record in records if record.value] == [0, 1, 2, 3, 4]
    assert {record.timestamp_ms for record in records} == {NOW.wall_ms}


def test_turn__rule_requests_an_effect__effect_taken_once_and_its_result_submitted_as_a_command() -> None:
    host = active_host()
    host.submit(AskId(1), joins_by_regex())
    batch_of(host.turn(NOW))
    (effect,) = host.take_effects()
    assert isinstance(effect, ResolveRegex)
    assert host.take_effects() == []
    host.appended(1)
    host.submit(NO_ASK, perform(effect))
    assert len(decode_records(next(read_batches(batch_of(host.turn(NOW)))))) == 1  # a record without topics


def test_append_failed__effect_in_progress__result_of_the_effect_ignored() -> None:
    host = active_host()
    host.submit(AskId(1), joins_by_regex())
    host.turn(NOW)
    (effect,) = host.take_effects()
    host.append_failed(ErrorCode.KAFKA_STORAGE_ERROR)
    host.submit(NO_ASK, perform(effect))
    assert host.turn(NOW) == Ready(reload=True)
    host.load([], NOW)
    host.submit(NO_ASK, perform(effect))
    assert host.turn(NOW) is None
    assert asks_answered(host) == [1]


def test_append_failed__effect_not_taken_yet__effect_discarded() -> None:
    host = active_host()
    host.submit(AskId(1), joins_by_regex())
    host.turn(NOW)
    host.append_failed(ErrorCode.KAFKA_STORAGE_ERROR)
    assert host.take_effects() == []


def joins_by_regex() -> ConsumerHeartbeat:
    return ConsumerHeartbeat(
        "g", "A", 0, rebalance_timeout_ms=1, subscribed_topic_names=[], subscribed_topic_regex="t.*", owned=[]
    )


def test_turn__no_commands__no_batch() -> None:
    assert active_host().turn(NOW) is None


def test_turn__previous_batch_neither_appended_nor_failed__invariant_error() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g", 1))
    host.turn(NOW)
    with pytest.raises(InvariantError):
        host.turn(NOW)


def test_turn__more_commands_than_fit_into_a_batch__rest_in_the_next_turn() -> None:
    host = active_host()
    large = COORDINATOR_BATCH_BYTES // 2 // 4096 + 1
    for number in range(4):
        offsets = [OffsetToCommit("t", ZERO_TOPIC_ID, p, number, -1, "x" * 4096) for p in range(large)]
        host.submit(AskId(number), CommitOffsets("g", "", None, -1, offsets))
    batch_of(host.turn(NOW))
    host.appended(2 * large - 1)
    host.durable(2 * large)
    assert asks_answered(host) == [0, 1]
    assert host.next_deadline_ms() == 0
    batch_of(host.turn(NOW))
    host.appended(4 * large - 1)
    host.durable(4 * large)
    assert asks_answered(host) == [2, 3]
    assert host.next_deadline_ms() != 0


def test_turn__group_id_too_long_for_a_record__refused_and_state_unchanged() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g" * 40_000, 1))
    assert host.turn(NOW) is None
    assert host.take_replies() == [(1, Refused(ErrorCode.UNKNOWN_SERVER_ERROR))]
    assert host.shard.digest() == ({}, {})


def test_turn__heartbeat_and_session_expiry_at_the_same_time__heartbeat_handled_first() -> None:
    host, member_id = host_with_member()
    late = Now(NOW.wall_ms, NOW.tick_ms + 40_000)
    host.submit(AskId(9), Heartbeat("g", member_id, "web-1", 1))
    host.turn(late)
    assert host.take_replies() == [(9, ACCEPTED)]


def test_turn__log_refuses_all_appends__state_unchanged_and_timers_wait() -> None:
    host, member_id = host_with_member()
    late = Now(NOW.wall_ms, NOW.tick_ms + 40_000)
    host.log_refuses = ErrorCode.KAFKA_STORAGE_ERROR
    host.submit(AskId(9), commit("h", 1))
    host.submit(AskId(10), fetch("h"))
    assert host.turn(late) is None
    assert host.take_replies() == [(9, Refused(ErrorCode.NOT_COORDINATOR)), (10, Fetched([]))]
    assert host.next_deadline_ms() is None
    group = host.shard.classic_group("g")
    assert group is not None
    assert group.members.keys() == {member_id}
    host.log_refuses = None
    batch_of(host.turn(late))
    assert not group.members


def host_with_member() -> tuple[Host[GroupsShard], str]:
    """Return the host of a Stable group g with one static member, web-1; its log has two records."""
    host = active_host()
    join = JoinGroup("g", "", "web-1", "c", "/h", 30_000, 60_000, "consumer", [("range", b"")])
    host.submit(AskId(1), join)
    host.turn(NOW)
    host.appended(0)
    host.turn(Now(NOW.wall_ms, NOW.tick_ms + 3_000))
    host.durable(1)
    ((_, joined),) = host.take_replies()
    assert isinstance(joined, Joined)
    host.submit(AskId(2), SyncGroup("g", joined.member_id, "web-1", 1, "consumer", "range", {}))
    host.turn(Now(NOW.wall_ms, NOW.tick_ms + 3_000))
    host.appended(1)
    host.durable(2)
    assert asks_answered(host) == [2]
    return host, joined.member_id


# --- ReplyAfterDurable ------------------------------------------------------------------------------------------------


def test_replies__record_not_durable_yet__reply_and_reads_of_the_same_group_wait() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g", 1))
    host.submit(AskId(2), fetch("g"))
    host.submit(AskId(3), fetch("other"))
    host.turn(NOW)
    assert asks_answered(host) == [3]
    host.appended(0)
    host.submit(AskId(4), fetch("g"))
    host.turn(NOW)
    host.durable(0)
    assert asks_answered(host) == []
    host.durable(1)
    assert asks_answered(host) == [1, 2, 4]


def test_replies__two_records_of_a_group_not_durable__read_waits_for_the_later_one() -> None:
    host = active_host()
    for number in (1, 2):
        host.submit(AskId(number), commit("g", number))
        host.turn(NOW)
        host.appended(number - 1)
    host.submit(AskId(3), fetch("g"))
    host.turn(NOW)
    host.durable(1)
    assert asks_answered(host) == [1]
    host.durable(2)
    assert asks_answered(host) == [2, 3]


def test_replies__command_for_all_groups_not_durable__replies_of_all_groups_wait() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g", 1))
    host.turn(NOW)
    host.appended(0)
    host.durable(1)
    assert asks_answered(host) == [1]
    host.submit(AskId(2), TopicsDeleted(["t"]))
    host.turn(NOW)
    host.appended(1)
    host.submit(AskId(3), fetch("h"))
    host.turn(NOW)
    assert asks_answered(host) == []
    host.durable(2)
    assert asks_answered(host) == [2, 3]


def test_replies__command_of_the_broker_itself__no_reply() -> None:
    host = active_host()
    host.submit(NO_ASK, TopicsDeleted(["t"]))
    host.turn(NOW)
    assert host.take_replies() == []


# --- failed appends ---------------------------------------------------------------------------------------------------


def test_append_failed__command_waits_for_it__refused_and_state_as_in_the_log() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g", 1))
    log = [batch_of(host.turn(NOW))]
    host.appended(0)
    host.durable(1)
    host.submit(AskId(2), commit("g", 2))
    host.submit(AskId(3), fetch("g"))
    host.turn(NOW)
    host.append_failed(ErrorCode.NOT_ENOUGH_REPLICAS)
    replies = dict(host.take_replies())
    assert replies[AskId(1)] == Committed()
    assert replies[AskId(2)] == Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert replies[AskId(3)] == Refused(ErrorCode.NOT_COORDINATOR), "old consumers know no 15 from OffsetFetch"
    assert host.state is HostState.LOADING
    assert host.turn(NOW) == Ready(reload=True)
    assert host.turn(NOW) is None, "a reload is asked for once"
    host.load(log, NOW)
    host.submit(AskId(4), fetch("g"))
    host.turn(NOW)
    ((_, fetched),) = host.take_replies()
    assert isinstance(fetched, Fetched)
    assert fetched.topics[0].partitions[0].offset == 1


def test_append_failed__earlier_records_not_durable__their_commands_refused_too() -> None:
    host = active_host()
    for number in (1, 2):
        host.submit(AskId(number), commit("g", number))
        host.turn(NOW)
        host.appended(number - 1)
    host.append_failed(ErrorCode.KAFKA_STORAGE_ERROR)
    refused = Refused(ErrorCode.NOT_COORDINATOR)
    assert host.take_replies() == [(1, refused), (2, refused)]


def test_append_failed__request_is_parked__parked_request_gets_not_coordinator() -> None:
    host = active_host()
    join = JoinGroup("g", "", "web-1", "c", "/h", 30_000, 60_000, "consumer", [("range", b"")])
    host.submit(AskId(1), join)
    host.turn(NOW)
    host.append_failed(ErrorCode.NOT_ENOUGH_REPLICAS)
    assert host.take_replies() == [(1, Refused(ErrorCode.NOT_COORDINATOR))]


# --- loading ----------------------------------------------------------------------------------------------------------


def test_shard_loading__requests_arrive__heartbeats_accepted_and_others_get_loading_errors() -> None:
    host = Host(new_shard, GroupsCodec())
    host.submit(AskId(1), Heartbeat("g", "m", None, 1))
    host.submit(AskId(2), SyncGroup("g", "m", None, 1, None, None, {}))
    host.submit(AskId(3), fetch("g"))
    assert host.take_replies() == [
        (1, ACCEPTED),
        (2, Refused(ErrorCode.REBALANCE_IN_PROGRESS)),
        (3, Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)),
    ]


def test_load__unreadable_log__host_is_down_and_gives_the_reason() -> None:
    host = active_host()
    host.submit(AskId(1), commit("g", 1))
    torn = bytearray(batch_of(host.turn(NOW)))
    torn[-1] ^= 0xFF
    host = Host(new_shard, GroupsCodec())
    host.load([bytes(torn)], NOW)
    assert host.state is HostState.DOWN
    assert host.failure is not None
    assert "checksum" in host.failure
    host.submit(AskId(1), fetch("g"))
    assert host.take_replies() == [(1, Refused(ErrorCode.NOT_COORDINATOR))]
    assert host.next_deadline_ms() is None


# --- bugs -------------------------------------------------------------------------------------------------------------


class BuggyShard(GroupsShard):
    """Shard with a bug: every command for the group `trap` raises an error."""

    __slots__ = ()

    def handle(self, ask: AskId, command: object, now: Now) -> CoordinatorResult:
        if getattr(command, "group_id", "") == "trap":
            raise InvariantError("bug for the group `trap`")
        return super().handle(ask, command, now)


def test_exception_in_a_rule__first_time__commands_of_the_turn_refused_and_log_read_again() -> None:
    host = Host(lambda: BuggyShard(GroupSettings(), RANDOM_BYTES), GroupsCodec())
    host.load([], NOW)
    host.submit(AskId(1), commit("g", 1))
    host.submit(AskId(2), commit("trap", 1))
    host.submit(AskId(3), commit("h", 1))
    assert host.turn(NOW) == Ready(reload=True)
    refused = Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert sorted(host.take_replies()) == [(1, refused), (2, refused), (3, refused)]
    assert host.failure is not None
    assert "bug for the group `trap`" in host.failure
    host.load([], NOW)
    assert host.state is HostState.ACTIVE
    host.submit(AskId(4), commit("g", 1))
    assert batch_of(host.turn(NOW))


def test_exception_in_a_rule__second_time__host_is_down_and_gives_the_cause() -> None:
    host = Host(lambda: BuggyShard(GroupSettings(), RANDOM_BYTES), GroupsCodec())
    for ask in (1, 2):
        host.load([], NOW)
        host.submit(AskId(ask), commit("trap", 1))
        host.turn(NOW)
    assert host.state is HostState.DOWN
    assert host.failure is not None
    assert "bug for the group `trap`" in host.failure
    assert "offset -1" in host.failure, "the log is empty"
    host.take_replies()
    host.submit(AskId(3), commit("g", 1))
    assert host.take_replies() == [(3, Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE))]
    assert host.turn(NOW) is None


class ShardFailingInTheMiddle(GroupsShard):
    """Shard with a bug: it applies the beginning of a generation and fails on the next record."""

    __slots__ = ()

    def apply(self, record: object) -> None:
        if isinstance(record, SyncTimerArmed):
            raise KeyError("halfway")
        super().apply(record)


def test_exception_in_a_rule__at_the_start_of_a_generation__each_waiting_request_answered_once() -> None:
    host = Host(lambda: ShardFailingInTheMiddle(GroupSettings(), RANDOM_BYTES), GroupsCodec())
    host.load([], NOW)
    for ask, seat in ((1, "web-1"), (2, "web-2")):
        host.submit(AskId(ask), JoinGroup("g", "", seat, "c", "/h", 30_000, 60_000, "consumer", [("range", b"")]))
    host.turn(NOW)
    host.appended(0)
    host.durable(1)
    host.turn(Now(NOW.wall_ms, NOW.tick_ms + 3_000))
    host.submit(AskId(3), fetch("other"))
    assert host.turn(Now(NOW.wall_ms, NOW.tick_ms + 6_000)) == Ready(reload=True)
    refused = Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    replies = dict(host.take_replies())
    assert len(replies) == 3
    assert replies[AskId(1)] == replies[AskId(2)] == refused
    assert isinstance(replies[AskId(3)], Fetched), "what was answered before the bug stays answered"
