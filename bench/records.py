"""Topics with records of 100 bytes, keyed as Java's producer does, written in whole batches."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

from bench.brokers import SETTLED_S, Broker, create_topic, wait
from tenure.client.producer.partitioner import partition_for_key
from tenure.protocol.batches import encode_batch
from tenure.protocol.compression import Codec
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, TopicProduceData
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicName
from tests.wire import Wire

VALUE = b"a record of the benchmark, as long as they all are: one hundred bytes, of which these are the last ones."[
    :100
]
RECORDS_PER_BATCH = 7_500
KEYS_PER_PARTITION = 1_000
PRODUCE_VERSION = 9
JUST_CREATED = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.NOT_LEADER_OR_FOLLOWER)
"""Errors of Apache Kafka for a partition that was just created."""


def batch_of(keys: list[bytes], count: int, value: bytes | Sequence[bytes] = VALUE, codec: Codec = Codec.NONE) -> bytes:
    """Return a batch of `count` records that use the keys in turn and, if there are several values, these too."""
    now_ms = int(time.time() * 1000)
    values = itertools.cycle([value] if isinstance(value, bytes) else value)
    repeated = zip(range(count), itertools.cycle(keys), values, strict=False)
    return encode_batch([Record(n, now_ms + n // 100, key, each, []) for n, key, each in repeated], codec=codec)


def keys_of(partition: int, partitions: int, count: int = KEYS_PER_PARTITION) -> list[bytes]:
    keys = (f"key-{n}".encode() for n in itertools.count())
    mine = (key for key in keys if partition_for_key(key, partitions) == partition)
    return list(itertools.islice(mine, count))


def fill(
    broker: Broker,
    topic: str,
    partitions: int,
    records: int,
    per_batch: int = RECORDS_PER_BATCH,
    value: bytes | Sequence[bytes] = VALUE,
    keys_per_partition: int = KEYS_PER_PARTITION,
    codec: Codec = Codec.NONE,
) -> int:
    """Fill a new topic with at least `records` records, evenly over its partitions; return their number."""
    create_topic(broker, topic, partitions)
    batches = -(-records // (per_batch * partitions))
    write_batches(broker, topic, partitions, batches, per_batch, value, keys_per_partition, codec)
    return batches * per_batch * partitions


def write_batches(
    broker: Broker,
    topic: str,
    partitions: int,
    batches: int,
    per_batch: int,
    value: bytes | Sequence[bytes] = VALUE,
    keys_per_partition: int = KEYS_PER_PARTITION,
    codec: Codec = Codec.NONE,
) -> None:
    """Write the same batch `batches` times to each partition."""
    with Wire(broker.host, broker.port) as wire:
        for partition in range(partitions):
            batch = batch_of(keys_of(partition, partitions, keys_per_partition), per_batch, value, codec)
            data = [
                TopicProduceData(
                    name=TopicName(topic), partition_data=[PartitionProduceData(PartitionId(partition), batch)]
                )
            ]
            request = ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=data)
            for _ in range(batches):
                write(wire, request, f"{topic}-{partition}")


def write(wire: Wire, request: ProduceRequest, what: str) -> None:
    deadline = time.monotonic() + SETTLED_S
    while error_code := wire.ask(request, PRODUCE_VERSION).responses[0].partition_responses[0].error_code:
        assert error_code in JUST_CREATED, f"{what} refused a batch: error {error_code}"
        wait(deadline, what)
