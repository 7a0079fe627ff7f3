"""What operators look at: the pages of a broker that runs, read as Prometheus and as a probe read them."""

import asyncio
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tenure.broker.broker import Broker
from tenure.broker.keys import Settings
from tenure.broker.listener import Address
from tenure.broker.monitoring import health
from tenure.broker.monitoring.catalogue import CATALOGUE
from tenure.broker.monitoring.health import Readiness
from tenure.broker.served_shard import ServedShard
from tenure.coordinator.groups.commands import CommitOffsets, OffsetToCommit
from tenure.limits import LOADS_IN_THE_TURN_BYTES_MAX, MONITORING_REQUEST_BYTES_MAX
from tenure.monitoring.exposition import Kind, exposition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    FindCoordinatorRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    OffsetCommitRequest,
)
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicId, TopicName
from tenure.storage.data_directory import DataDirectory
from tests.broker.test_groups import LONG_MS, committed, join, seated
from tests.broker.test_records import Topic
from tests.broker.test_topics import create
from tests.broker.test_transactions import NAME, Producer, until_state
from tests.broker.wire import Wire
from tests.serving import Serving, serving

DOCUMENT = Path(__file__).parents[2] / "docs" / "metrics.md"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("watched"), options=("--metrics", "127.0.0.1:0")) as broker:
        yield broker


def address_of(broker: Serving) -> str:
    found = re.findall(r"are at (http://[^/]+)/metrics", broker.log)
    return str(found[-1])


def read(broker: Serving, page: str) -> tuple[int, str]:
    try:
        with urlopen(address_of(broker) + page, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def readiness(broker: Serving) -> tuple[int, str]:
    """What /readyz says once the disk, which others use as well, has taken the probe's write in time."""
    while "has not taken a write" in (answer := read(broker, "/readyz"))[1]:
        pass
    return answer


def metrics(broker: Serving) -> dict[str, Metric]:
    status, text = read(broker, "/metrics")
    assert status == 200, text
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(found: dict[str, Metric], name: str, **labels: str) -> float:
    family = found[name.removesuffix("_total").removesuffix("_count").removesuffix("_sum")]
    (number,) = [sample.value for sample in family.samples if sample.name == name and sample.labels == labels]
    return float(number)


# --- metrics ----------------------------------------------------------------------------------------------------------


def test_metrics__running_broker__tell_what_was_asked_of_it(watched: Serving) -> None:
    before = metrics(watched)
    group = GroupId("m-told")
    with Wire(watched) as wire:
        member_id = seated(wire, group)
        for generation in (1, 1, 9):
            wire.ask(HeartbeatRequest(group, GenerationId(generation), member_id))
        topics = [committed(Topic(wire, "m-told"), 10, PartitionId(0))]
        for generation in (1, 9):
            wire.ask(OffsetCommitRequest(group, generation, member_id, topics=topics))
        after = metrics(watched)

    def grew(name: str, **labels: str) -> float:
        try:
            was = value(before, name, **labels)
        except ValueError:  # it had not happened yet
            was = 0.0
        return value(after, name, **labels) - was

    assert grew("tenure_group_heartbeats_total") == grew("tenure_requests_total", api="Heartbeat", version="4") == 3
    assert grew("tenure_offset_commits_total", outcome="accepted") == 1
    assert grew("tenure_offset_commits_total", outcome="refused") == 1
    assert grew("tenure_group_fences_total", error="ILLEGAL_GENERATION") == 2
    assert grew("tenure_request_errors_total", api="Heartbeat", error="ILLEGAL_GENERATION") == 1
    assert grew("tenure_request_errors_total", api="JoinGroup", error="MEMBER_ID_REQUIRED") == 1
    assert grew("tenure_group_rebalances_total", cause="joined") == 1
    assert grew("tenure_groups", type="classic", state="Stable") == grew("tenure_group_members", kind="dynamic") == 1
    assert grew("tenure_log_sync_seconds_count") > 0
    assert grew("tenure_log_bytes", topic="__consumer_offsets") > 0
    assert value(after, "tenure_connections") == 1
    assert value(after, "process_resident_memory_bytes") > 1_000_000
    assert value(after, "tenure_coordinator_shards", state="down") == 0


def test_metrics__parked_join_and_refused_commit__told(watched: Serving) -> None:
    group = GroupId("m-parked")
    before = metrics(watched)
    with Wire(watched) as leader, Wire(watched) as other:
        member_id = seated(leader, group)
        unknown = join(other, group)
        other.send(join_request(group, unknown.member_id))
        assert other.is_parked()
        parked = metrics(watched)
        assert value(parked, "tenure_requests_parked", api="JoinGroup") == 1
        assert value(parked, "tenure_groups", type="classic", state="PreparingRebalance") == 1
        stray = HeartbeatRequest(group, GenerationId(1), MemberId(f"{member_id}-stray"))
        assert leader.ask(stray).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    after = metrics(watched)
    fences = [value(found, "tenure_group_fences_total", error="UNKNOWN_MEMBER_ID") for found in (before, after)]
    assert fences[1] - fences[0] == 1


def test_metrics__transaction_that_takes_too_long__open_then_aborted_and_counted(watched: Serving) -> None:
    with Wire(watched) as wire:
        assert create(wire, "accounts", 1) == 0
        wire.ask(FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME]))
        assert Producer(wire, timeout_ms=60_000).produce(0) == 0
        begun = metrics(watched)
        assert value(begun, "tenure_transactions", state="Ongoing") == 1
        assert value(begun, "tenure_producer_ids") == 1
        assert Producer(wire, timeout_ms=1).produce(0) in (0, ErrorCode.INVALID_PRODUCER_EPOCH)
        until_state(wire, "CompleteAbort")
    ended = metrics(watched)
    assert value(ended, "tenure_transactions", state="Ongoing") == 0
    assert value(ended, "tenure_transaction_timeouts_total") == 1
    assert value(ended, "tenure_partitions_with_late_transactions") == 0


