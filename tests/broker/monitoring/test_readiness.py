"""Health and readiness of coordinators, logs and disk."""

import asyncio
import threading
from collections import Counter
from pathlib import Path
from threading import Event

import pytest

from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.monitoring import probes
from tenure.broker.monitoring.probes import CoordinatorProbe, LogProbe
from tenure.broker.monitoring.readiness import Readiness
from tenure.broker.requests.context import Context
from tenure.coordinator.groups.commands import CommitOffsets, OffsetToCommit
from tenure.coordinator.metadata.commands import CreateTopics, NewTopic
from tenure.limits.broker import LOADS_IN_THE_TURN_BYTES_MAX
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicId, TopicName
from tenure.storage.data_directory import DataDirectory
from tests.forgetful import ForgetfulDisk, ForgetfulFiles


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the probe wait for a disk that other tests keep busy."""
    monkeypatch.setattr(probes, "DISK_PROBE_INTERVAL_S", 100.0)


@pytest.mark.usefixtures("patient")
def test_readiness__shard_is_loading__reported_until_it_is_loaded(tmp_path: Path) -> None:
    """Keep the loader's only thread busy, so that a large log waits until the test releases it."""
    asyncio.run(_commit_much(tmp_path))
    asyncio.run(_watch_loading(tmp_path))


async def _commit_much(path: Path) -> None:
    broker, directory = await _started(path)
    shard = broker.context.groups.shard(0)
    commits = LOADS_IN_THE_TURN_BYTES_MAX // 4_000 + 1
    for number in range(commits):
        offset = OffsetToCommit(TopicName("t"), TopicId(bytes(16)), PartitionId(number), 1, -1, "x" * 4_000)
        await _answer(shard, CommitOffsets(GroupId("g"), MemberId(""), None, GenerationId(-1), [offset]))
    await broker.answer_parked()
    directory.close(clean=broker.close())


async def _watch_loading(path: Path) -> None:
    loop = asyncio.get_running_loop()
    directory = DataDirectory.open(str(path / "data"))
    broker = Broker(Context(Settings(), directory, Address("127.0.0.1", 9), loop))
    readiness = Readiness(broker.context, directory)
    assert await readiness.readiness_problems() == [
        "the broker is starting and does not listen yet",
        "shards still loading, of 1: 1 (the metadata shard)",
    ]
    released = Event()
    busy = broker.context.logs.on_loader(released.wait)
    await broker.start()
    readiness.is_serving = True
    shards = len(broker.context.shards)
    assert await readiness.readiness_problems() == [
        f"shards still loading, of {shards}: 1 (the groups of __consumer_offsets-0)"
    ]
    released.set()
    await busy
    loaded = loop.create_future()
    broker.context.groups.shard(0).when_loaded(lambda: loaded.set_result(None))
    await loaded
    assert await readiness.readiness_problems() == []
    readiness.is_stopping = True
    assert await readiness.readiness_problems() == ["the broker is stopping"]
    await broker.answer_parked()
    directory.close(clean=broker.close())


async def _started(path: Path) -> tuple[Broker, DataDirectory]:
    directory = DataDirectory.open(str(path / "data"))
    broker = Broker(Context(Settings(), directory, Address("127.0.0.1", 9), asyncio.get_running_loop()))
    await broker.start()
    return broker, directory


async def _answer(shard: ServedShard, command: object) -> object:
    answered: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    shard.ask(command, answered.set_result)
    return await answered


@pytest.mark.usefixtures("patient")
def test_readiness__data_directory_not_writable__reported_with_the_cause(tmp_path: Path) -> None:
    async def watched() -> None:
        broker, directory = await _started(tmp_path)
        readiness = Readiness(broker.context, directory)
        readiness.is_serving = True
        (Path(directory.path) / ".probe").mkdir()  # any other reason why no file can be written has the same effect
        (reason,) = await readiness.readiness_problems()
        assert reason.startswith(f"the data directory {directory.path} cannot be written to: ")
        (Path(directory.path) / ".probe").rmdir()
        await broker.answer_parked()
        directory.close(clean=broker.close())

    asyncio.run(watched())


# --- probes -----------------------------------------------------------------------------------------------------------


