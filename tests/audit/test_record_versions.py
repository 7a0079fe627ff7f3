"""Records of all versions are read; unknown and damaged ones are counted and skipped."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from tenure.audit.collector import STATE, GroupsOfBatch, collect
from tenure.audit.commit_windows import commit_tables
from tenure.audit.records.coordinator_records import CoordinatorRecords
from tenure.audit.records.group_partitions import group_partitions
from tenure.audit.tables import ASSIGNMENTS, EXPIRED, MEMBERS, REBALANCES, RECORDS
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.protocol.codec import encode
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.types import TopicId

DAY_MS = 1_795_000_000_000

Rows = Sequence[tuple[bytes | None, bytes | None]]


def records(rows: Rows) -> pa.Table:
    keys, values = zip(*rows, strict=True)
    return pa.table(
        {
            "offset": pa.array(range(len(rows)), pa.int64()),
            "timestamp": pa.array([DAY_MS + number for number in range(len(rows))], pa.timestamp("ms", "UTC")),
            "key": pa.array(keys, pa.binary()),
            "value": pa.array(values, pa.binary()),
        }
    )


def collected(rows: Rows) -> dict[str, list[dict[str, object]]]:
    state = KeyedState.empty(key="group", state=STATE)
    tables = collect(CoordinatorRecords().decode(records(rows), 0).rows, state)
    return {name: table.to_pylist() for name, table in tables.items()}


def commit(version: int, offset: int, metadata: str = "", group: str = "g") -> tuple[bytes, bytes]:
    value = OffsetCommitValue(offset, 3, metadata, DAY_MS, -1, TopicId(bytes(range(16))))
    return encode_key(OffsetCommitKey(group, "t", 0)), encode_value(value, version)


def generation(version: int, number: int, members: Sequence[str]) -> tuple[bytes, bytes]:
    subscription = encode_subscription(Subscription(["t"]), 0)
    value = GroupMetadataValue(
        "consumer",
        number,
        "range",
        members[0],
        DAY_MS,
        [
            MemberMetadata(
                name, None, "client", "/h", 60_000, 10_000, subscription,
                encode_assignment(Assignment([TopicPartition("t", [index])], None), 0),
            )
            for index, name in enumerate(members)
        ],
    )  # fmt: skip
    return encode_key(GroupMetadataKey("g")), encode_value(value, version)


def test_offset_commit_records__every_value_version_and_the_old_key_version__same_row() -> None:
    rows = [commit(version, 10 + version, "m" * (200 * version)) for version in range(5)]
    old_key = struct.pack(">h", 0) + rows[0][0][2:]
    found = collected([*rows, (old_key, rows[3][1])])[""]
    assert [row["commits"] for row in found] == [5, 1]
    assert (found[0]["first_offset"], found[0]["last_offset"], found[0]["backward"]) == (10, 14, 0)
    assert found[0]["topic_id"] == "AAECAwQFBgcICQoLDA0ODw"
    assert found[1]["last_offset"] == 13


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4), st.integers(-(2**63), 2**63 - 1), st.text(max_size=300), st.sampled_from(["g", "ü"])
        ),
        min_size=1,
        max_size=20,
    )
)
def test_offset_commit_records__random_metadata_and_groups__same_values_as_from_the_codec(
    commits: list[tuple[int, int, str, str]],
) -> None:
    rows = CoordinatorRecords().decode(records([commit(*one) for one in commits]), 0).rows
    found = commit_tables(rows, 0, GroupsOfBatch(KeyedState.empty(key="group", state=STATE)))
    assert found.good.all()
    assert found.versions.tolist() == [version for version, *_ in commits]
    last = {group: offset for _, offset, _, group in commits}
    assert {row["group"]: row["last_offset"] for row in found.commits.to_pylist()} == last


def test_group_metadata_records__every_version__members_and_owners_found() -> None:
    for version in range(5):
        found = collected([generation(version, 1, ["a"]), generation(version, 2, ["a", "b"])])
        assert [row["causes"] for row in found[REBALANCES.name]] == [["join"], ["join"]], version
        assert [row["member_id"] for row in found[MEMBERS.name]] == ["a", "b"]
        assert [(row["partition"], row["owner"]) for row in found[ASSIGNMENTS.name]] == [(0, "a"), (1, "b")]


def test_unknown_and_damaged_records__between_valid_ones__counted_and_skipped() -> None:
    share_group = struct.pack(">h", 11) + encode(GroupMetadataKey("g"), 0)
    good = commit(3, 7)
    newer = (good[0], struct.pack(">h", 9) + good[1][2:])
    found = collected(
        [
            good,
            (share_group, b"\x00\x00"),
            (struct.pack(">h", 99), b"x"),
            (b"\x00", b"x"),
            (None, b"x"),
            newer,
            (good[0], good[1][:9]),
            (encode_key(GroupMetadataKey("g")), struct.pack(">h", 8)),
            (encode_key(GroupMetadataKey("g")), b"\x00\x03\x00"),
            (struct.pack(">h", 1) + b"\x00\x09x", good[1]),
            commit(3, 9),
            (good[0], None),
        ]
    )
    statuses: dict[object, int] = {}
    for row in found[RECORDS.name]:
        statuses[row["status"]] = statuses.get(row["status"], 0) + int(str(row["records"]))
    assert statuses == {"read": 3, "unknown": 4, "damaged": 5}
    assert [row["commits"] for row in found[""]] == [2]
    assert [row["log_offset"] for row in found[EXPIRED.name]] == [11]


def test_offset_commit_records__lower_offset_than_the_one_before__counted_as_backward() -> None:
    (row,) = collected([commit(3, 30), commit(3, 10), commit(3, 20), commit(3, 5)])[""]
    assert row["backward"] == 2


@given(st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=60), max_size=12), st.integers(1, 60))
@example(["orders", None, "ü", "", "polygenelubricants"], 50)
def test_group_partitions__random_group_ids__same_as_computed_one_by_one(
    groups: list[str | None], partitions: int
) -> None:
    expected = [None if group is None else partition_of(group, partitions) for group in groups]
    assert group_partitions(pa.array(groups, pa.string()), partitions).to_pylist() == expected


def test_partition_of_a_group__hash_code_is_the_lowest_integer__first_partition_as_in_kafka() -> None:
    assert group_partitions(pa.array(["polygenelubricants", "ü"]), 50).to_pylist() == [0, 2]
