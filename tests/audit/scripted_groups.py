"""Groups whose members a script runs. The script records all events.

The script is the leader of its classic groups and assigns their partitions, so it knows all moves. It works with any
broker. A function of the caller lets time pass.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import pytest

from tenure.protocol.codec import encode
from tenure.protocol.consumer_protocol import Assignment, encode_assignment
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription, TopicPartition
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    HeartbeatTopicPartitions,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    LeaveGroupRequest,
    MemberIdentity,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tests.wire import Wire

JOIN, SYNC, BEAT, LEAVE, COMMIT, CONSUMER_BEAT = 5, 3, 3, 3, 7, 1
"""Versions of requests."""

REBALANCE_MS: Final = 300_000
JOIN_S: Final = 0.001
"""Time by which each JoinGroup moves the clock of a test broker with virtual time."""
LONG_SESSION_MS: Final = 45_000
"""Session timeout of groups whose members do not crash: no session ends, however busy the machine is."""
STEP: Final = 10
"""Offsets that a partition advances between two commits."""
ROUNDS_MAX: Final = 1_000
"""Maximum rounds of heartbeats until a consumer group has settled. Apache Kafka may assign in the background."""


@dataclass
class Record:
    """History that the audit should find."""

    rebalances: list[tuple[str, int, tuple[str, ...], int]] = field(default_factory=list)
    """Group, epoch, causes and members afterwards."""
    moves: list[tuple[str, int, str, str]] = field(default_factory=list)
    """Group, partition, previous and new owner."""
    pauses: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Group, partition, and shortest and longest time in ms, for each move that ended with a commit."""
    replaced: list[tuple[str, str, str]] = field(default_factory=list)
    """Group, old and new member id of static members that returned."""
    commits: dict[tuple[str, int], int] = field(default_factory=dict)
    """Number of commits by group and partition."""
    offsets: dict[tuple[str, int], int] = field(default_factory=dict)
    """Last committed offset by group and partition."""
    missing: int = 0
    """Offsets of `__consumer_offsets` without a record: markers of transactions, and what they abort."""


class RequestTime(NamedTuple):
    """Times in ms at which a request was sent and answered. They are equal if only the script moves the clock."""

    sent_ms: int
    answered_ms: int


@dataclass
class Script:
    """A cluster, the script's time, and its record."""

    address: str
    topic: str
    pass_time: Callable[[float], None]
    clock_ms: Callable[[], int] | None = None
    """Function that returns the time of the cluster's clock; None if only the script moves this clock."""
    record: Record = field(default_factory=Record)
    passed_s: float = 0.0
    """Time by which the script has moved the clock."""
    wires: list[Wire] = field(default_factory=list)

    def now_ms(self) -> int:
        return round(self.passed_s * 1000) if self.clock_ms is None else self.clock_ms()

    def wire(self, name: str) -> Wire:
        host, _, port = self.address.rpartition(":")
        self.wires.append(Wire(host, int(port), client_id=name))
        return self.wires[-1]

    def close(self) -> None:
        """Close all connections."""
        for wire in self.wires:
            wire.close()

    def tick(self, groups: Sequence[ScriptedGroup], seconds: float, times: int = 1) -> None:
        """Let members commit, send heartbeats, and let time pass, `times` times."""
        for _ in range(times):
            for group in groups:
                group.work()
            self.pass_time(seconds)
            self.passed_s += seconds


@dataclass
class ScriptedMember:
    name: str
    wire: Wire
    member_id: str = ""
    instance_id: str | None = None
    epoch: int = 0
    partitions: list[int] = field(default_factory=list)
    is_silent: bool = False
    """True once the member has crashed."""

    @property
    def owner(self) -> str:
        return self.instance_id or self.member_id