class StallingDisk(ForgetfulDisk):
    """Disk whose syncs hang until `is_quick` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.is_quick = threading.Event()
        self.is_quick.set()

    def count_sync(self) -> None:
        self.is_quick.wait()
        super().count_sync()


class Watched:
    """Broker on a disk that can stall, and its readiness."""

    def __init__(self) -> None:
        self.disk = StallingDisk()
        self._directory = DataDirectory.open("/data", files=ForgetfulFiles(self.disk))
        settings, _ = load_settings(flags=["offsets.topic.num.partitions=1"])
        self.broker = Broker(Context(settings, self._directory, Address("127.0.0.1", 9), asyncio.get_running_loop()))
        self.readiness = Readiness(self.broker.context, self._directory)
        self.readiness.is_serving = True

    async def start(self) -> None:
        await self.broker.start()
        await self.commit("g")

    async def commit(self, group_id: str) -> object:
        """Commit an offset, and wait until that is durable."""
        offset = OffsetToCommit(TopicName("t"), TopicId(bytes(16)), PartitionId(0), 1, -1, "")
        command = CommitOffsets(GroupId(group_id), MemberId(""), None, GenerationId(-1), [offset])
        return await _answer(self.broker.context.groups.shard(0), command)

    async def stop(self) -> None:
        self.disk.is_quick.set()
        await self.broker.answer_parked()
        self._directory.close(clean=self.broker.close())


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let probes end soon, because the disk of these tests stalls until it is released."""
    for timeout in ("COORDINATOR_PROBE_TIMEOUT_S", "LOG_PROBE_TIMEOUT_S", "DISK_PROBE_INTERVAL_S"):
        monkeypatch.setattr(probes, timeout, 0.1)


@pytest.mark.usefixtures("patient")
def test_probes__healthy_broker__no_problems_and_no_records_written() -> None:
    async def probe() -> None:
        watched = Watched()
        await watched.start()
        ends = {name: served.partition.log_end_offset for name, served in watched.broker.context.logs.open.items()}
        assert await watched.readiness.health_problems() == []
        assert await watched.readiness.readiness_problems() == []
        assert {name: log.partition.log_end_offset for name, log in watched.broker.context.logs.open.items()} == ends
        await watched.stop()

    asyncio.run(probe())


@pytest.mark.usefixtures("impatient")
def test_coordinator_probe__answers_of_a_shard_wait_for_the_disk__reported_until_sent() -> None:
    """Report the metadata shard, whose answers wait until its records are durable, and then the shard of the groups."""

    async def probe() -> None:
        watched = Watched()
        await watched.start()
        watched.disk.is_quick.clear()
        creation = CreateTopics([NewTopic(TopicName("t"), 1, 1, {}, {})])
        created = asyncio.ensure_future(_answer(watched.broker.context.metadata, creation))
        committed = asyncio.ensure_future(watched.commit(""))
        await asyncio.sleep(0)
        silent = await CoordinatorProbe(watched.broker.context).silent_shards()
        assert silent == ["the metadata shard", "the groups of __consumer_offsets-0"]
        (problem,) = await watched.readiness.health_problems()
        assert problem.endswith(": 2 (the metadata shard, the groups of __consumer_offsets-0)")
        watched.disk.is_quick.set()
        await asyncio.gather(created, committed)
        assert await watched.readiness.health_problems() == []
        await watched.stop()

    asyncio.run(probe())


class CountingProbe(CoordinatorProbe):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.asked: Counter[str] = Counter()

    def _ask(self, shard: ServedShard) -> asyncio.Future[None]:
        self.asked[shard.name] += 1
        return super()._ask(shard)


@pytest.mark.usefixtures("impatient")
def test_coordinator_probe__shard_does_not_answer__no_second_request_until_it_does() -> None:
    async def probe() -> None:
        watched = Watched()
        await watched.start()
        watched.disk.is_quick.clear()
        committed = asyncio.ensure_future(watched.commit(""))
        await asyncio.sleep(0)
        coordinators = CountingProbe(watched.broker.context)
        for _ in range(3):
            assert await coordinators.silent_shards() == ["the groups of __consumer_offsets-0"]
        assert coordinators.asked == {"the metadata shard": 3, "the groups of __consumer_offsets-0": 1}
        watched.disk.is_quick.set()
        await committed
        await watched.stop()

    asyncio.run(probe())


@pytest.mark.usefixtures("impatient")
def test_log_probe__sync_of_a_log_hangs__log_reported_until_the_sync_ends() -> None:
    async def probe() -> None:
        watched = Watched()
        await watched.start()
        watched.disk.is_quick.clear()
        committed = asyncio.ensure_future(watched.commit("g"))
        await asyncio.sleep(0)
        assert await watched.readiness.health_problems() == [], "a restart would not help the disk"
        assert await LogProbe(watched.broker.context).stuck_logs() == ["__consumer_offsets-0"]
        late, disk = await watched.readiness.readiness_problems()
        assert late.endswith(": 1 (__consumer_offsets-0)")
        assert disk.startswith("the data directory /data has not completed a write for")
        watched.disk.is_quick.set()
        await committed
        assert await LogProbe(watched.broker.context).stuck_logs() == []
        await watched.stop()

    asyncio.run(probe())


@pytest.mark.usefixtures("patient")
def test_readiness__disk_is_full__logs_that_refuse_writes_are_named() -> None:
    async def probe() -> None:
        watched = Watched()
        await watched.start()
        watched.disk.free_bytes = 10
        await watched.commit("g")
        problems = await watched.readiness.readiness_problems()
        assert "logs that take no writes because the disk is full: 1 (__consumer_offsets-0)" in problems
        watched.disk.free_bytes = None
        await watched.stop()

    asyncio.run(probe())