def test_metrics__consumer_group__counted_beside_the_classic_ones(watched: Serving) -> None:
    before = metrics(watched)
    with Wire(watched) as wire:
        Topic(wire, "m-consumed")
        who = {"group_id": GroupId("m-consumers"), "member_id": MemberId("m-1")}
        joins = ConsumerGroupHeartbeatRequest(
            **who,
            member_epoch=0,
            rebalance_timeout_ms=1_000,
            subscribed_topic_names=[TopicName("m-consumed")],
            topic_partitions=[],
        )
        epoch = wire.ask(joins).member_epoch
        stray = wire.ask(ConsumerGroupHeartbeatRequest(**who, member_epoch=epoch + 1))
        assert stray.error_code == ErrorCode.FENCED_MEMBER_EPOCH
        after = metrics(watched)

    def grew(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grew("tenure_groups", type="consumer", state="Stable") == 1
    assert grew("tenure_group_members", kind="dynamic") == 1
    assert grew("tenure_group_heartbeats_total") == 2
    assert grew("tenure_group_epoch_moves_total", cause="joined") == 1
    assert grew("tenure_group_rebalances_total", cause="joined") == 1
    assert grew("tenure_group_fences_total", error="FENCED_MEMBER_EPOCH") == 1
    assert "group m-consumers: epoch 1 ends: member m-1 joined" in watched.log
    assert "group m-consumers: epoch 2 is stable, 1 members, 0 partitions moved, after " in watched.log


def join_request(group: GroupId, member_id: MemberId) -> JoinGroupRequest:
    protocols = [JoinGroupRequestProtocol("range", b"subscription")]
    return JoinGroupRequest(group, LONG_MS, LONG_MS, member_id, None, "consumer", protocols)


def test_metrics__every_one_of_the_catalogue__told_with_its_kind_and_labels(watched: Serving) -> None:
    with Wire(watched) as wire:
        seated(wire, "m-any")
    found = metrics(watched)
    assert len(found) == len(CATALOGUE)
    for metric in CATALOGUE:
        family = found[metric.name.removesuffix("_total") if metric.kind is Kind.COUNTER else metric.name]
        assert (family.type, family.documentation) == (metric.kind.value, metric.help)
        assert all(tuple(sample.labels) == metric.labels for sample in family.samples)
        assert family.samples, metric.name


def test_exposition__quotes_and_newlines_in_a_label__read_back_as_they_were() -> None:
    odd = 'a "quoted"\\ topic\nof two lines'
    samples = {metric.name: [] for metric in CATALOGUE} | {"tenure_log_bytes": [((odd,), 7)]}
    (family,) = [
        f for f in text_string_to_metric_families(exposition(CATALOGUE, samples)) if f.name == "tenure_log_bytes"
    ]
    assert [(sample.labels, sample.value) for sample in family.samples] == [({"topic": odd}, 7.0)]


def test_catalogue__and_its_document__say_the_same() -> None:
    written = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert written == [
        f"| `{metric.name}` | {metric.kind.value} | {metric.unit or '-'} | {', '.join(metric.labels) or '-'} "
        f"| {metric.help} |"
        for metric in CATALOGUE
    ]


# --- the door ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET /healthz?verbose HTTP/1.0\r\n\r\n", 200),
        (b"GET /secrets HTTP/1.1\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\n\r\n", 405),
        (b"\x00\x00\x00\x10 no words of HTTP\r\n\r\n", 400),
        (b"GET /" + b"x" * MONITORING_REQUEST_BYTES_MAX, 400),
    ],
)
def test_door__whatever_is_sent__one_answer_and_goodbye(watched: Serving, sent: bytes, status: int) -> None:
    host, port = address_of(watched).removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as client:
        client.sendall(sent)
        answer = b"".join(iter(lambda: client.recv(65_536), b""))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_door__address_that_others_reach__refused_without_insecure(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match=r"0\.0\.0\.0 is no loopback address"),
        serving(tmp_path, options=("--metrics", "0.0.0.0:0")),
    ):
        pass


