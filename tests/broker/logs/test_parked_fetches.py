"""Parked fetches of the broker: each belongs to a connected client, or is dropped."""

import asyncio
import socket
import threading
import time

from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.logs.served_log import ServedLog
from tenure.broker.requests.context import Context
from tenure.broker.server.server import Server
from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchTopic, MetadataRequest, MetadataRequestTopic
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicName
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.sync_pool import SyncPool
from tests.wire import Wire

MAX_WAIT_MS = 2**31 - 1
PATIENCE_S = 60.0
MEMORY = ("tenure.data.durability=memory", "tenure.coordinator.durability=memory")


def fetch_and_disconnect(port: int, may_leave: threading.Event) -> None:
    with Wire("127.0.0.1", port) as wire:
        topic = wire.ask(MetadataRequest([MetadataRequestTopic(name=TopicName("t"))])).topics[0]
        parts = [FetchPartition(PartitionId(0), fetch_offset=0, partition_max_bytes=1)]
        topics = [FetchTopic(TopicName("t"), topic.topic_id, parts)]
        wire.send(FetchRequest(max_wait_ms=MAX_WAIT_MS, min_bytes=MAX_WAIT_MS, topics=topics))
        assert not wire.has_response(within_s=0.1)
        assert may_leave.wait(PATIENCE_S)


def test_parked_fetch__client_disconnects__removed() -> None:
    async def scenario() -> None:
        settings, _ = load_settings(file=None, environment={}, flags=MEMORY)
        address = Address("127.0.0.1", 0)
        broker = Broker(Context(settings, DataDirectory.in_memory(), address, asyncio.get_running_loop()))
        await broker.start()
        server = Server(broker)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.start(listening)
            may_leave = threading.Event()
            client = asyncio.create_task(asyncio.to_thread(fetch_and_disconnect, listening.getsockname()[1], may_leave))
            while not broker.context.parked:  # here and below the test's own time-out ends this
                await asyncio.sleep(0.001)
            may_leave.set()
            await client
            while broker.context.parked:
                await asyncio.sleep(0.001)
            await server.stop()
            broker.close()

    asyncio.run(scenario())


class Reader:
    """Reader of a partition that notes how many bytes are reported to it."""

    def __init__(self) -> None:
        self.grown_by: list[int] = []

    def bytes_added(self, added_bytes: int, stable_bytes: int) -> None:
        assert stable_bytes == added_bytes
        self.grown_by.append(added_bytes)

    def transaction_ended(self) -> None:
        raise AssertionError("there are no transactions")

    def log_deleted(self) -> None:
        raise AssertionError("nobody deletes the topic")


def test_append__previous_sync_not_reported_yet__acknowledged_after_its_own_sync() -> None:
    async def scenario() -> None:
        directory, pool, reader = DataDirectory.in_memory(), SyncPool(1), Reader()
        partition = Partition.open(directory, "t-0", LogSettings(), durability=Durability.FSYNC)
        log = ServedLog(partition, asyncio.get_running_loop(), pool)
        log.watch(reader)
        batches = [encode_batch([Record(0, 1, b"k", bytes(size))]) for size in (1, 100)]
        log.append(batches[0], 1)
        while partition.durable_offset < 1:  # blocks the loop, so that it does not learn of the sync yet
            time.sleep(0.001)
        log.append(batches[1], 1)
        while partition.durable_offset < 2:
            await asyncio.sleep(0.001)
        while len(reader.grown_by) < 2:
            await asyncio.sleep(0.001)
        pool.close()
        assert reader.grown_by == [len(batch) for batch in batches]

    asyncio.run(scenario())
