"""Consume, transform and produce exactly once with the transactional producers of other libraries."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.producer.transactional_scenarios import patience, settle
from tests.interop.java_clients import JavaClients, java_clients
from tests.interop.member import join_in_one_poll
from tests.interop.producing import create_topic, produce
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]

TOPICS = itertools.count(1)
RECORDS = 40
PARTITIONS = 2
TIMEOUT_S = 60

Ends = list[bool]
"""Outcomes of transactions in order: true if committed."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("broker"), "transaction.state.log.num.partitions=3") as broker:
        yield broker


def confluent(address: str, source: str, target: str, ends: Ends) -> None:
    from confluent_kafka import Consumer, Producer

    consumer = Consumer(
        {
            "bootstrap.servers": address, "group.id": source, "auto.offset.reset": "earliest",
            "enable.auto.commit": False, "isolation.level": "read_committed",
        }
    )  # fmt: skip
    consumer.subscribe([source])
    producer = Producer({"bootstrap.servers": address, "transactional.id": f"{target}-confluent"})
    producer.init_transactions(TIMEOUT_S)
    taken: list[Any] = []
    while len(taken) < RECORDS:
        taken += consumer.consume(RECORDS - len(taken), 1.0)
    for commits in ends:
        producer.begin_transaction()
        for record in taken:
            producer.produce(target, key=record.key(), value=record.value() + (b"!" if commits else b"?"))
        offsets = consumer.position(consumer.assignment())
        producer.send_offsets_to_transaction(offsets, consumer.consumer_group_metadata(), TIMEOUT_S)
        (producer.commit_transaction if commits else producer.abort_transaction)(TIMEOUT_S)
    consumer.close()


def aiokafka(address: str, source: str, target: str, ends: Ends) -> None:
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

    async def work() -> None:
        consumer = AIOKafkaConsumer(
            source, bootstrap_servers=address, group_id=source, auto_offset_reset="earliest", enable_auto_commit=False
        )
        producer = AIOKafkaProducer(bootstrap_servers=address, transactional_id=f"{target}-aiokafka")
        async with consumer, producer:
            taken: list[Any] = []
            while len(taken) < RECORDS:
                found = await consumer.getmany(timeout_ms=1_000)
                taken += [record for records in found.values() for record in records]
            positions = {partition: await consumer.position(partition) for partition in consumer.assignment()}
            for commits in ends:
                await producer.begin_transaction()
                for record in taken:
                    await producer.send(target, key=record.key, value=record.value + (b"!" if commits else b"?"))
                await producer.send_offsets_to_transaction(positions, source)
                await (producer.commit_transaction() if commits else producer.abort_transaction())

    asyncio.run(work())


def kafka_python(address: str, source: str, target: str, ends: Ends) -> None:
    from kafka import KafkaConsumer, KafkaProducer
    from kafka.structs import OffsetAndMetadata

    consumer = KafkaConsumer(
        source, bootstrap_servers=address, group_id=source, auto_offset_reset="earliest", enable_auto_commit=False
    )
    producer = KafkaProducer(bootstrap_servers=address, transactional_id=f"{target}-kafka-python", acks="all")
    join_in_one_poll(consumer)
    producer.init_transactions()
    taken: list[Any] = []
    while len(taken) < RECORDS:
        taken += [record for records in consumer.poll(1_000).values() for record in records]
    positions = {part: OffsetAndMetadata(consumer.position(part), "", -1) for part in consumer.assignment()}
    for commits in ends:
        producer.begin_transaction()
        for record in taken:
            producer.send(target, key=record.key, value=record.value + (b"!" if commits else b"?"))
        producer.send_offsets_to_transaction(positions, source)
        (producer.commit_transaction if commits else producer.abort_transaction)()
    producer.close()
    consumer.close()


def read_committed(address: str, topic: str, count: int) -> list[bytes]:
    """Read with a library that took no part, once no transaction is open; one record too many would be the next one."""
    from confluent_kafka import Consumer

    settle(address, topic)
    config = {"bootstrap.servers": address, "group.id": f"reader-of-{topic}", "auto.offset.reset": "earliest"}
    consumer = Consumer(config | {"isolation.level": "read_committed", "enable.partition.eof": True})
    consumer.subscribe([topic])
    found: list[bytes] = []
    ended: set[int] = set()
    while len(ended) < PARTITIONS:
        message = consumer.poll(TIMEOUT_S)
        assert message is not None, f"{len(found)} of {count} records came"
        if message.error() is None:
            found.append(message.value())
        else:
            ended.add(message.partition())
    consumer.close()
    return found