def test_door__asked_for_in_the_configuration__open(tmp_path: Path) -> None:
    with serving(tmp_path, "tenure.metrics.listener=127.0.0.1:0", options=("--memory",)) as broker:
        assert readiness(broker) == (200, "ready\n")


# --- health and readiness ---------------------------------------------------------------------------------------------


def test_health_and_readiness__running_broker__both(watched: Serving) -> None:
    assert read(watched, "/healthz") == (200, "ok\n")
    assert readiness(watched) == (200, "ready\n")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the disk is, it takes the probe's write in time."""
    monkeypatch.setattr(health, "DISK_PROBE_INTERVAL_S", 100.0)


@pytest.mark.usefixtures("patient")
def test_readiness__shard_that_loads__said_until_it_is_loaded(tmp_path: Path) -> None:
    """The loader's only thread is kept busy, so that a large log waits to be read for as long as the test likes."""
    asyncio.run(_commit_much(tmp_path))
    asyncio.run(_watch_loading(tmp_path))


async def _commit_much(path: Path) -> None:
    broker, directory = await _started(path)
    shard = broker.groups.shard(0)
    commits = LOADS_IN_THE_TURN_BYTES_MAX // 4_000 + 1
    for number in range(commits):
        offset = OffsetToCommit(TopicName("t"), TopicId(bytes(16)), PartitionId(number), 1, -1, "x" * 4_000)
        await _answer(shard, CommitOffsets(GroupId("g"), MemberId(""), None, GenerationId(-1), [offset]))
    await broker.answer_parked()
    directory.close(clean=broker.close())


async def _watch_loading(path: Path) -> None:
    loop = asyncio.get_running_loop()
    directory = DataDirectory.open(str(path / "data"))
    broker = Broker(Settings(), directory, Address("127.0.0.1", 9), loop)
    readiness = Readiness(directory, loop)
    assert await readiness.reasons(broker) == [
        "the broker is starting and does not listen yet",
        "1 of 1 shards are loading: the metadata shard",
    ]
    released = Event()
    busy = broker.logs.on_loader(released.wait)
    await broker.start()
    readiness.is_serving = True
    shards = len(broker.shards)
    assert await readiness.reasons(broker) == [f"1 of {shards} shards are loading: the groups of __consumer_offsets-0"]
    released.set()
    await busy
    loaded = loop.create_future()
    broker.groups.shard(0).when_loaded(lambda: loaded.set_result(None))
    await loaded
    assert await readiness.reasons(broker) == []
    readiness.is_stopping = True
    assert await readiness.reasons(broker) == ["the broker is stopping"]
    await broker.answer_parked()
    directory.close(clean=broker.close())


async def _started(path: Path) -> tuple[Broker, DataDirectory]:
    directory = DataDirectory.open(str(path / "data"))
    broker = Broker(Settings(), directory, Address("127.0.0.1", 9), asyncio.get_running_loop())
    await broker.start()
    return broker, directory


async def _answer(shard: ServedShard, command: object) -> object:
    answered: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    shard.ask(command, answered.set_result)
    return await answered


@pytest.mark.usefixtures("patient")
def test_readiness__disk_that_takes_no_writes__said_in_words(tmp_path: Path) -> None:
    async def watched() -> None:
        broker, directory = await _started(tmp_path)
        readiness = Readiness(directory, asyncio.get_running_loop())
        readiness.is_serving = True
        (Path(directory.path) / ".probe").mkdir()  # whatever the reason: nothing can be written there
        (reason,) = await readiness.reasons(broker)
        assert reason.startswith(f"the data directory {directory.path} cannot be written to: ")
        (Path(directory.path) / ".probe").rmdir()
        await broker.answer_parked()
        directory.close(clean=broker.close())

    asyncio.run(watched())
