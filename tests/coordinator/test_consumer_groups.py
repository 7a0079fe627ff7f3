"""Rare cases of consumer groups: tables of the fences, records of other versions, requests of the other protocol."""

from itertools import product
from typing import Any

import pytest

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, HeartbeatAnswered, Joined
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import GroupState
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.offsets.fencing import FENCES, UNASSIGNED, UNKNOWN
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import InvariantError, LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    CurrentTopicPartitions,
)
from tenure.protocol.errors import ErrorCode
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import VirtualHost

T: Any = topic_id_of("t")
G: Any = "g"
UNREADABLE_STATE = 99


@pytest.mark.parametrize(
    ("what", "numbers", "accepting"),
    [
        ("nothing has moved", (5, 5, 5, 0), {"assignment-epoch", "kafka", "revocation-epoch", "member-epoch"}),
        ("a new epoch began before the commit", (4, 5, 3, 0), {"assignment-epoch", "kafka", "revocation-epoch"}),
        ("another partition was taken", (4, 5, 3, 4), {"assignment-epoch", "kafka"}),
        ("lost and come back since", (4, 5, 5, 4), set()),
        ("it never had it", (5, 5, UNASSIGNED, 0), {"kafka", "revocation-epoch", "member-epoch"}),
        ("from the future", (6, 5, 5, 0), set()),
        ("after a fail-over, a new epoch began before the commit", (4, 5, 3, UNKNOWN), {"assignment-epoch", "kafka"}),
        ("after a fail-over", (5, 5, 3, UNKNOWN), {"assignment-epoch", "kafka", "revocation-epoch", "member-epoch"}),
    ],
)
def test_commit_fencing__each_policy_and_combination_of_epochs__accepted_or_refused_as_specified(
    what: str, numbers: tuple[int, int, int, int], accepting: set[str]
) -> None:
    assert {name for name, accepts in FENCES.items() if accepts(*numbers)} == accepting, what


def host() -> VirtualHost:
    found = VirtualHost()
    found.topics.put(Topic("t", T, 2))  # type: ignore[arg-type]
    return found


def current(member_id: str, epoch: int, partitions: list[int], state: int = 0) -> LogRecord:
    """Return a current assignment as Kafka wrote it before 4.3: without assignment epochs."""
    key = ConsumerGroupCurrentMemberAssignmentKey(G, member_id)  # type: ignore[arg-type]
    topics: Any = [CurrentTopicPartitions(T, partitions, None)] if partitions else []  # type: ignore[arg-type]
    return LogRecord(key, ConsumerGroupCurrentMemberAssignmentValue(epoch, epoch, state, topics, []))


def ask(host: VirtualHost, command: object) -> Any:
    host.ask(command)
    return host.take()[1][-1][1]


def commit(host: VirtualHost, member_id: str, epoch: int) -> Any:
    offset = commands.OffsetToCommit("t", T, 0, 1)  # type: ignore[arg-type]
    return ask(host, commands.CommitOffsets(G, member_id, None, epoch, [offset]))  # type: ignore[arg-type]


def beat(member_id: str, epoch: int, **fields: Any) -> commands.ConsumerHeartbeat:
    joins = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": ["t"], "owned": []} if epoch == 0 else {}
    return commands.ConsumerHeartbeat(G, member_id, epoch, **(joins | fields))  # type: ignore[arg-type]


def test_commit__assignment_record_of_kafka_without_epochs__only_the_present_member_epoch_accepted() -> None:
    old = host()
    old.shard.apply(current("A", 5, [0]))
    assert commit(old, "A", 4) == Refused(ErrorCode.STALE_MEMBER_EPOCH)
    assert isinstance(commit(old, "A", 5), Committed)


@pytest.mark.parametrize("policy", FENCES)
def test_commit_in_a_transaction__each_fencing_policy__same_decision_as_for_a_plain_commit(policy: str) -> None:
    """Commit in a transaction: A (epoch 5) owns 0 since 3, B (5) owns 1 since 5. Only the error codes differ (4.5)."""
    found = VirtualHost(GroupSettings(configs=GroupConfigs(group_commit_fencing=policy)))
    found.topics.put(Topic("t", T, 2))  # type: ignore[arg-type]
    for member_id, partition, since in (("A", 0, 3), ("B", 1, 5)):
        key = ConsumerGroupCurrentMemberAssignmentKey(G, member_id)  # type: ignore[arg-type]
        topics: Any = [CurrentTopicPartitions(T, [partition], [since])]  # type: ignore[list-item]
        found.shard.apply(LogRecord(key, ConsumerGroupCurrentMemberAssignmentValue(5, 5, 0, topics, [])))
    stale = Refused(ErrorCode.STALE_MEMBER_EPOCH)
    answers = set()
    for member_id, epoch, partition in product(("A", "B", "nobody"), (2, 3, 4, 5, 6), (0, 1)):
        who: Any = (G, member_id, None, epoch, [commands.OffsetToCommit("t", T, partition, 1)])  # type: ignore[arg-type]
        plain = ask(found, commands.CommitOffsets(*who))
        since_v6, before = (ask(found, commands.CommitInTransaction(*who, 7, 0, knows)) for knows in (True, False))  # type: ignore[arg-type]
        assert since_v6 == plain, (member_id, epoch, partition)
        in_transaction = Refused(ErrorCode.ILLEGAL_GENERATION) if plain == stale else plain
        assert before == in_transaction, (member_id, epoch, partition)
        answers.add(repr(in_transaction))
    assert len(answers) == 3


