"""Requests about a cluster of one node get the same answers: quorum, features, reassignments, directories, tokens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tenure.protocol import messages as m
from tenure.protocol.apis import ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message, Struct
from tenure.protocol.types import GroupId, MemberId
from tests.kafka_versions import newest_version, versions_in_kafka
from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import PATIENCE_S, Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

NODE = 1
STRANGER = 77
DIRECTORY = b"\1" * 16
UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
METADATA = "__cluster_metadata"
DIFFERENT_FIELDS = frozenset({
    "error_message", "leader_epoch", "high_watermark", "log_end_offset", "last_fetch_timestamp",
    "last_caught_up_timestamp", "listeners",
})  # fmt: skip
"""Fields that differ: texts, and the end of each broker's metadata log."""


def without_differences(answer: object) -> object:
    """Return the answer without the fields that may differ, as dictionaries and sorted lists."""
    if isinstance(answer, Struct):
        return {
            name: without_differences(getattr(answer, name))
            for name in answer.__slots__
            if name not in DIFFERENT_FIELDS
        }
    if isinstance(answer, list):
        return sorted((without_differences(one) for one in answer), key=repr)
    return answer


def reassignments(*partitions: tuple[int, list[int] | None], topic: str = TOPIC) -> Message:
    wanted = [m.ReassignablePartition(index, replicas) for index, replicas in partitions]
    return m.AlterPartitionReassignmentsRequest(topics=[m.ReassignableTopic(topic, wanted)])


def quorum(*named: tuple[str, int]) -> Message:
    return m.DescribeQuorumRequest(
        [m.DescribeQuorumTopic(topic, [m.DescribeQuorumPartition(index)]) for topic, index in named]
    )


def features(*updates: tuple[str, int, int], validate_only: bool = True) -> Message:
    wanted = [m.FeatureUpdateKey(name, level, False, kind) for name, level, kind in updates]
    return m.UpdateFeaturesRequest(feature_updates=wanted, validate_only=validate_only)


def voter(cluster_id: str | None, listener: str) -> Message:
    return m.AddRaftVoterRequest(cluster_id, 1000, STRANGER, DIRECTORY, [m.VoterListener(listener, "127.0.0.1", 9)])


def requests() -> Iterator[tuple[Message, int]]:
    """Yield requests whose answers are equal, and versions."""
    for version in (0, 1):
        yield reassignments((0, [NODE])), version
        yield reassignments((0, None), (1, []), (2, [NODE, NODE]), (3, [NODE, STRANGER]), (99, [NODE])), version
        yield reassignments((0, [NODE]), topic="no-such-topic"), version
        yield m.AlterPartitionReassignmentsRequest(), version
    for topics in (None, [], [m.ListPartitionReassignmentsTopics(TOPIC, [0, 99])]):
        yield m.ListPartitionReassignmentsRequest(topics=topics), 0
    for version in (0, 1, 2):
        for named in ([(METADATA, 0)], [(METADATA, 1)], [(TOPIC, 0)], [], [(METADATA, 0), (TOPIC, 0)]):
            yield quorum(*named), version
    for controller in (NODE, STRANGER, -1):
        yield m.UnregisterControllerRequest(controller), 0
    for broker in (STRANGER, -1):
        yield m.UnregisterBrokerRequest(broker), 0
    for version in (1, 2):
        yield features(), version
        for update in (
            ("group.version", 1, UPGRADE), ("group.version", 0, UPGRADE), ("group.version", 5, UPGRADE),
            ("group.version", 1, 0), ("group.version", 1, 9), ("group.version", -1, UNSAFE_DOWNGRADE),
            ("no.such", 1, UPGRADE), ("no.such", 0, SAFE_DOWNGRADE), ("metadata.version", 7, SAFE_DOWNGRADE),
            ("metadata.version", 0, UNSAFE_DOWNGRADE), ("metadata.version", 99, UPGRADE),
        ):  # fmt: skip
            yield features(update), version
    yield features(("group.version", 1, UPGRADE), ("transaction.version", 2, UPGRADE), validate_only=False), 1
    for version in (0, 1):
        yield voter(None, "CONTROLLER"), version
        yield voter("another cluster", "CONTROLLER"), version
        yield voter(None, "INTERNAL"), version
    for cluster_id in (None, "another cluster"):
        yield m.RemoveRaftVoterRequest(cluster_id, NODE, DIRECTORY), 0
    for version in (1, 2):
        yield m.RenewDelegationTokenRequest(b"x", 5), version
        yield m.ExpireDelegationTokenRequest(b"x", 5), version
        yield m.DescribeDelegationTokenRequest(None), version
        yield m.CreateDelegationTokenRequest("", "", [], -1), version
    yield m.CreateDelegationTokenRequest("User", "another", [], -1), 3


