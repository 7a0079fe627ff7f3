"""The consumer against Apache Kafka, with features that our broker lacks and records that our producer cannot write.

The records come from the producers of librdkafka, aiokafka and kafka-python, with every codec.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import count
from time import monotonic
from typing import Any

import pytest

from tenure.client import Consumer, ConsumerRecord, Producer, TopicPartition, read_arrow
from tenure.client.values import ListedOffset
from tests.apache_kafka import apache_kafka
from tests.client.consumer.consumer_group_scenarios import commit_through_rebalances, match_a_pattern, take_over
from tests.client.producer.transactional_scenarios import created, settle
from tests.client.streams.streams_scenarios import (
    push_the_topology_description,
    restart_a_static_member,
    share_tasks_and_commit,
    wait_for_a_topic_and_shut_down,
)
from tests.oracle.conftest import require_kafka

PATIENCE_S = 60.0
NAMES = (f"topic-{number}" for number in count())
SETTINGS = {
    "log.retention.ms": "-1",  # no retention
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "200",
    "group.consumer.assignment.interval.ms": "0",
    "group.streams.min.heartbeat.interval.ms": "100",
    "group.streams.heartbeat.interval.ms": "200",
    "group.streams.assignment.interval.ms": "0",
    "group.streams.initial.rebalance.delay.ms": "0",
    "group.streams.topology.description.plugin.class": (
        "org.apache.kafka.server.streams.InMemoryTopologyDescriptionPlugin"
    ),
}

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=SETTINGS) as broker:
        yield broker.address


@pytest.fixture
def topic(address: str) -> str:
    return created(address, next(NAMES), 1)


def config(address: str, **others: Any) -> dict[str, Any]:
    keys = {key.replace("_", "."): value for key, value in others.items()}
    return {"bootstrap.servers": address, "auto.offset.reset": "earliest", "fetch.max.wait.ms": 100, **keys}


def read(consumer: Consumer, records: int) -> list[ConsumerRecord]:
    """Read `records` records, and check that no more arrive for a moment."""
    give_up_at = monotonic() + PATIENCE_S
    found: list[ConsumerRecord] = []
    while len(found) < records:
        assert monotonic() < give_up_at, f"{len(found)} of {records}"
        found += consumer.poll(0.2)
    found += consumer.poll(0.2)
    assert len(found) == records
    return found


# --- fetch sessions ---------------------------------------------------------------------------------------------------


def test_fetch_session__partitions_added_paused_and_removed__every_record_read_once(address: str) -> None:
    """Read every record once. An incremental fetch names only changes; a missing one would lose or repeat records."""
    name = created(address, next(NAMES), partitions=20)
    places = [TopicPartition(name, number) for number in range(20)]
    with Producer(address) as producer, Consumer(config(address, max_poll_records=7)) as consumer:

        def write(values: range) -> None:
            for value in values:
                for place in places:
                    producer.send(name, None, b"%d" % value, place.partition)
            producer.flush()

        write(range(5))
        consumer.assign(places)
        found = read(consumer, 100)
        consumer.pause(places[:10])
        write(range(5, 10))
        found += read(consumer, 50)
        consumer.resume(places[:10])
        found += read(consumer, 50)
        consumer.assign(places[5:])
        write(range(10, 12))
        found += read(consumer, 30)
        consumer.assign(dict.fromkeys(places[:5], 10))
        found += read(consumer, 10)
        consumer.seek(places[3], 11)
        assert [(row.partition, row.offset) for row in read(consumer, 1)] == [(3, 11)]
        (session,) = consumer._core._prefetch._sessions.values()
        now = session.next_request({})
        assert now.session_id > 0, "Apache Kafka keeps a session"
        assert now.session_epoch > 5, "and it is the one that we began with"
    assert sorted((row.partition, row.offset) for row in found) == [(p, o) for p in range(20) for o in range(12)]
    assert all(row.value == b"%d" % row.offset for row in found)


def test_fetch__maximum_bytes_smaller_than_a_batch__whole_batches_returned(address: str) -> None:
    """Return whole batches: the first one may exceed the limit, and the others are left out (KIP-74)."""
    name = created(address, next(NAMES), partitions=3)
    with Producer(address) as producer:
        for number in range(30):
            producer.send(name, None, b"%d" % number * 500, number % 3)
    limits = {"fetch_max_bytes": 700, "max_partition_fetch_bytes": 1_000}
    with Consumer(config(address, **limits)) as consumer:
        consumer.assign([TopicPartition(name, number) for number in range(3)])
        assert sorted(row.value or b"" for row in read(consumer, 30)) == sorted(b"%d" % n * 500 for n in range(30))


# --- transactions -----------------------------------------------------------------------------------------------------


def librdkafka(address: str, name: str) -> tuple[Any, Callable[[str, bytes], Any]]:
    from confluent_kafka import Producer as Confluent

    producer = Confluent({"bootstrap.servers": address, "transactional.id": name})
    return producer, lambda topic, value: producer.produce(topic, value, partition=0)


def kafka_python(address: str, name: str) -> tuple[Any, Callable[[str, bytes], Any]]:
    from kafka import KafkaProducer

    producer = KafkaProducer(bootstrap_servers=address, transactional_id=name)
    return producer, lambda topic, value: producer.send(topic, value, partition=0)


@pytest.mark.parametrize("library", [librdkafka, kafka_python])
def test_read_committed__aborted_and_open_transactions__only_committed_records(
    address: str, topic: str, library: Callable[[str, str], tuple[Any, Callable[[str, bytes], Any]]]
) -> None:
    place = TopicPartition(topic, 0)
    one, write_one = library(address, f"{topic}-one")
    other, write_other = library(address, f"{topic}-other")
    for producer in (one, other):
        producer.init_transactions()
    committed: list[bytes] = []
    for number in range(6):  # the transactions interleave, so that markers lie between records of the other producer
        one.begin_transaction()
        other.begin_transaction()
        for part in range(3):
            write_one(topic, b"one-%d-%d" % (number, part))
            one.flush()
            write_other(topic, b"other-%d-%d" % (number, part))
            other.flush()
        for producer, name, commits in ((one, b"one", number % 2 == 0), (other, b"other", number % 3 == 0)):
            if commits:
                producer.commit_transaction()
                committed += [b"%s-%d-%d" % (name, number, part) for part in range(3)]
            else:
                producer.abort_transaction()
    with Producer(address) as producer:
        producer.send(topic, None, b"plain", 0)
    committed.append(b"plain")

    careful = config(address, isolation_level="read_committed")
    with Consumer(careful) as consumer, Consumer(config(address)) as bold:
        settle(address, topic)
        stable = consumer.end_offsets([place])[place]
        one.begin_transaction()
        write_one(topic, b"open")
        one.flush()
        with Producer(address) as producer:
            producer.send(topic, None, b"after it", 0)
        assert consumer.end_offsets([place])[place] == stable
        assert bold.end_offsets([place])[place] == stable + 2

        consumer.assign([place])
        assert sorted(row.value or b"" for row in read(consumer, len(committed))) == sorted(committed)
        assert consumer.position(place) == stable
        consumer.seek(place, 0)
        assert sorted(columns(consumer, len(committed))) == sorted(committed)
        table = read_arrow(careful, topic)
        assert sorted(table["value"].to_pylist()) == sorted(committed)
        bold.assign([place])
        assert len(read(bold, 36 + 3)) == 39

        one.abort_transaction()
        assert [row.value for row in read(consumer, 1)] == [b"after it"]
    if hasattr(one, "close"):
        one.close()
        other.close()


def columns(consumer: Consumer, records: int) -> list[bytes]:
    give_up_at = monotonic() + PATIENCE_S
    found: list[bytes] = []
    while len(found) < records:
        assert monotonic() < give_up_at, f"{len(found)} of {records}"
        table = consumer.poll_arrow(0.2)
        found += [] if table is None else table["value"].to_pylist()
    return found


# --- records of other clients -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_compressed_records__written_by_librdkafka_and_aiokafka__read_as_rows_and_as_columns(
    address: str, topic: str, codec: str
) -> None:
    from aiokafka import AIOKafkaProducer
    from confluent_kafka import Producer as Confluent

    written = [b"value %d " % number * 20 for number in range(500)]
    confluent = Confluent({"bootstrap.servers": address, "compression.type": codec, "linger.ms": 50})
    for value in written[:250]:
        confluent.produce(topic, value, b"key", headers={"h": b"1"}, partition=0)
    assert confluent.flush(PATIENCE_S) == 0

    async def write() -> None:
        compression = None if codec == "none" else codec
        async with AIOKafkaProducer(bootstrap_servers=address, compression_type=compression, linger_ms=50) as producer:
            for value in written[250:]:
                await producer.send(topic, value, b"key", 0, headers=[("h", b"1")])

    asyncio.run(write())
    with Consumer(config(address)) as consumer:
        consumer.assign([TopicPartition(topic, 0)])
        found = read(consumer, 500)
    assert [row.value for row in found] == written
    assert {(row.key, row.headers) for row in found} == {(b"key", (("h", b"1"),))}
    table = read_arrow(address, topic, headers=True)
    assert table["value"].to_pylist() == written
    assert table["headers"][499].as_py() == [{"key": "h", "value": b"1"}]


# --- positions and patterns -------------------------------------------------------------------------------------------


def test_offsets_for_times__timestamp_with_and_without_later_records__offset_or_minus_1(
    address: str, topic: str
) -> None:
    place = TopicPartition(topic, 0)
    with Producer(address) as producer:
        for number in range(100):
            producer.send(topic, None, b"%d" % number, 0, number)
    with Consumer(config(address)) as consumer:
        assert consumer.offsets_for_times({place: 42}) == {place: ListedOffset(42, 42, 0)}
        assert consumer.offsets_for_times({place: 100})[place].offset == -1
        assert (consumer.beginning_offsets([place]), consumer.end_offsets([place])) == ({place: 0}, {place: 100})
    assert read_arrow(address, topic, start=10, end=12)["offset"].to_pylist() == [10, 11]


def test_subscribe__pattern__existing_and_later_topics_that_match_are_read(address: str, topic: str) -> None:
    with Producer(address) as producer:
        producer.send(topic, None, b"now", 0)
    keys = {"group_id": f"of-{topic}", "metadata_max_age_ms": 200, "heartbeat_interval_ms": 200}
    with Consumer(config(address, **keys)) as consumer:
        consumer.subscribe(re.compile(f"{topic}(-later)?"))
        assert [row.value for row in read(consumer, 1)] == [b"now"]
        created(address, f"{topic}-later", 1)
        with Producer(address) as producer:
            producer.send(f"{topic}-later", None, b"later", 0)
        assert [(row.topic, row.value) for row in read(consumer, 1)] == [(f"{topic}-later", b"later")]


# --- consumer groups (KIP-848) ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("long_holder_lookup")
def test_instance_id__already_in_use__join_refused_or_holder_fenced(address: str) -> None:
    take_over(address, created(address, next(NAMES), partitions=4), 4)


def test_commit__from_another_thread_during_rebalances__no_commit_of_the_owner_refused(address: str) -> None:
    commit_through_rebalances(address, created(address, next(NAMES), partitions=4), 4)


def test_subscription_pattern__valid_or_invalid__resolved_or_refused_by_the_broker(address: str) -> None:
    match_a_pattern(address, created(address, next(NAMES), 1))


# --- streams groups (KIP-1071) ----------------------------------------------------------------------------------------


def test_streams_members__tasks_move__each_commits_only_partitions_of_its_own_tasks(address: str) -> None:
    share_tasks_and_commit(address, created(address, next(NAMES), partitions=3), 3)


@pytest.mark.usefixtures("long_holder_lookup")
def test_static_streams_member__restarted_and_replaced__keeps_its_tasks(address: str) -> None:
    restart_a_static_member(address, created(address, next(NAMES), partitions=3), 3)


def test_streams_members__source_topic_missing__status_reported_until_the_topic_is_created(address: str) -> None:
    wait_for_a_topic_and_shut_down(address, next(NAMES))


def test_streams_member__broker_requests_the_topology_description__sent_and_stored(address: str) -> None:
    push_the_topology_description(address, created(address, next(NAMES), 2))
