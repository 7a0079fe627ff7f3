"""Requests about a cluster of one node get the same answers: quorum, features, reassignments, directories, tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tenure.protocol import messages as m
from tenure.protocol.message import Message, Struct
from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

NODE = 1
STRANGER = 77
DIRECTORY = b"\1" * 16
UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
METADATA = "__cluster_metadata"
OWN = frozenset({
    "error_message", "leader_epoch", "high_watermark", "log_end_offset", "last_fetch_timestamp",
    "last_caught_up_timestamp", "listeners",
})  # fmt: skip
"""Fields that differ: texts, and the end of each broker's metadata log."""


def told(answer: object) -> object:
    """Return the answer without the fields that may differ."""
    if isinstance(answer, Struct):
        return {name: told(getattr(answer, name)) for name in answer.__slots__ if name not in OWN}
    if isinstance(answer, list):
        return sorted((told(one) for one in answer), key=repr)
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
        theirs, ours = (answer(side, request, version) for side in (kafka, tenure))
        if theirs != ours:
            differences.append(f"{request} v{version}\n  Apache Kafka: {theirs}\n  Tenure:       {ours}")
    assert not differences, "\n".join(differences)


def answer(side: Side, request: Message, version: int) -> object:
    with Wire(side.host, side.port) as wire:
        return told(wire.ask(request, version))


def test_alter_replica_log_dirs__sent_to_both_brokers__same_answers(kafka: Side, tenure: Side) -> None:
    answers = [told(moved(side, version)) for version in (1, 2) for side in (kafka, tenure)]
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


EXPECTED: tuple[Callable[[str], tuple[str | None, int]], ...] = (
    lambda _: (None, -1),
    lambda cluster: (cluster, NODE),
    lambda cluster: (cluster, STRANGER),
    lambda _: ("another cluster", NODE),
    lambda cluster: (cluster, -1),
    lambda _: (None, NODE),
)


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
