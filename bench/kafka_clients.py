"""Clients that write and read topics: ours, confluent-kafka and aiokafka, with the settings that serve each one best.

All settings are found by measurement. A client that has no such setting keeps its own value: aiokafka compresses with
level 9 of gzip and lz4, the other two with the defaults of the libraries.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from bench.brokers import Broker

if TYPE_CHECKING:
    import pyarrow as pa

PARTITIONS: Final = 4
NOTHING_CAME_S: Final = 10.0
FLUSHED_S: Final = 60.0

FETCHING: Final = {"fetch.max.bytes": 28 << 20, "max.partition.fetch.bytes": 7 << 20}
"""Settings of our consumer. Polls return 500 rows, as by default; short-lived rows cost the garbage collector least."""
CONFLUENT_FETCHING: Final = {
    "queued.min.messages": 1_000_000,
    "queued.max.messages.kbytes": 1_048_576,
    "fetch.max.bytes": 64 << 20,
    "max.partition.fetch.bytes": 16 << 20,
    "fetch.message.max.bytes": 16 << 20,
}
CONSUME_AT_ONCE: Final = 20_000
AIOKAFKA_FETCHING: Final = {"fetch_max_bytes": 28 << 20, "max_partition_fetch_bytes": 7 << 20}

PRODUCING: Final = {"batch.size": 1_000_000, "linger.ms": 50, "acks": "all", "enable.idempotence": True}
"""Settings of our producer and of confluent-kafka's."""
CONFLUENT_PRODUCING: Final = {
    "queue.buffering.max.messages": 1_000_000,
    "queue.buffering.max.kbytes": 1_048_576,
    "batch.num.messages": 100_000,
    "partitioner": "murmur2_random",
    "max.in.flight.requests.per.connection": 1,
}
AIOKAFKA_PRODUCING: Final = {"max_batch_size": 1_000_000, "linger_ms": 50, "acks": "all", "enable_idempotence": True}


class Clock:
    """Time and processor time of all threads of this process, from entering the clock to leaving it."""

    def __enter__(self) -> Self:
        self.began_s, self.began_cpu_s = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self.began_s
        self.cpu_s = time.process_time() - self.began_cpu_s


class Written(NamedTuple):
    """Records that a client writes, as rows and as columns."""

    keys: list[bytes]
    values: list[bytes]
    table: pa.Table


Write = Callable[[Broker, str, str, Written, Clock], None]
"""Function that writes records, given broker, topic, codec, records and clock.

Before it enters the clock, it writes the first record once and waits for the broker. Then the client knows the topic.
"""
Read = Callable[[Broker, str, int, Clock], None]
"""Function that reads a number of records from the beginning of a topic, given broker, topic, number and clock.

It enters the clock before it creates the client, because the client fetches at once.
"""


# --- ours -------------------------------------------------------------------------------------------------------------


def send(broker: Broker, topic: str, codec: str, records: Written, clock: Clock) -> None:
    with producer(broker, codec) as opened:
        opened.send(topic, records.keys[0], records.values[0])
        opened.flush()
        with clock:
            for key, value in zip(records.keys, records.values, strict=True):
                opened.send(topic, key, value)
            opened.flush()


def send_arrow(broker: Broker, topic: str, codec: str, records: Written, clock: Clock) -> None:
    with producer(broker, codec) as opened:
        opened.send_arrow(topic, records.table[:1])
        opened.flush()
        with clock:
            opened.send_arrow(topic, records.table)
            opened.flush()


def producer(broker: Broker, codec: str) -> Any:
    from tenure.client import Producer

    return Producer({"bootstrap.servers": broker.address, "compression.type": codec} | PRODUCING)


def poll(broker: Broker, topic: str, count: int, clock: Clock) -> None:
    with clock, consumer(broker, topic) as opened:
        rows = 0
        while rows < count:
            found = opened.poll(NOTHING_CAME_S)
            check_came(found, rows)
            rows += sum(record.value is not None for record in found)


def poll_arrow(broker: Broker, topic: str, count: int, clock: Clock) -> None:
    with clock, consumer(broker, topic) as opened:
        rows = 0
        while rows < count:
            table = opened.poll_arrow(NOTHING_CAME_S)
            check_came(table, rows)
            rows += len(table)


def consumer(broker: Broker, topic: str) -> Any:
    from tenure.client import Consumer, TopicPartition

    opened = Consumer({"bootstrap.servers": broker.address} | FETCHING)
    opened.assign({TopicPartition(topic, number): 0 for number in range(PARTITIONS)})
    return opened


# --- confluent-kafka --------------------------------------------------------------------------------------------------


def confluent_produce(broker: Broker, topic: str, codec: str, records: Written, clock: Clock) -> None:
    from confluent_kafka import Producer

    settings = {"bootstrap.servers": broker.address, "compression.type": codec}
    opened = Producer(settings | PRODUCING | CONFLUENT_PRODUCING)
    opened.produce(topic, records.values[0], records.keys[0])
    confluent_flush(opened)
    with clock:
        for key, value in zip(records.keys, records.values, strict=True):
            opened.produce(topic, value, key)
        confluent_flush(opened)


def confluent_flush(opened: Any) -> None:
    assert opened.flush(FLUSHED_S) == 0, f"not all was written within {FLUSHED_S:g} s"


def confluent_consume(broker: Broker, topic: str, count: int, clock: Clock) -> None:
    from confluent_kafka import Consumer, TopicPartition

    settings = {"bootstrap.servers": broker.address, "group.id": "bench", "enable.auto.commit": False}
    with clock, closing(Consumer(settings | CONFLUENT_FETCHING)) as opened:
        opened.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
        rows = 0
        while rows < count:
            found = opened.consume(min(CONSUME_AT_ONCE, count - rows), timeout=NOTHING_CAME_S)  # waits for all of them
            check_came(found, rows)
            rows += sum(record.value() is not None for record in found)


# --- aiokafka ---------------------------------------------------------------------------------------------------------


def aiokafka_send(broker: Broker, topic: str, codec: str, records: Written, clock: Clock) -> None:
    from aiokafka import AIOKafkaProducer

    async def write() -> None:
        settings = {"bootstrap_servers": broker.address, "compression_type": None if codec == "none" else codec}
        async with AIOKafkaProducer(**settings, **AIOKAFKA_PRODUCING) as opened:
            await opened.send_and_wait(topic, records.values[0], records.keys[0])
            with clock:
                for key, value in zip(records.keys, records.values, strict=True):
                    await opened.send(topic, value, key)
                await opened.flush()

    asyncio.run(write())


def aiokafka_getmany(broker: Broker, topic: str, count: int, clock: Clock) -> None:
    from aiokafka import AIOKafkaConsumer, TopicPartition

    async def read() -> None:
        async with AIOKafkaConsumer(bootstrap_servers=broker.address, **AIOKAFKA_FETCHING) as opened:
            partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
            opened.assign(partitions)
            await opened.seek_to_beginning(*partitions)
            rows = 0
            while rows < count:
                found = await opened.getmany(timeout_ms=int(NOTHING_CAME_S * 1e3))
                check_came(found, rows)
                rows += sum(record.value is not None for records in found.values() for record in records)

    with clock:
        asyncio.run(read())


def check_came(found: Any, rows: int) -> None:
    assert found, f"nothing came for {NOTHING_CAME_S:g} s, after {rows} records"
