"""Effects of group configs on the members of a group: over sockets, and across a restart of the broker (rule 3.12b)."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.group_configs import GroupConfigCommands
from tenure.broker.coordinators.groups import Groups
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.metadata.configs import Configs
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    JoinGroupResponse,
    LeaveGroupRequest,
    MemberIdentity,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import ZERO_TOPIC_ID, GenerationId, GroupId, InstanceId, MemberId, TopicName
from tests.broker.coordinators.test_failing_disk import Coordinator
from tests.broker.handlers.test_configs import BROKER, GROUP, SET, alter
from tests.broker.wire import Wire
from tests.forgetful import ForgetfulDisk
from tests.serving import Serving, serving


class Member:
    """Static member with a connection of its own, which a parked join blocks (rule 1.3.1)."""

    def __init__(self, broker: Serving, group_id: str, instance_id: str) -> None:
        self.wire = Wire(broker)
        self.group_id = GroupId(group_id)
        self.instance_id = InstanceId(instance_id)
        self.member_id = MemberId("")
        self.generation_id = GenerationId(-1)

    def send_join(self, rebalance_timeout_ms: int = 60_000) -> None:
        protocols = [JoinGroupRequestProtocol("range", b"")]
        self.wire.send(
            JoinGroupRequest(
                self.group_id, 30_000, rebalance_timeout_ms, self.member_id, self.instance_id, "consumer", protocols
            )
        )

    def joined(self) -> JoinGroupResponse:
        answer: JoinGroupResponse = self.wire.receive()
        assert answer.error_code == ErrorCode.NONE
        self.member_id, self.generation_id = answer.member_id, answer.generation_id
        return answer

    def join(self) -> JoinGroupResponse:
        self.send_join()
        return self.joined()

    def sync(self, **assignments: bytes) -> bytes:
        """Send SyncGroup, with assignments by member id if this member leads."""
        found = [SyncGroupRequestAssignment(MemberId(name), data) for name, data in assignments.items()]
        answer = self.wire.ask(
            SyncGroupRequest(
                self.group_id, self.generation_id, self.member_id, self.instance_id, "consumer", "range", found
            )
        )
        assert answer.error_code == ErrorCode.NONE
        data: bytes = answer.assignment
        return data

    def heartbeat(self) -> int:
        beat = HeartbeatRequest(self.group_id, self.generation_id, self.member_id, self.instance_id)
        code: int = self.wire.ask(beat).error_code
        return code

    def reconnect(self, broker: Serving) -> None:
        self.wire.close()
        self.wire = Wire(broker)


NewMember = Callable[[Serving, str, str], Member]


@pytest.fixture
def new_member() -> Iterator[NewMember]:
    """Return a function of broker, group id and instance id, which creates a member that has not joined yet."""
    created: list[Member] = []

    def create(broker: Serving, group_id: str, instance_id: str) -> Member:
        created.append(Member(broker, group_id, instance_id))
        return created[-1]

    yield create
    for member in created:
        member.wire.close()


@pytest.fixture
def group_id(request: pytest.FixtureRequest) -> str:
    return f"g-{request.node.name}"


def test_expected_instances__some_have_not_joined__first_assignment_waits_for_the_last_one(
    broker: Serving, wire: Wire, group_id: str, new_member: NewMember
) -> None:
    assert alter(wire, GROUP, group_id, ("group.expected.instance.ids", SET, "a,b")) == 0
    first, second = new_member(broker, group_id, "a"), new_member(broker, group_id, "b")
    first.send_join()
    assert first.wire.is_parked(), "without a list it would have been answered at once"
    second.send_join()
    assert {member.group_instance_id for member in first.joined().members} == {"a", "b"}
    assert second.joined().generation_id == 1


def test_expected_instances__one_never_joins__first_assignment_after_the_timeout(
    broker: Serving, wire: Wire, group_id: str, new_member: NewMember
) -> None:
    changes = ("group.expected.instance.ids", SET, "a,b"), ("group.expected.timeout.ms", SET, "300")
    assert alter(wire, GROUP, group_id, *changes) == 0
    assert [member.group_instance_id for member in new_member(broker, group_id, "a").join().members] == ["a"]


def test_expected_instances__broker_restarted_before_they_joined__first_assignment_still_waits(
    tmp_path: Path, new_member: NewMember
) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("group.expected.instance.ids", SET, "a,b")) == 0
        broker.kill()
        broker.start()
        first, second = new_member(broker, "g", "a"), new_member(broker, "g", "b")
        first.send_join()
        assert first.wire.is_parked()
        second.send_join()
        assert len(first.joined().members) == 2


def test_reserve_member__active_member_leaves__becomes_active(
    broker: Serving, wire: Wire, group_id: str, new_member: NewMember
) -> None:
    assert alter(wire, GROUP, group_id, ("target.group.size", SET, "1")) == 0
    active, reserve = new_member(broker, group_id, "a"), new_member(broker, group_id, "b")
    active.join()
    assert active.sync(**{active.member_id: b"all of it"}) == b"all of it"

    assert reserve.join().members == []
    assert reserve.sync() == RESERVE_ASSIGNMENT
    assert decode_assignment(reserve.sync()).assigned_partitions == []
    assert (active.heartbeat(), active.generation_id, reserve.generation_id) == (ErrorCode.NONE, 1, 1)

    leaver = MemberIdentity(MemberId(""), active.instance_id)
    wire.ask(LeaveGroupRequest(GroupId(group_id), members=[leaver]))
    assert reserve.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS
    assert [member.group_instance_id for member in reserve.join().members] == ["b"]
    assert reserve.sync(**{reserve.member_id: b"all of it"}) == b"all of it"


def test_reserve_member__broker_killed_and_restarted__still_gets_no_partitions(
    tmp_path: Path, new_member: NewMember
) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("target.group.size", SET, "1")) == 0
        active, reserve = new_member(broker, "g", "a"), new_member(broker, "g", "b")
        active.join()
        active.sync(**{active.member_id: b"all of it"})
        reserve.join()
        assert "group g: its configs are now target.group.size=1" in broker.log
        assert "group g: generation 1 unchanged, reserve members joined: b" in broker.log
        broker.kill()
        broker.start()

        active.reconnect(broker)
        reserve.reconnect(broker)
        assert (active.heartbeat(), reserve.heartbeat()) == (ErrorCode.NONE, ErrorCode.NONE)
        assert reserve.sync() == RESERVE_ASSIGNMENT
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("group.rebalance.counter", SET, "1")) == 0
        active.send_join()
        reserve.send_join()
        assert [member.group_instance_id for member in active.joined().members] == ["a"]
        assert reserve.joined().members == []
        active.sync(**{active.member_id: b"all of it"})
        assert reserve.sync() == RESERVE_ASSIGNMENT


def test_rebalance_counter__changed__members_are_asked_to_join_again(
    broker: Serving, wire: Wire, group_id: str, new_member: NewMember
) -> None:
    member = new_member(broker, group_id, "a")
    member.join()
    member.sync(**{member.member_id: b"all of it"})
    assert member.heartbeat() == ErrorCode.NONE
    assert alter(wire, GROUP, group_id, ("group.rebalance.counter", SET, "1")) == 0
    assert member.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS
    assert member.join().generation_id == 2
    assert alter(wire, GROUP, group_id, ("group.rebalance.counter", SET, "1")) == 0
    member.sync(**{member.member_id: b"all of it"})
    assert member.heartbeat() == ErrorCode.NONE


def test_rebalance_counter__broker_restarted_without_a_change__no_rebalance(
    tmp_path: Path, new_member: NewMember
) -> None:
    with serving(tmp_path) as broker:
        member = new_member(broker, "g", "a")
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("group.rebalance.counter", SET, "5")) == 0
        member.join()
        member.sync(**{member.member_id: b"all of it"})
        broker.restart()
        member.reconnect(broker)
        assert (member.heartbeat(), member.generation_id) == (ErrorCode.NONE, 1)
        with Wire(broker) as wire:
            assert alter(wire, GROUP, "g", ("group.rebalance.counter", SET, "6")) == 0
        assert member.heartbeat() == ErrorCode.REBALANCE_IN_PROGRESS


def test_group_configs__shard_loaded_again_after_its_log_failed__applied_again() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        configs = Configs()
        configs.put(GROUP, "g", "target.group.size", "2")
        groups = Groups(lambda *_: coordinator.shard, GroupConfigCommands(lambda: configs, Settings()))
        groups.set_offsets_topic(Topic(TopicName("__consumer_offsets"), ZERO_TOPIC_ID, 1))
        assert groups.shard(0) is coordinator.shard

        def size() -> int:
            told: int = coordinator.shard.host.shard.digest()[0][GroupId("g")]["configs"].target_group_size
            return told

        await coordinator.commit(1)
        assert size() == 2
        disk.free_bytes = 10
        await coordinator.commit(2)
        await coordinator.until_active()
        disk.free_bytes = None
        assert await coordinator.committed() == 1
        assert size() == 2

        configs.put(GROUP, "g", "target.group.size", None)
        done = asyncio.get_running_loop().create_future()
        groups.configure("g", done.set_result)
        await done
        assert size() == GroupConfigs().target_group_size
        coordinator.pool.close()

    asyncio.run(run())


def test_assignment_interval_of_the_broker__shortened_at_run_time__groups_without_own_config_assigned_at_once(
    tmp_path: Path,
) -> None:
    interval = "group.consumer.assignment.interval.ms"
    with serving(tmp_path, f"{interval}=15000") as broker, Wire(broker) as wire:
        assert alter(wire, GROUP, "own", ("consumer.assignment.interval.ms", SET, "14000")) == 0

        def beat(group_id: str, member: str, epoch: int) -> int:
            joins = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": [TopicName("t")], "topic_partitions": []}
            request = ConsumerGroupHeartbeatRequest(
                GroupId(group_id), MemberId(member * 22), epoch, **({} if epoch else joins)
            )
            answer = wire.ask(request)
            assert answer.error_code == ErrorCode.NONE
            member_epoch: int = answer.member_epoch
            return member_epoch

        first = {group_id: beat(group_id, "a", 0) for group_id in ("own", "default")}
        for group_id, epoch in first.items():
            beat(group_id, "b", 0)
            assert beat(group_id, "a", epoch) == epoch
        assert alter(wire, BROKER, "", (interval, SET, "0")) == 0
        assert beat("default", "a", first["default"]) > first["default"]
        assert beat("own", "a", first["own"]) == first["own"]
