"""Memory of the broker for requests, unread answers and unfinished frames, and a broker that was suspended."""

import asyncio
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from signal import SIGCONT

import psutil
import pytest

import tests.wire
from tenure.broker.broker import Broker
from tenure.broker.config.listeners import BrokerListener
from tenure.broker.loop.clock import LoopClock
from tenure.broker.loop.schedule import Schedule
from tenure.broker.loop.turn import Turn
from tenure.broker.requests.steps import Steps
from tenure.broker.server.client_memory import ClientMemory
from tenure.broker.server.connection import Connection
from tenure.broker.server.server import Server
from tenure.limits.broker import CLIENT_MEMORY_FREE_BYTES, DECODED_REQUEST_FACTOR
from tenure.protocol.apis import ApiKey
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Data
from tenure.protocol.messages import (
    ApiVersionsRequest,
    CreatableTopic,
    CreateTopicsRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    PartitionProduceData,
    ProduceRequest,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
    TopicProduceData,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName
from tests.broker.server.counting_server import with_server
from tests.broker.wire import Wire
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

MB = 1 << 20
TOPIC = TopicName("large")
LIBRARY = ApiVersionsRequest("a-library", "1.0")


def resident_bytes(broker: Serving) -> int:
    return int(psutil.Process(broker.pid).memory_info().rss)


def settled(measure: Callable[[], int]) -> int:
    """Return the value of a measure once it has been stable for a second."""
    value, since_s = measure(), time.monotonic()
    while time.monotonic() - since_s < 1:
        time.sleep(0.05)
        now = measure()
        if abs(now - value) > MB:
            value, since_s = now, time.monotonic()
    return value


def fetch() -> FetchRequest:
    """Return a fetch of the maximum size."""
    partition = FetchPartition(PartitionId(0), fetch_offset=0, partition_max_bytes=100 * MB)
    return FetchRequest(
        max_wait_ms=0, min_bytes=1, max_bytes=100 * MB, topics=[FetchTopic(TOPIC, partitions=[partition])]
    )


def test_pipelined_fetches__client_does_not_read_the_answers__records_not_in_memory(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        wire.ask(CreateTopicsRequest([CreatableTopic(TOPIC, 1, 1)]))
        batch = encode_batch([Record(0, -1, None, bytes(900_000))])
        for _ in range(64):
            part = PartitionProduceData(PartitionId(0), batch)
            answer = wire.ask(
                ProduceRequest(acks=1, timeout_ms=1_000, topic_data=[TopicProduceData(TOPIC, partition_data=[part])]),
                11,
            )
            assert answer.responses[0].partition_responses[0].error_code == ErrorCode.NONE
        idle_bytes = resident_bytes(broker)
        with Wire(broker) as greedy:
            for _ in range(20):
                greedy.send(fetch(), 11)
            held_bytes = settled(lambda: resident_bytes(broker)) - idle_bytes
            assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
            assert held_bytes < 16 * MB, f"{held_bytes / MB:.0f} MB"
            for _ in range(20):
                assert greedy.receive().error_code == ErrorCode.NONE


def test_connections__closed_in_the_middle_of_a_frame__memory_is_released(tmp_path: Path) -> None:
    with serving(tmp_path, options=("--memory",)) as broker, Wire(broker) as wire:
        assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
        idle_bytes = resident_bytes(broker)
        half = struct.pack(">ihhih", 1_000_000, ApiKey.PRODUCE, 9, 1, -1) + bytes(400_000)
        for _ in range(300):
            with Wire(broker) as left:
                left.send_bytes(half)
            assert (
                wire.ask(LIBRARY).error_code == ErrorCode.NONE
            )  # few are open at once, because the allocator keeps freed memory
        held_bytes = settled(lambda: resident_bytes(broker)) - idle_bytes
        assert held_bytes < 64 * MB, f"{held_bytes / MB:.0f} MB"


@pytest.mark.parametrize("session_timeout_ms", [2_000])
def test_member__broker_suspended_past_the_session_timeout__session_continues(
    tmp_path: Path, session_timeout_ms: int
) -> None:
    settings = ("group.min.session.timeout.ms=1", "group.initial.rebalance.delay.ms=0")
    with serving(tmp_path, *settings, options=("--memory",)) as broker, Wire(broker) as wire:
        group_id, instance_id = GroupId("suspended"), InstanceId("a")
        protocols = [JoinGroupRequestProtocol("range", bytes(10))]
        joined = wire.ask(
            JoinGroupRequest(group_id, session_timeout_ms, 60_000, MemberId(""), instance_id, "consumer", protocols)
        )
        assignment = [SyncGroupRequestAssignment(joined.member_id, b"")]
        sync = SyncGroupRequest(
            group_id, joined.generation_id, joined.member_id, instance_id, "consumer", "range", assignment
        )
        assert wire.ask(sync).error_code == ErrorCode.NONE
        broker.suspend()
        wire.send(HeartbeatRequest(group_id, joined.generation_id, joined.member_id, instance_id))
        time.sleep(2 * session_timeout_ms / 1_000)  # no event to wait for: the suspended process does nothing
        broker.signal(SIGCONT)
        assert wire.receive().error_code == ErrorCode.NONE
        assert "was suspended for" in broker.log


def test_joins__parked_and_larger_than_the_memory_for_clients__all_members_in_the_first_generation(
    tmp_path: Path,
) -> None:
    members, metadata = 20, bytes(1_000_000)
    settings = ("queued.max.request.bytes=4000000", "group.initial.rebalance.delay.ms=3000")
    with serving(tmp_path, *settings, options=("--memory",)) as broker, ExitStack() as stack:
        wires = [stack.enter_context(Wire(broker)) for _ in range(members)]
        for number, wire in enumerate(wires):
            protocols = [JoinGroupRequestProtocol("range", metadata)]
            instance_id = InstanceId(f"seat-{number}")
            wire.send(
                JoinGroupRequest(GroupId("large"), 60_000, 60_000, MemberId(""), instance_id, "consumer", protocols)
            )
        answers = [wire.receive() for wire in wires]
        assert {answer.generation_id for answer in answers} == {1}
        assert max(len(answer.members) for answer in answers) == members


def test_join__large_and_not_decoded_yet__its_memory_is_counted() -> None:
    def client(server: WaitingServer, port: int) -> None:
        memory = server.clients.memory
        with tests.wire.Wire("127.0.0.1", port) as wire:
            protocols = [JoinGroupRequestProtocol("range", bytes(MB))]
            wire.send(
                JoinGroupRequest(GroupId("large"), 60_000, 60_000, MemberId(""), InstanceId("a"), "consumer", protocols)
            )
            while memory.used_bytes < DECODED_REQUEST_FACTOR * MB:
                time.sleep(0.01)
            server.begin_requests()
            while memory.used_bytes:
                time.sleep(0.01)
            assert wire.receive().error_code == ErrorCode.NONE

    with_server(client, WaitingServer)


class WaitingServer(Server):
    """Server that decodes no request until `begin_requests` is called."""

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker)
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.create_future()

    def begin_requests(self) -> None:
        self._loop.call_soon_threadsafe(self._begun.set_result, None)

    def new_connection(self, listener: BrokerListener) -> Connection:
        return Connection(self.clients.beginning_with(self._begin), listener.client_address)

    def _begin(self, connection: Connection, frame: Data) -> Steps:
        yield self._begun
        steps = self.clients.begin(connection, frame)
        if steps is not None:
            yield from steps


class RecordingConnection:
    """Connection that holds memory and notes its events."""

    moved_bytes = 0

    def __init__(self, *, waits_for_client: bool = True) -> None:
        self.waits_for_client = waits_for_client
        self.told: list[str] = []

    def pause_for_memory(self) -> None:
        self.told.append("pause")

    def resume_after_memory(self) -> None:
        self.told.append("resume")

    def drop(self, why: str) -> None:
        assert "queued.max.request.bytes" in why
        self.told.append("drop")


LARGE = CLIENT_MEMORY_FREE_BYTES + 1


def test_client_memory__used_up__one_connection_continues_and_other_large_ones_pause() -> None:
    async def run() -> None:
        memory = ClientMemory(asyncio.get_running_loop(), LARGE)
        first, second, small = RecordingConnection(), RecordingConnection(), RecordingConnection()
        memory.changed(small, 0, 100)
        memory.changed(first, 0, LARGE)
        memory.changed(second, 0, LARGE)
        memory.changed(small, 100, 200)
        assert (first.told, second.told, small.told) == ([], ["pause"], [])
        memory.changed(first, LARGE, 0)
        assert second.told == ["pause", "resume"]
        assert memory.used_bytes == LARGE + 200

    asyncio.run(run())


def test_client_memory__used_up_by_clients_that_neither_send_nor_read__their_connections_closed() -> None:
    async def run() -> None:
        memory = ClientMemory(asyncio.get_running_loop(), LARGE)
        silent = [RecordingConnection(), RecordingConnection()]
        for holding in silent:
            memory.changed(holding, 0, LARGE)
        honest, served = RecordingConnection(), RecordingConnection(waits_for_client=False)
        memory.changed(honest, 0, LARGE)
        memory.changed(served, 0, LARGE)
        while not all("drop" in holding.told for holding in silent):
            honest.moved_bytes += 100_000
            await asyncio.sleep(0.05)
        assert "drop" not in honest.told + served.told

    asyncio.run(run())


def test_schedule__one_connection_has_much_work__takes_turns_with_the_others() -> None:
    order: list[str] = []

    class Work:
        def __init__(self, name: str, pieces: int) -> None:
            self.name = name
            self.left = pieces

        def work(self) -> bool:
            order.append(self.name)
            self.left -= 1
            return self.left > 0

    async def run() -> None:
        loop = asyncio.get_running_loop()
        schedule = Schedule(loop, Turn(loop, LoopClock(loop)))
        schedule.add(Work("much", 4))
        schedule.add(Work("little", 1))
        while len(order) < 5:
            await asyncio.sleep(0)

    asyncio.run(run())
    assert order == ["much", "little", "much", "much", "much"]
