"""Memory per member: resident memory of the broker without members and with ten thousand in one group."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName
from tests.serving import Serving
from tests.wire import Wire

MEMBERS = 10_000
KB_PER_MEMBER_MAX = 20.0
TIMEOUT_MS = 300_000
INITIAL_DELAY_MS = 3_000
"""Initial delay, which restarts with every join, so that all ten thousand are in the first generation."""
AT_ONCE = 100
GROUP, TOPIC = GroupId("large"), TopicName("flights")


def measure(directory: Path, quick: bool) -> list[Figure]:
    size = 500 if quick else MEMBERS
    per_member = [one_group(directory / f"run-{number}", size) for number in range(1 if quick else 3)]
    what = f"memory per member, {size} static members in one group"
    return [Figure(what, "KB", Sample.of(per_member), KB_PER_MEMBER_MAX, less_is_better=True)]


def one_group(directory: Path, size: int) -> float:
    with tenure(directory, group_initial_rebalance_delay_ms=str(INITIAL_DELAY_MS)) as broker:
        assert isinstance(broker, Serving)
        before = resident(broker.pid)
        join_all(broker, size)
        return (resident(broker.pid) - before) / 1000 / size


def resident(pid: int) -> int:
    time.sleep(1.0)
    return int(psutil.Process(pid).memory_info().rss)


def join_all(broker: Broker, size: int) -> None:
    """Let all members join, sync and heartbeat.

    The leader waits for its answer; the others disconnect and stay members.
    """
    with Wire(broker.host, broker.port) as leader:
        leader.send(join(InstanceId("seat-0")), 5)
        for start in range(1, size, AT_ONCE):
            wires = [Wire(broker.host, broker.port) for _ in range(start, min(start + AT_ONCE, size))]
            for number, wire in enumerate(wires, start):
                wire.send(join(InstanceId(f"seat-{number}")), 5)
            for wire in wires:
                wire.close()
        joined = leader.receive()
        assert joined.error_code == 0, f"the leader's join was refused: error {joined.error_code}"
        assert len(joined.members) == size, f"{len(joined.members)} members of {size} are in the first generation"
        assignments = [
            SyncGroupRequestAssignment(member.member_id, assignment(PartitionId(number)))
            for number, member in enumerate(joined.members)
        ]
        for member in sorted(joined.members, key=lambda member: member.member_id != joined.leader):
            own = member.member_id, member.group_instance_id
            given = assignments if member.member_id == joined.leader else []
            synced = leader.ask(SyncGroupRequest(GROUP, joined.generation_id, *own, assignments=given), 3)
            beaten = leader.ask(HeartbeatRequest(GROUP, joined.generation_id, *own), 3)
            assert (synced.error_code, beaten.error_code) == (0, 0)


def join(instance_id: InstanceId) -> JoinGroupRequest:
    subscribed = encode_subscription(Subscription(topics=[TOPIC], owned_partitions=[]))
    return JoinGroupRequest(
        group_id=GROUP,
        session_timeout_ms=TIMEOUT_MS,
        rebalance_timeout_ms=TIMEOUT_MS,
        member_id=MemberId(""),
        group_instance_id=instance_id,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol("range", subscribed)],
    )


def assignment(partition: PartitionId) -> bytes:
    return encode_assignment(Assignment(assigned_partitions=[TopicPartition(TOPIC, [partition])]))
