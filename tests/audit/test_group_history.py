"""Events of groups from constructed records: cooperative rebalances, static members, migrations, removed groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tenure.audit.collector import STATE, collect
from tenure.audit.records.coordinator_records import CoordinatorRecords
from tenure.audit.tables import ASSIGNMENTS, MEMBERS, REBALANCES
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    CurrentTopicPartitions,
    GroupMetadataKey,
    GroupMetadataValue,
    Key,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
    Value,
    encode_key,
    encode_value,
)
from tenure.protocol.types import TopicId

BEGIN_MS = 1_795_000_000_000
TOPIC_ID = TopicId(bytes(16))

Written = tuple[Key, Value | None]


def table(records: Sequence[Written]) -> pa.Table:
    values = [
        None
        if value is None
        else encode_value(value, 3 if isinstance(value, GroupMetadataValue | OffsetCommitValue) else 0)
        for _, value in records
    ]
    return pa.table(
        {
            "offset": pa.array(range(len(records)), pa.int64()),
            "timestamp": pa.array([BEGIN_MS + n for n in range(len(records))], pa.timestamp("ms", "UTC")),
            "key": pa.array([encode_key(key) for key, _ in records], pa.binary()),
            "value": pa.array(values, pa.binary()),
        }
    )


def collected(*records: Written) -> tuple[dict[str, list[dict[str, Any]]], KeyedState]:
    state = KeyedState.empty(key="group", state=STATE)
    tables = collect(CoordinatorRecords().decode(table(records), 0).rows, state)
    return {name: rows.to_pylist() for name, rows in tables.items()}, state


def generation(number: int, owned: dict[str, list[int]], topics: str = "t", instances: str = "") -> Written:
    """Return a generation of members with these partitions. `instances` has the names of the static members."""
    subscription = encode_subscription(Subscription(topics.split(",")), 0)
    members = [
        MemberMetadata(
            name, name[0] if name[0] in instances else None, "client", "/h", 60_000, 10_000, subscription,
            encode_assignment(Assignment([TopicPartition("t", partitions)], None), 0),
        )
        for name, partitions in owned.items()
    ]  # fmt: skip
    leader = next(iter(owned), None)
    return GroupMetadataKey("g"), GroupMetadataValue("consumer", number, leader and "range", leader, BEGIN_MS, members)


def epoch(number: int, metadata_hash: int = 7) -> Written:
    return ConsumerGroupMetadataKey("g"), ConsumerGroupMetadataValue(number, metadata_hash)


def member(name: str, instance: str | None = None, topics: str = "t") -> Written:
    value = ConsumerGroupMemberMetadataValue(instance, None, "client", "/h", [topics], None, 60_000, None, None)
    return ConsumerGroupMemberMetadataKey("g", name), value


def assigned(name: str, *partitions: int) -> Written:
    parts = [CurrentTopicPartitions(TOPIC_ID, list(partitions), None)]
    return ConsumerGroupCurrentMemberAssignmentKey("g", name), ConsumerGroupCurrentMemberAssignmentValue(
        2, 1, 0, parts, []
    )


def removal_of(name: str) -> list[Written]:
    return [
        (ConsumerGroupCurrentMemberAssignmentKey("g", name), None),
        (ConsumerGroupMemberMetadataKey("g", name), None),
    ]


def causes(tables: dict[str, list[dict[str, Any]]]) -> list[list[str]]:
    return [row["causes"] for row in tables[REBALANCES.name]]


def test_group_history__cooperative_group_moves_a_partition__two_rebalances_and_one_move() -> None:
    tables, _ = collected(
        generation(1, {"a": [0, 1]}), generation(2, {"a": [0], "b": []}), generation(3, {"a": [0], "b": [1]})
    )
    assert causes(tables) == [["join"], ["join"], ["second-phase"]]
    moves = [row for row in tables[ASSIGNMENTS.name] if row["moved"]]
    assert [(row["partition"], row["previous_owner"], row["owner"]) for row in moves] == [(1, "a", "b")]
    assert moves[0]["released"] < moves[0]["time"]
    assert [row["needed_moves"] for row in tables[REBALANCES.name]] == [0, 1, 1]


def test_group_history__new_generation_after_each_kind_of_change__its_cause_is_this_change() -> None:
    tables, _ = collected(
        generation(1, {"a": [0]}),
        generation(2, {"a": [0]}),
        generation(3, {"a": [0, 1]}),
        generation(4, {"a": [0, 1]}, topics="t,u"),
        generation(6, {}),
    )
    assert causes(tables) == [["join"], ["leader-rejoin"], ["topic-change"], ["subscription-change"], ["leave"]]
    assert [row["missed_epochs"] for row in tables[REBALANCES.name]] == [None, 0, 0, 0, 1]


def test_group_history__first_recorded_generation_is_not_1__its_cause_is_unknown() -> None:
    tables, _ = collected(generation(40, {"a": [0]}))
    assert causes(tables) == [[]]


def test_group_history__static_member_gets_a_new_id_in_the_same_generation__no_rebalance() -> None:
    tables, _ = collected(generation(1, {"a1": [0]}, instances="a"), generation(1, {"a2": [0]}, instances="a"))
    assert len(tables[REBALANCES.name]) == 1
    assert [(row["event"], row["previous_member_id"]) for row in tables[MEMBERS.name]] == [
        ("joined", None),
        ("replaced", "a1"),
    ]
    assert len(tables[ASSIGNMENTS.name]) == 1


def test_group_history__static_member_returns_with_another_subscription__cause_static_replacement() -> None:
    tables, _ = collected(
        generation(1, {"a1": [0]}, instances="a"), generation(2, {"a2": [0]}, topics="t,u", instances="a")
    )
    assert causes(tables) == [["join"], ["static-replacement"]]
    assert not any(row["moved"] for row in tables[ASSIGNMENTS.name])


def test_group_history__static_member_of_a_consumer_group_returns__replaced_and_no_partition_moves() -> None:
    tables, _ = collected(
        member("a1", "a"), epoch(2), assigned("a1", 0, 1), *removal_of("a1"), member("a2", "a"), assigned("a2", 0, 1),
        member("b"), epoch(3), assigned("a2", 0), assigned("b", 1),
    )  # fmt: skip
    assert causes(tables) == [["join"], ["join"]]
    assert [row["event"] for row in tables[MEMBERS.name]] == ["joined", "replaced", "joined"]
    assert [(row["partition"], row["owner"]) for row in tables[ASSIGNMENTS.name] if row["moved"]] == [(1, "b")]


def test_group_history__new_epoch_without_member_changes__cause_is_topics_or_the_coordinator() -> None:
    tables, _ = collected(member("a"), epoch(2), epoch(3), epoch(4, metadata_hash=8), *removal_of("a"), epoch(5, 8))
    assert causes(tables) == [["join"], ["server-reassignment"], ["topic-change"], ["leave"]]


def test_group_history__group_converted_to_consumer_and_back__both_migrations_listed() -> None:
    tables, _ = collected(
        generation(3, {"a": [0]}),
        (GroupMetadataKey("g"), None),
        member("a"),
        epoch(4),
        assigned("a", 0),
        *removal_of("a"),
        (ConsumerGroupMetadataKey("g"), None),
        generation(4, {"a": [0]}),
    )
    assert causes(tables) == [[], ["migration"], ["migration"]]
    assert not any(row["moved"] for row in tables[ASSIGNMENTS.name])


def test_group_history__group_empty_and_removed__no_state_left() -> None:
    _, state = collected(generation(1, {"a": [0]}), generation(2, {}), (GroupMetadataKey("g"), None))
    assert state.scan().num_rows == 0


def test_group_history__very_many_commits__size_of_the_state_unchanged() -> None:
    sizes = []
    for count in (10, 1_000):
        commits: list[Written] = [
            (OffsetCommitKey("g", "t", number % 9), OffsetCommitValue(number, 0, "", BEGIN_MS, -1, TOPIC_ID))
            for number in range(count)
        ]
        _, state = collected(generation(1, {"a": [0]}), *commits)
        sizes.append(state.scan().nbytes)
    assert sizes[0] == sizes[1]
