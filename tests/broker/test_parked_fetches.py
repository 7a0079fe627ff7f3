"""What waits for records, seen from inside: a fetch is somebody's, or it is forgotten."""

import asyncio
import socket

from tenure.broker.broker import Broker
from tenure.broker.configuration import load_settings
from tenure.broker.listener import Address
from tenure.broker.server import Server
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchTopic, MetadataRequest, MetadataRequestTopic
from tenure.protocol.types import PartitionId, TopicName
from tenure.storage.data_directory import DataDirectory
from tests.wire import Wire

FOR_EVER = 2**31 - 1
MEMORY = ("tenure.data.durability=memory", "tenure.coordinator.durability=memory")


def waits_and_leaves(port: int) -> None:
    with Wire("127.0.0.1", port) as wire:
        topic = wire.ask(MetadataRequest([MetadataRequestTopic(name=TopicName("t"))])).topics[0]
        parts = [FetchPartition(PartitionId(0), fetch_offset=0, partition_max_bytes=1)]
        topics = [FetchTopic(TopicName("t"), topic.topic_id, parts)]
        wire.send(FetchRequest(max_wait_ms=FOR_EVER, min_bytes=FOR_EVER, topics=topics))
        assert not wire.answered(within_s=0.1)


def test_fetch__client_leaves_while_it_waits__forgotten() -> None:
    async def scenario() -> None:
        settings, _ = load_settings(file=None, environment={}, flags=MEMORY)
        address = Address("127.0.0.1", 0)
        broker = Broker(settings, DataDirectory.in_memory(), address, asyncio.get_running_loop())
        await broker.start()
        server = Server(broker)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.start(listening)
            client = asyncio.create_task(asyncio.to_thread(waits_and_leaves, listening.getsockname()[1]))
            while not broker.parked:  # here and below the test's own time-out ends this
                await asyncio.sleep(0.001)
            await client
            while broker.parked:
                await asyncio.sleep(0.001)
            await server.stop()
            broker.close()

    asyncio.run(scenario())