def test_load__records_of_two_owners_of_a_partition_interleaved__owner_with_the_higher_epoch_counts() -> None:
    found = host()
    for record in (current("B", 6, [0]), current("A", 5, [0, 1]), current("A", 7, [1])):
        found.shard.apply(record)
    group = found.shard.consumer_group(G)
    assert group is not None
    assert group.partition_epochs == {T: {0: 6, 1: 7}}


def test_load__two_owners_of_a_partition_with_equal_epochs__invariant_error() -> None:
    found = host()
    found.shard.apply(current("A", 5, [0]))
    with pytest.raises(InvariantError, match="same epoch"):
        found.shard.apply(current("B", 5, [0]))


def test_load__consumer_group_records_and_no_tombstone_of_the_classic_group__invariant_error() -> None:
    found = host()
    found.ask(commands.JoinGroup(G, "", "seat", "c", "/h", 30_000, 60_000, "consumer", [("range", b"")]))  # type: ignore[arg-type]
    with pytest.raises(InvariantError, match="ClassicGroup and ConsumerGroup"):
        found.shard.apply(logged.subscription(G, Member("A")))  # type: ignore[arg-type]


def test_heartbeat__member_state_of_a_later_version__accepted_only_if_the_member_owns_nothing() -> None:
    found = host()
    found.shard.apply(logged.subscription(G, Member("A", subscribed_topic_names=("t",))))  # type: ignore[arg-type]
    found.shard.apply(current("A", 1, [0], UNREADABLE_STATE))
    assert ask(found, beat("A", 1, owned=[(T, [0])])).error_code is ErrorCode.FENCED_MEMBER_EPOCH
    assert ask(found, beat("A", 1)).error_code is ErrorCode.FENCED_MEMBER_EPOCH
    assert isinstance(ask(found, beat("A", 1, owned=[])), HeartbeatAnswered)


def test_join__classic_member_and_an_empty_consumer_group__classic_group_replaces_it() -> None:
    found = host()
    ask(found, beat("A", 0))
    ask(found, beat("A", -1))
    join = commands.JoinGroup(G, "", "seat", "c", "/h", 30_000, 60_000, "consumer", [("range", b"")])  # type: ignore[arg-type]
    found.ask(join)
    while found.next_moment(found.tick_ms + 10_000):
        found.turn()
    assert any(isinstance(answer, Joined) for _, answer in found.take()[1])
    assert found.shard.consumer_group(G) is None
    assert ask(found, beat("A", 0)).error_code is ErrorCode.GROUP_ID_NOT_FOUND  # that metadata is no subscription


def test_heartbeat__consumer_member_and_an_empty_classic_group__consumer_group_replaces_it_and_offsets_stay() -> None:
    found = host()
    commit(found, "", -1)
    assert found.shard.classic_group(G) is not None
    ask(found, beat("A", 0))
    group = found.shard.consumer_group(G)
    assert group is not None
    assert group.state is GroupState.STABLE
    assert found.shard.classic_group(G) is None
    before = found.shard.digest()[1]
    found.fail_over()
    assert found.shard.digest()[1] == before != {}


def test_heartbeat__member_has_not_reached_its_target__short_heartbeat_interval() -> None:
    often = VirtualHost(GroupSettings(group_consumer_min_heartbeat_interval_ms=100))
    often.topics.put(Topic("t", T, 2))  # type: ignore[arg-type]
    usual = often.settings.configs.consumer_heartbeat_interval_ms
    ask(often, beat("A", 0))
    often.tick_ms += usual
    joins = ask(often, beat("B", 0))
    assert joins.heartbeat_interval_ms == 100  # B waits for a partition of A
    gives_up = ask(often, beat("A", 2))
    assert gives_up.heartbeat_interval_ms == 100  # A has to revoke that partition
    kept = [(T, list(gives_up.assignment[T]))]
    assert ask(often, beat("A", 2, owned=kept)).heartbeat_interval_ms == 100  # others may join next
    assert ask(often, beat("B", joins.member_epoch)).heartbeat_interval_ms == 100
    often.tick_ms += usual
    assert ask(often, beat("A", joins.member_epoch)).heartbeat_interval_ms == usual
    assert ask(often, beat("B", joins.member_epoch)).heartbeat_interval_ms == usual
