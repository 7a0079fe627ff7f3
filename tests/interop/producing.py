"""Records that the producer of each library writes, and their offsets."""

from __future__ import annotations

import asyncio
from typing import Any, Final

TIMEOUT_S: Final = 60.0


def create_topic(address: str, topic: str, partitions: int) -> None:
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient({"bootstrap.servers": address})
    admin.create_topics([NewTopic(topic, partitions, 1)])[topic].result(timeout=TIMEOUT_S)


def produce(library: str, address: str, topic: str, count: int) -> set[tuple[int, int]]:
    """Write `count` keyed records, all acknowledged; return their (partition, offset) pairs."""
    records = [(f"key-{n}".encode(), f"value-{n}".encode()) for n in range(count)]
    return {"kafka-python": kafka_python, "aiokafka": aiokafka, "confluent-kafka": confluent}[library](
        address, topic, records
    )


def kafka_python(address: str, topic: str, records: list[tuple[bytes, bytes]]) -> set[tuple[int, int]]:
    from kafka import KafkaProducer

    producer = KafkaProducer(bootstrap_servers=address, acks="all", compression_type="lz4")
    sent = [producer.send(topic, key=key, value=value) for key, value in records]
    done = [one.get(timeout=TIMEOUT_S) for one in sent]
    producer.close()
    return {(one.partition, one.offset) for one in done}


def aiokafka(address: str, topic: str, records: list[tuple[bytes, bytes]]) -> set[tuple[int, int]]:
    from aiokafka import AIOKafkaProducer

    async def send() -> list[Any]:
        async with AIOKafkaProducer(
            bootstrap_servers=address, enable_idempotence=True, compression_type="gzip"
        ) as producer:
            return [await one for one in [await producer.send(topic, key=key, value=value) for key, value in records]]

    return {(one.partition, one.offset) for one in asyncio.run(send())}


def confluent(address: str, topic: str, records: list[tuple[bytes, bytes]]) -> set[tuple[int, int]]:
    from confluent_kafka import Producer

    landed: set[tuple[int, int]] = set()

    def acknowledged(error: Any, record: Any) -> None:
        assert error is None, error
        landed.add((record.partition(), record.offset()))

    producer = Producer({"bootstrap.servers": address, "enable.idempotence": True, "compression.type": "zstd"})
    for key, value in records:
        producer.produce(topic, key=key, value=value, on_delivery=acknowledged)
    assert producer.flush(TIMEOUT_S) == 0
    return landed