class ScriptedGroup:
    """Members of one group, with what both protocols share: offsets, moves and pauses."""

    def __init__(self, script: Script, group: str) -> None:
        self.script = script
        self.group = group
        self.members: dict[str, ScriptedMember] = {}
        self.owners: dict[int, str] = {}
        """Last owner of each partition."""
        self.offsets: dict[int, int] = {}
        self.last_commit: dict[int, RequestTime] = {}
        self.waiting: dict[int, RequestTime] = {}
        """Time of the last commit before the move, by partition; until the first commit after it."""
        self.epoch = 0

    def member(self, name: str, instance_id: str | None) -> ScriptedMember:
        return self.members.setdefault(name, ScriptedMember(name, self.script.wire(name), instance_id=instance_id))

    def own(self, member: ScriptedMember, partitions: Sequence[int]) -> None:
        """Record that a member owns these partitions from now on."""
        for partition in partitions:
            before = self.owners.get(partition)
            if before not in (None, member.owner):
                assert before is not None
                self.script.record.moves.append((self.group, partition, before, member.owner))
                if partition in self.last_commit:
                    self.waiting[partition] = self.last_commit[partition]
            self.owners[partition] = member.owner
        member.partitions = sorted(partitions)

    def rebalanced(self, epoch: int, causes: Sequence[str], members: int) -> None:
        self.epoch = epoch
        self.script.record.rebalances.append((self.group, epoch, tuple(sorted(causes)), members))

    def work(self) -> None:
        raise NotImplementedError

    def commit(self, member: ScriptedMember, *, offsets: Mapping[int, int] | None = None) -> None:
        """Commit the next offsets of the member's partitions, or those that are given."""
        if offsets is None:
            offsets = {partition: self.offsets.get(partition, 0) + STEP for partition in member.partitions}
        if not offsets:
            return
        sent_ms = self.script.now_ms()
        if not self.send_commit(member, offsets):
            return
        at, record = RequestTime(sent_ms, self.script.now_ms()), self.script.record
        for partition, offset in offsets.items():
            self.offsets[partition] = record.offsets[self.group, partition] = offset
            if (before := self.waiting.pop(partition, None)) is not None:
                span_ms = at.sent_ms - before.answered_ms, at.answered_ms - before.sent_ms
                record.pauses.append((self.group, partition, *span_ms))
            self.last_commit[partition] = at
            record.commits[self.group, partition] = record.commits.get((self.group, partition), 0) + 1

    def send_commit(self, member: ScriptedMember, offsets: Mapping[int, int]) -> bool:
        """Commit offsets. Return whether they are committed."""
        partitions = [
            OffsetCommitRequestPartition(partition_index=partition, committed_offset=offset, committed_metadata="")
            for partition, offset in offsets.items()
        ]
        request = OffsetCommitRequest(
            group_id=self.group,
            generation_id_or_member_epoch=member.epoch,
            member_id=member.member_id,
            group_instance_id=member.instance_id,
            topics=[OffsetCommitRequestTopic(name=self.script.topic, partitions=partitions)],
        )
        answer = member.wire.ask(request, self.commit_version)
        codes = {partition.error_code for topic in answer.topics for partition in topic.partitions}
        assert codes == {0}, f"{member.name} cannot commit: {codes}"
        return True

    commit_version = COMMIT


class ClassicScript(ScriptedGroup):
    """A classic group. Its rebalances are scripted from the first JoinGroup to the last SyncGroup."""

    def __init__(
        self, script: Script, group: str, *, session_ms: int = LONG_SESSION_MS, commits_every: int = 1
    ) -> None:
        super().__init__(script, group)
        self.session_ms = session_ms
        self.commits_every = commits_every
        """Number of ticks from one commit to the next."""
        self.ticks = 0

    def rebalance(
        self,
        assignment: Mapping[str, Sequence[int]],
        *causes: str,
        instances: Mapping[str, str] | None = None,
    ) -> None:
        """Let all members of the assignment join and sync. New members join first, which begins the rebalance."""
        instances = instances or {}
        newcomers = [name for name in assignment if name not in self.members]
        names = [*newcomers, *(name for name in assignment if name in self.members)]
        for name in names:
            self._send_join(self.member(name, instances.get(name)))
            if name in newcomers and len(names) > len(newcomers):
                self._wait_for_rebalance()
        answers = {name: self._joined(self.members[name]) for name in names}
        generation = answers[names[0]].generation_id
        leader = next(name for name in names if answers[name].leader == answers[name].member_id)
        for name in [*(name for name in names if name != leader), leader]:
            self._send_sync(self.members[name], generation, assignment if name == leader else {})
        for name in names:
            answer = self.members[name].wire.receive()
            assert answer.error_code == 0, f"{name} cannot sync: {answer.error_code}"
            self.members[name].epoch = generation
        self.rebalanced(generation, causes, len(names))
        for name in names:
            self.own(self.members[name], assignment[name])

    def _wait_for_rebalance(self) -> None:
        """Wait until the new member has begun the rebalance; an earlier join would begin another one."""
        wire = self.script.wire("observer")
        while wire.ask(DescribeGroupsRequest(groups=[self.group]), 5).groups[0].group_state != "PreparingRebalance":
            pass

    def _send_join(self, member: ScriptedMember) -> None:
        subscription = struct.pack(">h", 1) + encode(ConsumerProtocolSubscription(topics=[self.script.topic]), 1)
        request = JoinGroupRequest(
            group_id=self.group,
            session_timeout_ms=self.session_ms,
            rebalance_timeout_ms=REBALANCE_MS,
            member_id=member.member_id,
            group_instance_id=member.instance_id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol("range", subscription)],
        )
        if not member.member_id and member.instance_id is None:
            request.member_id = member.wire.ask(request, JOIN).member_id  # KIP-394: asks for an id first.
            self.script.passed_s += JOIN_S
        member.wire.send(request, JOIN)
        self.script.passed_s += JOIN_S

    def _joined(self, member: ScriptedMember) -> Any:
        answer = member.wire.receive()
        assert answer.error_code == 0, f"{member.name} cannot join: {answer.error_code}"
        member.member_id = answer.member_id
        return answer

    def _send_sync(self, member: ScriptedMember, generation: int, assignment: Mapping[str, Sequence[int]]) -> None:
        topic = self.script.topic
        request = SyncGroupRequest(
            group_id=self.group,
            generation_id=generation,
            member_id=member.member_id,
            group_instance_id=member.instance_id,
            assignments=[
                SyncGroupRequestAssignment(
                    self.members[name].member_id,
                    encode_assignment(Assignment([TopicPartition(topic, list(partitions))], None)),
                )
                for name, partitions in assignment.items()
            ],
        )
        member.wire.send(request, SYNC)

    def leave(self, *names: str) -> None:
        """Let members leave. If the group becomes empty, that is a new generation."""
        for name in names:
            member = self.members.pop(name)
            identity = MemberIdentity(member.member_id, member.instance_id)
            answer = member.wire.ask(LeaveGroupRequest(group_id=self.group, members=[identity]), LEAVE)
            assert answer.error_code == 0
            member.wire.close()
        if not self.members:
            self.rebalanced(self.epoch + 1, ["leave"], 0)

    def crash(self, name: str) -> None:
        """Let a member stop its heartbeats."""
        self.members[name].is_silent = True

    def remove(self, name: str) -> None:
        """Remove a member whose session has ended."""
        self.members.pop(name).wire.close()

    def restart_static(self, name: str) -> None:
        """Let a static member return with a new member id, within its session: there is no rebalance."""
        member = self.members[name]
        old = member.member_id
        member.wire.close()
        member.wire, member.member_id = self.script.wire(name), ""
        self._send_join(member)
        self._joined(member)
        self._send_sync(member, member.epoch, {})
        member.wire.receive()
        self.script.record.replaced.append((self.group, old, member.member_id))

    def work(self) -> None:
        self.ticks += 1
        for member in self.members.values():
            if member.is_silent:
                continue
            request = HeartbeatRequest(
                group_id=self.group,
                generation_id=member.epoch,
                member_id=member.member_id,
                group_instance_id=member.instance_id,
            )
            is_stable = member.wire.ask(request, BEAT).error_code != ErrorCode.REBALANCE_IN_PROGRESS
            if is_stable and self.ticks % self.commits_every == 0:
                self.commit(member)