def committed(address: str, group: str) -> int:
    from confluent_kafka import Consumer, TopicPartition

    consumer = Consumer({"bootstrap.servers": address, "group.id": group})
    found = consumer.committed([TopicPartition(group, n) for n in range(PARTITIONS)], timeout=TIMEOUT_S)
    consumer.close()
    return sum(max(one.offset, 0) for one in found)


@pytest.mark.parametrize("work", [confluent, aiokafka, kafka_python])
def test_consume_transform_produce__transactions_committed_or_aborted__each_record_once_or_never(
    work: Callable[[str, str, str, Ends], None], broker: Serving
) -> None:
    source, target = f"source-{next(TOPICS)}", f"target-{next(TOPICS)}"
    for topic in (source, target):
        create_topic(broker.address, topic, PARTITIONS)
    produce("confluent-kafka", broker.address, source, RECORDS)
    work(broker.address, source, target, [False, True, False, True, True])
    found = read_committed(broker.address, target, 3 * RECORDS)
    assert sorted(found) == sorted([b"value-%d!" % n for n in range(RECORDS)] * 3)
    assert committed(broker.address, source) == RECORDS


def test_transactional_id__used_by_a_second_producer__first_is_fenced(broker: Serving) -> None:
    from confluent_kafka import KafkaError, KafkaException, Producer

    topic = f"fought-over-{next(TOPICS)}"
    create_topic(broker.address, topic, PARTITIONS)
    config = {"bootstrap.servers": broker.address, "transactional.id": topic}
    first, second = Producer(config), Producer(config)
    first.init_transactions(TIMEOUT_S)
    first.begin_transaction()
    first.produce(topic, b"of a zombie")
    first.flush(TIMEOUT_S)
    second.init_transactions(TIMEOUT_S)
    second.begin_transaction()
    second.produce(topic, b"of the living")
    with pytest.raises(KafkaException) as fenced:
        first.commit_transaction(TIMEOUT_S)
    assert fenced.value.args[0].code() in (KafkaError._FENCED, KafkaError.INVALID_PRODUCER_EPOCH)
    second.commit_transaction(TIMEOUT_S)
    assert read_committed(broker.address, topic, 1) == [b"of the living"]


@pytest.fixture(scope="module")
def java(broker: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    require_kafka()
    with java_clients(broker.address, tmp_path_factory.mktemp("java")) as java:
        yield java


def test_java_consume_transform_produce__transactions_committed_or_aborted__each_record_once_or_never(
    broker: Serving, java: JavaClients
) -> None:
    """Read each record once or never, with transactions of version 2: each in an epoch of its own (KIP-890)."""
    source, target = f"source-{next(TOPICS)}", f"target-{next(TOPICS)}"
    for topic in (source, target):
        create_topic(broker.address, topic, PARTITIONS)
    produce("confluent-kafka", broker.address, source, RECORDS)
    answer = java.ask("transform", source=source, target=target, count=RECORDS, ends=[False, True, False, True, True])
    assert "refused" not in answer, answer
    found = read_committed(broker.address, target, 3 * RECORDS)
    assert sorted(found) == sorted([b"value-%d!" % n for n in range(RECORDS)] * 3)
    assert committed(broker.address, source) == RECORDS
    for _ in patience("its end is complete, which it is some time after its markers"):
        listed = {line.split()[0]: line.split() for line in java.tool("transactions", "list").splitlines()}
        if listed[f"{target}-java"][-1] == "CompleteCommit":
            break
    described = java.tool("transactions", "describe", "--transactional-id", f"{target}-java")
    assert "CompleteCommit" in described


def test_kafka_tools__records_deleted__new_first_offset_size_and_producer_listed(
    broker: Serving, java: JavaClients, tmp_path: Path
) -> None:
    topic = f"shortened-{next(TOPICS)}"
    create_topic(broker.address, topic, 1)
    produce("confluent-kafka", broker.address, topic, 10)
    wanted = tmp_path / "offsets.json"
    wanted.write_text(json.dumps({"version": 1, "partitions": [{"topic": topic, "partition": 0, "offset": 4}]}))
    assert "low_watermark: 4" in java.tool("delete-records", "--offset-json-file", str(wanted))
    assert java.tool("offsets", "--topic", topic, "--time", "earliest").split() == [f"{topic}:0:4"]
    sizes = java.tool("log-dirs", "--describe", "--topic-list", topic)
    answer = json.loads(next(line for line in sizes.splitlines() if line.startswith("{")))
    (partition,) = answer["brokers"][0]["logDirs"][0]["partitions"]
    assert (partition["partition"], partition["offsetLag"]) == (f"{topic}-0", 0)
    assert partition["size"] > 0
    producers = java.tool("transactions", "describe-producers", "--topic", topic, "--partition", "0")
    assert len(producers.splitlines()) == 2, producers
