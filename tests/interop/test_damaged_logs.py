"""Consumers of other libraries continue after damage that their first fetch finds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tenure.protocol.batches import read_batches
from tests.broker.handlers.test_records import Topic, batch
from tests.broker.wire import Wire
from tests.serving import serving

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]

TIMEOUT_S = 60.0
RECORDS = 6
VALUE_BYTES = 5_000
"""Size of a value, more than an index interval: the start then checks only the last batch."""


def confluent_kafka(address: str, count: int) -> list[int]:
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": address, "group.id": "g", "enable.auto.commit": False})
    consumer.assign([TopicPartition("t", 0, 0)])
    found: list[int] = []
    deadline_s = time.monotonic() + TIMEOUT_S
    while len(found) < count and time.monotonic() < deadline_s:
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            found.append(message.offset())
    consumer.close()
    return found


def kafka_python(address: str, count: int) -> list[int]:
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(bootstrap_servers=address, enable_auto_commit=False)
    consumer.assign([TopicPartition("t", 0)])
    consumer.seek(TopicPartition("t", 0), 0)
    found: list[int] = []
    deadline_s = time.monotonic() + TIMEOUT_S
    while len(found) < count and time.monotonic() < deadline_s:
        found += [record.offset for records in consumer.poll(200).values() for record in records]
    consumer.close()
    return found


def aiokafka(address: str, count: int) -> list[int]:
    from aiokafka import AIOKafkaConsumer, TopicPartition

    async def read() -> list[int]:
        consumer = AIOKafkaConsumer(bootstrap_servers=address, enable_auto_commit=False)
        await consumer.start()
        consumer.assign([TopicPartition("t", 0)])
        consumer.seek(TopicPartition("t", 0), 0)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return [(await consumer.getone()).offset for _ in range(count)]
        finally:
            await consumer.stop()

    return asyncio.run(read())


@pytest.mark.parametrize("read", [confluent_kafka, kafka_python, aiokafka])
def test_consumer__damaged_batch__continues_after_it(tmp_path: Path, read: Callable[[str, int], list[int]]) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            for n in range(RECORDS):
                topic.produce(batch(str(n) * VALUE_BYTES))
        broker.terminate()
        log = tmp_path / "broker" / "t-0" / f"{0:020}.log"
        content = bytearray(log.read_bytes())
        _, _, damaged, *_ = read_batches(bytes(content))
        content[damaged.position + damaged.size - 1] ^= 1
        log.write_bytes(content)
        broker.start()
        assert read(broker.address, RECORDS - 1) == [0, 1, 3, 4, 5]
        assert broker.log.count("offset 2 is missing") == 1
