"""Group of static members, formed over raw sockets, and the requests that its members repeat."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from bench.brokers import Broker
from bench.load import Load
from tenure.protocol.apis import ApiKey
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    SyncGroupRequest,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicName
from tests.wire import Wire

TOPIC = TopicName("bench")
SESSION_TIMEOUT_MS = 300_000
HEARTBEAT_VERSION = 3
COMMIT_VERSION = 7


@dataclass(frozen=True, slots=True)
class Member:
    member_id: MemberId
    instance_id: InstanceId


@dataclass(frozen=True, slots=True)
class Formed:
    """Stable group, with its members."""

    group_id: GroupId
    generation_id: GenerationId
    members: list[Member]

    def heartbeats(self) -> list[Message]:
        return [
            HeartbeatRequest(self.group_id, self.generation_id, member.member_id, member.instance_id)
            for member in self.members
        ]

    def commits(self) -> list[Message]:
        """Return a commit of one partition for each member."""
        return [
            OffsetCommitRequest(
                group_id=self.group_id,
                generation_id_or_member_epoch=self.generation_id,
                member_id=member.member_id,
                group_instance_id=member.instance_id,
                topics=[
                    OffsetCommitRequestTopic(
                        name=TOPIC,
                        partitions=[
                            OffsetCommitRequestPartition(partition_index=PartitionId(0), committed_offset=12_345)
                        ],
                    )
                ],
            )
            for member in self.members
        ]


def form(broker: Broker, name: str, size: int) -> Formed:
    """Form a group: all members join within the initial delay and sync; then they disconnect."""
    group_id = GroupId(name)
    instances = [InstanceId(f"seat-{n}") for n in range(size)]
    with contextlib.ExitStack() as opened:
        wires = [opened.enter_context(Wire(broker.host, broker.port)) for _ in instances]
        for wire, instance in zip(wires, instances, strict=True):
            wire.send(join(group_id, instance), 5)
        joined = [wire.receive() for wire in wires]
        refused = {answer.error_code for answer in joined} - {0}
        assert not refused, f"{group_id}: joins were refused with {refused}"
        generation_id = joined[0].generation_id
        assert {answer.generation_id for answer in joined} == {generation_id}, "members joined too slowly"
        members = [Member(answer.member_id, instance) for answer, instance in zip(joined, instances, strict=True)]
        for wire, member in zip(wires, members, strict=True):
            wire.send(SyncGroupRequest(group_id, generation_id, member.member_id, member.instance_id), 3)
        assert {wire.receive().error_code for wire in wires} == {0}
        return Formed(group_id, generation_id, members)


def join(group_id: GroupId, instance: InstanceId) -> JoinGroupRequest:
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=SESSION_TIMEOUT_MS,
        rebalance_timeout_ms=SESSION_TIMEOUT_MS,
        member_id=MemberId(""),
        group_instance_id=instance,
        protocol_type="bench",
        protocols=[JoinGroupRequestProtocol("range", b"")],
    )


def load(broker: Broker, requests: list[Message], version: int, seconds: float) -> Load:
    """Return the load of requests whose answers end with an error code."""
    found = repeated(broker, requests, version, seconds)
    assert all(answer[-2:] == b"\x00\x00" for answer in found.answers), "the first answer is an error"
    return found


def repeated(broker: Broker, requests: list[Message], version: int, seconds: float) -> Load:
    """Return a load with one connection for each request. Send each request once, to get the expected answer.

    Requests have the client id with which the members joined, because another one would change the member.
    """
    frames = [encode_request(RequestHeader(ApiKey(request.KEY), version, 7, "wire"), request) for request in requests]
    with Wire(broker.host, broker.port) as wire:
        answers = [wire.exchange(frame) for frame in frames]
    return Load(broker.host, broker.port, frames, answers, warm_up_s=min(2.0, seconds), seconds=seconds)