def test_cluster_requests__sent_to_both_brokers__same_answers(kafka: Side, tenure: Side) -> None:
    differences = []
    for request, version in requests():
        if version not in versions_in_kafka(ApiKey(request.KEY)):
            continue
        theirs, ours = (answer(side, request, version) for side in (kafka, tenure))
        if theirs != ours:
            differences.append(f"{request} v{version}\n  Apache Kafka: {theirs}\n  Tenure:       {ours}")
    assert not differences, "\n".join(differences)


def answer(side: Side, request: Message, version: int) -> object:
    with Wire(side.host, side.port) as wire:
        return without_differences(wire.ask(request, version))


def test_alter_replica_log_dirs__sent_to_both_brokers__same_answers(kafka: Side, tenure: Side) -> None:
    answers = [without_differences(moved(side, version)) for version in (1, 2) for side in (kafka, tenure)]
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]


def moved(side: Side, version: int) -> Any:
    with Wire(side.host, side.port) as wire:
        (own,) = wire.ask(m.DescribeLogDirsRequest([])).results
        named = m.AlterReplicaLogDirTopic
        wanted = [
            m.AlterReplicaLogDir(own.log_dir, [named(TOPIC, [0, 99]), named("no-such-topic", [0])]),
            m.AlterReplicaLogDir("/nowhere", [named(TOPIC, [1])]),
        ]
        return wire.ask(m.AlterReplicaLogDirsRequest(wanted), version)


LOWERED = (("group.version", 1, 0), ("streams.version", 1, 0), ("transaction.version", 2, 1))
"""(feature, level of a new cluster, level to which it is lowered for a moment)."""


def test_update_features__levels_lowered_and_raised__same_answers_and_effects(kafka: Side, tenure: Side) -> None:
    assert after_changes(kafka) == after_changes(tenure)


def after_changes(side: Side) -> list[object]:
    """Lower and raise each feature; return the answers, and which APIs of groups are unsupported at each level."""
    answers: list[object] = []
    with Wire(side.host, side.port) as wire:

        def changed(name: str, level: int, kind: int, *, validate_only: bool = False) -> int:
            epoch = finalized(wire)[0]
            code = wire.ask(features((name, level, kind), validate_only=validate_only)).error_code
            if not validate_only:
                deadline = time.monotonic() + PATIENCE_S
                while finalized(wire)[1].get(name, 0) != level:
                    assert time.monotonic() < deadline, f"{side.name}: {name} never became {level}"
                assert finalized(wire)[0] > epoch
            return int(code)

        for name, high, low in LOWERED:
            answers.append(changed(name, low, SAFE_DOWNGRADE, validate_only=True))
            answers += [finalized(wire)[1][name], changed(name, low, SAFE_DOWNGRADE), unsupported(wire)]
            answers += [changed(name, high, UPGRADE), unsupported(wire)]
    return answers


def finalized(wire: Wire) -> tuple[int, dict[str, int]]:
    """Return the epoch of the finalized features, and their levels."""
    answer = wire.ask(m.ApiVersionsRequest("oracle", "1"), 4)
    return answer.finalized_features_epoch, {each.name: each.max_version_level for each in answer.finalized_features}


def unsupported(wire: Wire) -> list[bool]:
    group_id, member_id = GroupId("not-there"), MemberId("a" * 22)
    beats = (
        m.ConsumerGroupHeartbeatRequest(group_id, member_id, 5),
        m.StreamsGroupHeartbeatRequest(group_id, member_id, 5),
    )
    described = m.ConsumerGroupDescribeRequest([group_id]), m.StreamsGroupDescribeRequest([group_id])
    codes = [wire.ask(beat).error_code for beat in beats]
    codes += [wire.ask(request).groups[0].error_code for request in described]
    return [code == ErrorCode.UNSUPPORTED_VERSION for code in codes]


EXPECTED: tuple[Callable[[str], tuple[str | None, int]], ...] = (
    lambda _: (None, -1),
    lambda cluster: (cluster, NODE),
    lambda cluster: (cluster, STRANGER),
    lambda _: ("another cluster", NODE),
    lambda cluster: (cluster, -1),
    lambda _: (None, NODE),
)


@pytest.mark.skipif(newest_version(ApiKey.API_VERSIONS) < 5, reason="Version 5 names the expected cluster and node.")
def test_api_versions__expected_cluster_or_node_id_given__same_errors_from_both_brokers(
    kafka: Side, tenure: Side
) -> None:
    codes = []
    for side in (kafka, tenure):
        with Wire(side.host, side.port) as wire:
            cluster_id = wire.ask(m.DescribeClusterRequest()).cluster_id
            asked = [m.ApiVersionsRequest("oracle", "1", *expected(cluster_id)) for expected in EXPECTED]
            codes.append([wire.ask(one, 5).error_code for one in asked])
    assert codes[0] == codes[1] == [0, 0, 129, 129, 42, 42]
