"""Moves from Tenure to Apache Kafka and back: killed, with transactions, and with a compacted source."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tenure.admin import Admin
from tenure.client import TopicPartition
from tenure.testing import Broker
from tests.apache_kafka import ApacheKafka, apache_kafka
from tests.move.conftest import KEEPS_ALL
from tests.move.moving import moving, offsets_by_value, rows, write, write_transactions
from tests.move.test_crashes import run
from tests.oracle.conftest import IN_ORDER, SETTINGS, prepare, require_kafka

pytestmark = pytest.mark.oracle

FREQUENT_COMPACTION = {"log.cleaner.backoff.ms": "100", "log.cleaner.min.cleanable.ratio": "0.01"}
COMPACTED = {"cleanup.policy": "compact", "segment.ms": "100"}
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    require_kafka()
    settings = SETTINGS | IN_ORDER | FREQUENT_COMPACTION | KEEPS_ALL
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=settings) as broker:
        prepare(broker.host, broker.port)
        yield broker


def test_move_to_apache_kafka_and_on_to_tenure__killed_several_times__each_record_once_in_order(
    source: Broker, kafka: ApacheKafka, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(2_000), **{"compression.type": "lz4"})
    source.commit("on-its-way", {(topic, 0): 5})
    killed = [run(source.address, kafka.address, topic, kill_at) for kill_at in (3, 5, 8, 13)]
    assert any(killed), "the runs ended before they were killed"
    with moving(source.address, kafka.address, topic, groups=["on-its-way"]) as there:
        assert there.are_equal()
    assert rows(kafka.address, topic) == rows(source.address, topic)
    killed = [run(kafka.address, target.address, topic, kill_at) for kill_at in (4, 9)]
    assert any(killed), "the runs ended before they were killed"
    with moving(kafka.address, target.address, topic, groups=["on-its-way"]) as back:
        assert back.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)
    assert target.committed("on-its-way") == {(topic, 0): 5}


def test_move__transactions_at_the_source_kafka__committed_records_and_translated_offsets(
    kafka: ApacheKafka, target: Broker
) -> None:
    name = "transactions-of-kafka"
    create(kafka, name, {})
    write_transactions(kafka.address, name, [("commit", 3), ("abort", 2), ("commit", 1)] * 4)
    originals = {offset: value for (_, value), offset in offsets_by_value(kafka.address, name).items()}
    with moving(kafka.address, target.address, name) as moved:
        assert moved.are_equal()
        found = {place: moved.translate(TopicPartition(name, 0), place) for place in originals}
    copies = {offset: value for (_, value), offset in offsets_by_value(target.address, name).items()}
    assert len(copies) == 16
    for place, translated in found.items():
        following = next((value for at, value in originals.items() if at >= place and value[:6] == b"commit"), None)
        assert copies.get(translated) == following


def test_move__source_topic_compacted_by_apache_kafka__same_records_and_commits_point_to_them(
    kafka: ApacheKafka, target: Broker
) -> None:
    name = "compacted-by-kafka"
    create(kafka, name, COMPACTED)
    written = 0
    give_up_at = time.monotonic() + PATIENCE_S
    while len(rows(kafka.address, name)) == written:
        assert time.monotonic() < give_up_at, "the topic is not compacted"
        write(kafka.address, name, range(written, written + 60))
        written += 60
    with moving(kafka.address, target.address, name) as moved:
        assert moved.plan.topics[0].is_compacted
        assert moved.are_equal()
        originals, copies = offsets_by_value(kafka.address, name), offsets_by_value(target.address, name)
        for (partition, value), offset in originals.items():
            assert moved.translate(TopicPartition(name, partition), offset) == copies[partition, value]


def create(kafka: ApacheKafka, name: str, configs: dict[str, str]) -> None:
    with Admin(kafka.address) as admin:
        admin.create_topics([name], partitions=1, configs=configs)
