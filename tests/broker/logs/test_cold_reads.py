"""Reads that wait for the disk: other requests are served meanwhile."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.requests.context import Context
from tenure.broker.server.server import Server
from tenure.protocol.message import replace
from tenure.protocol.messages import FetchPartition, MetadataRequest
from tenure.protocol.types import PartitionId
from tenure.storage.data_directory import DataDirectory
from tenure.storage.files import LocalDataFiles, LocalFile
from tests.broker.handlers.test_records import FETCH_BYTES, Topic, batch, partition_of, values
from tests.broker.handlers.test_topics import create
from tests.wire import Wire

PATIENCE_S = 60.0
READER = "reader"
"""Prefix of the names of the threads that wait for the disk."""


class SlowDisk(LocalDataFiles):
    """Files that are not in the page cache until they are read; reads wait until the test releases them."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.may_end = threading.Event()
        self.read_by: list[str] = []
        self.reads: list[tuple[str, bool]] = []
        """Reads as (directory, whether a reader thread did it)."""

    def open(self, path: str) -> LocalFile:
        return SlowFile(self, path) if "/t-" in path else LocalFile(path)


class SlowFile(LocalFile):
    def __init__(self, disk: SlowDisk, path: str) -> None:
        super().__init__(path)
        self.disk = disk
        self.place = Path(path).parent.name

    def is_cached(self, size: int, position: int) -> bool:  # noqa: ARG002
        return False

    def pread(self, size: int, position: int) -> bytes:
        name = threading.current_thread().name
        self.disk.read_by.append(name)
        self.disk.reads.append((self.place, name.startswith(READER)))
        if name.startswith(READER):
            self.disk.began.set()
            assert self.disk.may_end.wait(PATIENCE_S)
        return super().pread(size, position)


def with_broker(
    path: Path, disk: LocalDataFiles, client: Callable[[int], None], stopping: threading.Event | None = None
) -> None:
    """Run a broker for a client; `stopping` is set when the client stops it, with requests pending."""

    async def run() -> None:
        settings, _ = load_settings(file=None, environment={}, flags=())
        directory = DataDirectory.open(str(path), files=disk)
        broker = Broker(Context(settings, directory, Address("127.0.0.1", 0), asyncio.get_running_loop()))
        await broker.start()
        server = Server(broker)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.start(listening)
            working = asyncio.create_task(asyncio.to_thread(client, listening.getsockname()[1]))
            if stopping is not None:
                assert await asyncio.to_thread(stopping.wait, PATIENCE_S)
                await broker.answer_parked()
            await working
            await server.stop()
            directory.close(clean=broker.close())

    asyncio.run(run())


def test_fetch__records_not_in_page_cache__read_on_a_thread_while_others_are_served(tmp_path: Path) -> None:
    disk = SlowDisk()

    def client(port: int) -> None:
        with Wire("127.0.0.1", port) as slow, Wire("127.0.0.1", port) as other:
            topic = Topic(slow, "t")
            topic.produce(batch("a", "b"))
            slow.send(topic.fetch_request(0))
            assert disk.began.wait(PATIENCE_S)
            assert other.ask(MetadataRequest()).brokers
            disk.may_end.set()
            assert values(partition_of(slow.receive()).records) == [(0, "a"), (1, "b")]

    with_broker(tmp_path, disk, client)
    assert disk.read_by[0].startswith(READER)


@pytest.mark.parametrize(
    ("max_bytes", "found", "rounds"),
    [
        (1, ["a"], [{"t-0"}]),
        (3 * FETCH_BYTES, ["a", "b", "c"], [{"t-0", "t-1", "t-2"}]),
        (FETCH_BYTES, ["a", "b", "c"], [{"t-0"}, {"t-1"}, {"t-2"}]),
    ],
)
def test_fetch__several_partitions_not_in_page_cache__thread_reads_only_what_fits_the_answer(
    tmp_path: Path, max_bytes: int, found: list[str], rounds: list[set[str]]
) -> None:
    """Read no more than fits. Before it is read, the part of a partition counts with its maximum size."""
    disk = SlowDisk()
    disk.may_end.set()

    def client(port: int) -> None:
        with Wire("127.0.0.1", port) as wire:
            assert create(wire, "t", 3) == 0
            topic = Topic(wire, "t")
            for partition, value in enumerate("abc"):
                topic.produce(batch(value), partition)
            disk.reads.clear()
            request = topic.fetch_request(0)
            partitions = [
                FetchPartition(PartitionId(partition), fetch_offset=0, partition_max_bytes=FETCH_BYTES)
                for partition in range(3)
            ]
            topics = [replace(request.topics[0], partitions=partitions)]
            parts = wire.ask(replace(request, max_bytes=max_bytes, topics=topics)).responses[0].partitions
            assert [value for part in parts for _, value in values(part.records)] == found

    with_broker(tmp_path, disk, client)
    by_turns = [(by_reader, {place for place, _ in group}) for by_reader, group in groupby(disk.reads, itemgetter(1))]
    assert [places for by_reader, places in by_turns if by_reader] == rounds


def test_list_offsets__timestamp_not_in_page_cache__searched_on_a_thread(tmp_path: Path) -> None:
    disk = SlowDisk()

    def client(port: int) -> None:
        with Wire("127.0.0.1", port) as slow, Wire("127.0.0.1", port) as other:
            topic = Topic(slow, "t")
            topic.produce(batch("a", "b", timestamp_ms=1_000))
            found: list[tuple[int, int, int]] = []
            asking = threading.Thread(target=lambda: found.append(topic.offset(1_001)))
            asking.start()
            assert disk.began.wait(PATIENCE_S)
            assert other.ask(MetadataRequest()).brokers
            disk.may_end.set()
            asking.join(PATIENCE_S)
            assert found == [(0, 1_001, 1)]
            assert all(name.startswith(READER) for name in disk.read_by)

    with_broker(tmp_path, disk, client)


def test_fetch__broker_stops_while_a_thread_reads__answered_without_the_thread(tmp_path: Path) -> None:
    disk = SlowDisk()

    def client(port: int) -> None:
        with Wire("127.0.0.1", port) as slow:
            topic = Topic(slow, "t")
            topic.produce(batch("a"))
            slow.send(topic.fetch_request(0))
            assert disk.began.wait(PATIENCE_S)
            stopping.set()
            assert values(partition_of(slow.receive()).records) == [(0, "a")]
            disk.may_end.set()

    stopping = threading.Event()
    with_broker(tmp_path, disk, client, stopping)


@pytest.mark.skipif(not hasattr(os, "RWF_NOWAIT"), reason="only Linux tells what is in memory")
def test_is_cached__range_just_written_or_empty__true(tmp_path: Path) -> None:
    file = LocalFile(str(tmp_path / "f"))
    file.append(bytes(300_000))
    assert file.is_cached(300_000, 0)
    assert file.is_cached(10, 299_995)
    assert file.is_cached(0, 300_000)
    file.close()