class ConsumerScript(ScriptedGroup):
    """Consumer group (KIP-848).

    The coordinator assigns partitions, and the script records the moves from the heartbeats.
    """

    commit_version = 9

    def __init__(self, script: Script, group: str, topic_id: bytes) -> None:
        super().__init__(script, group)
        self.topic_id = topic_id
        self.targets: dict[str, list[int]] = {}
        self.next_id = 0

    def join(self, name: str) -> None:
        """Let a member join, and wait until all members have their new assignments."""
        self.next_id += 1
        member = self.member(name, None)
        member.member_id = f"{name}.{self.next_id}"
        self._beat(member, epoch=0, joins=True)
        self._settle("join")

    def leave(self, name: str) -> None:
        """Let a member leave."""
        member = self.members.pop(name)
        self._beat(member, epoch=-1)
        member.wire.close()
        self._settle("leave")

    def _settle(self, cause: str) -> None:
        """Let all members send heartbeats until each has the new epoch and its target."""
        for _ in range(ROUNDS_MAX):
            self._beat_all()
            epochs = {member.epoch for member in self.members.values()}
            if len(epochs) == 1 and min(epochs) > self.epoch:
                break
        else:
            pytest.fail(f"the members of {self.group} have not settled: {epochs}")
        self._beat_all()  # The last member gets the partitions that the others have revoked.
        self.rebalanced(epochs.pop(), [cause], len(self.members))

    def _beat_all(self) -> None:
        for member in self.members.values():
            self._beat(member)
            held = {each for other in self.members.values() if other is not member for each in other.partitions}
            target = self.targets.get(member.name, [])
            member.partitions = [partition for partition in member.partitions if partition in target]
            free = [each for each in target if each not in held]
            self._beat(member, owned=member.partitions if held & set(target) else free)
            self.own(member, free)

    def _beat(
        self,
        member: ScriptedMember,
        epoch: int | None = None,
        *,
        joins: bool = False,
        owned: Sequence[int] | None = None,
    ) -> None:
        parts = [] if joins or owned == [] else None
        if owned:
            parts = [HeartbeatTopicPartitions(self.topic_id, list(owned))]
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group,
            member_id=member.member_id,
            member_epoch=member.epoch if epoch is None else epoch,
            rebalance_timeout_ms=REBALANCE_MS if joins else -1,
            subscribed_topic_names=[self.script.topic] if joins else None,
            server_assignor="uniform" if joins else None,
            topic_partitions=parts,
        )
        answer = member.wire.ask(request, CONSUMER_BEAT)
        assert answer.error_code == 0, f"{member.name} cannot beat: {answer.error_code} {answer.error_message}"
        member.epoch = answer.member_epoch
        if answer.assignment is not None:
            self.targets[member.name] = sorted(
                partition for topic in answer.assignment.topic_partitions for partition in topic.partitions
            )

    def work(self) -> None:
        for member in self.members.values():
            self._beat(member)
            self.commit(member)
