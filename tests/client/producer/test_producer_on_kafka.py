"""The producer against Apache Kafka, which checks the batches; librdkafka reads the records."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count
from time import monotonic
from typing import Any

import confluent_kafka
import pyarrow as pa
import pytest

from tenure.client import Producer, RecordMetadata
from tenure.client.errors import DeliveryFailed
from tenure.client.producer.partitioner import partition_for_key
from tenure.protocol.compression import Codec
from tests.apache_kafka import apache_kafka
from tests.client.producer.transactional_scenarios import created
from tests.oracle.conftest import require_kafka

PATIENCE_S = 60.0
PARTITIONS = 3
names = (f"topic-{number}" for number in count())

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings={"log.retention.ms": "-1"}) as broker:  # no retention
        yield broker.address


@pytest.fixture
def topic(address: str) -> str:
    return created(address, next(names), PARTITIONS)


def read(address: str, topic: str, records: int) -> list[confluent_kafka.Message]:
    """Return the records in order of partition and offset; there must be exactly `records`."""
    consumer = confluent_kafka.Consumer({"bootstrap.servers": address, "group.id": "reader", "check.crcs": True})
    consumer.assign([confluent_kafka.TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
    found: list[confluent_kafka.Message] = []
    give_up_at = monotonic() + PATIENCE_S
    while len(found) < records:
        assert monotonic() < give_up_at, f"{len(found)} of {records}"
        found += consumer.consume(1_000, timeout=0.2)
    found += consumer.consume(1, timeout=0.2)
    assert not [message.error() for message in found if message.error()]
    consumer.close()
    assert len(found) == records
    return sorted(found, key=lambda message: (message.partition(), message.offset()))


@pytest.mark.parametrize("codec", [codec.name.lower() for codec in Codec])
def test_send_arrow__each_compression_type__librdkafka_reads_the_same_records(
    address: str, topic: str, codec: str
) -> None:
    keys = [None if number % 10 == 0 else b"key-%d" % (number % 100) for number in range(5_000)]
    table = pa.table(
        {
            "key": pa.array(keys, pa.binary()),
            "value": [f"{number} " * 10 for number in range(5_000)],
            "timestamp": pa.array([1_700_000_000_000 + number for number in range(5_000)], pa.timestamp("ms")),
            "headers": [[("n", b"%d" % number)] if number % 7 == 0 else None for number in range(5_000)],
        },
        schema=pa.schema(
            [
                ("key", pa.binary()),
                ("value", pa.string()),
                ("timestamp", pa.timestamp("ms")),
                ("headers", pa.map_(pa.string(), pa.binary())),
            ]
        ),
    )
    config = {"bootstrap.servers": address, "compression.type": codec, "batch.size": 20_000}
    with Producer(config) as producer:
        producer.send_arrow(topic, table)
    found = read(address, topic, 5_000)
    numbers = [int(message.value().split()[0]) for message in found]
    assert sorted(numbers) == list(range(5_000))
    for number, message in zip(numbers, found, strict=True):
        assert message.value().decode() == f"{number} " * 10
        assert message.key() == keys[number]
        assert message.timestamp() == (confluent_kafka.TIMESTAMP_CREATE_TIME, 1_700_000_000_000 + number)
        assert message.headers() == ([("n", b"%d" % number)] if number % 7 == 0 else None)
        if keys[number] is not None:
            assert message.partition() == partition_for_key(keys[number], PARTITIONS)


@pytest.mark.parametrize("acks", ["all", 1])
def test_send__acks_all__record_is_at_the_reported_partition_and_offset(address: str, topic: str, acks: Any) -> None:
    outcomes: list[Future[RecordMetadata | DeliveryFailed]] = [Future() for _ in range(30)]
    with Producer({"bootstrap.servers": address, "acks": acks}) as producer:
        for number, outcome in enumerate(outcomes):
            producer.send(topic, b"k", b"%d" % number, number % PARTITIONS, on_delivery=outcome.set_result)
    told = [outcome.result(PATIENCE_S) for outcome in outcomes]
    assert told == [RecordMetadata(topic, number % PARTITIONS, number // PARTITIONS) for number in range(30)]
    assert [int(message.value()) for message in read(address, topic, 30)] == sorted(range(30), key=lambda n: n % 3)


def test_send__acks_0__all_records_written_after_close(address: str, topic: str) -> None:
    with Producer(address) as producer:  # waits for the leader, because a new one silently refuses records with acks=0
        producer.send(topic, None, b"-1", 0)
    with Producer({"bootstrap.servers": address, "acks": 0, "batch.size": 10_000}) as producer:
        for number in range(2_000):
            producer.send(topic, None, b"%0100d" % number, 0)
    assert [int(message.value()) for message in read(address, topic, 2_001)] == list(range(-1, 2_000))


def test_send__too_large_for_the_broker__error_and_next_records_written(address: str, topic: str) -> None:
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()
    with Producer({"bootstrap.servers": address, "max.request.size": 3_000_000, "linger.ms": 0}) as producer:
        producer.send(topic, None, b"x" * 2_000_000, 0, on_delivery=outcome.set_result)
        producer.flush()
        producer.send(topic, None, b"small", 0)
    told = outcome.result(PATIENCE_S)
    assert isinstance(told, DeliveryFailed)
    assert "MESSAGE_TOO_LARGE" in str(told)
    assert [message.value() for message in read(address, topic, 1)] == [b"small"]
