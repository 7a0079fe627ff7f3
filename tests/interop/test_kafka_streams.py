"""Kafka Streams with `group.protocol=streams` against `tenure serve` (rule 5)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from confluent_kafka import Consumer, Producer

from tenure.protocol.messages import StreamsGroupDescribeRequest
from tenure.protocol.types import GroupId
from tests.interop.kafka_streams import WordCount, applications, compiled
from tests.interop.producing import create_topic
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving
from tests.wire import Wire

TIMEOUT_S = 90.0
GROUP = GroupId("words-counted")
SETTINGS = (
    "offsets.topic.num.partitions=1",
    "transaction.state.log.num.partitions=1",
    "group.streams.initial.rebalance.delay.ms=0",
    "group.streams.assignment.interval.ms=0",
    "group.streams.heartbeat.interval.ms=200",
    "group.streams.session.timeout.ms=6000",
)
PARTITIONS = 3

pytestmark = [pytest.mark.interop]


def test_kafka_streams_word_count__application_joins_and_is_killed_and_broker_killed__each_word_counted_once(
    tmp_path: Path,
) -> None:
    require_kafka()
    classes = compiled(tmp_path)
    with serving(tmp_path, *SETTINGS) as broker, applications() as running:
        create_topic(broker.address, "lines", PARTITIONS)
        create_topic(broker.address, "words", 1)

        def start(name: str) -> WordCount:
            exactly_once = (
                *("processing.guarantee=exactly_once_v2", "num.stream.threads=2"),
                "transaction.timeout.ms=6000",  # A killed application's records wait for the end of its transaction.
            )
            running.append(WordCount(classes, broker.address, tmp_path, name, *exactly_once))
            return running[-1]

        first = start("first")
        write(broker, 30)
        wait_for(broker, {"a": 60, "b": 30})
        second = start("second")
        wait_until(lambda: processes(broker) == 2)
        write(broker, 30)
        wait_for(broker, {"a": 120, "b": 60})
        broker.kill()
        broker.start()
        write(broker, 30)
        wait_for(broker, {"a": 180, "b": 90})
        assert "ERROR" not in first.states
        write(broker, 30)
        first.kill()
        write(broker, 30)
        wait_until(lambda: processes(broker) == 1)
        wait_for(broker, {"a": 300, "b": 150})
        second.stop()
        assert "ERROR" not in second.states


def write(broker: Serving, count: int) -> None:
    producer = Producer({"bootstrap.servers": broker.address})
    for number in range(count):
        producer.produce("lines", key=str(number), value="a b a")
    assert producer.flush(TIMEOUT_S) == 0


def wait_for(broker: Serving, counts: dict[str, int]) -> None:
    """Wait for these counts; a word that is counted twice never has its count."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker.address,
            "group.id": str(uuid4()),
            "auto.offset.reset": "earliest",
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe(["words"])
    seen: dict[str, int] = {}

    def has_counts() -> bool:
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            seen[message.key().decode()] = int(message.value())
        return seen.items() >= counts.items()

    try:
        wait_until(has_counts, seen)
    finally:
        consumer.close()


def processes(broker: Serving) -> int:
    """Return the number of processes with active tasks, if all tasks have one and the group is stable; else 0."""
    with Wire(broker.host, broker.port) as wire:
        (group,) = wire.ask(StreamsGroupDescribeRequest([GROUP])).groups
    active = [
        (task.subtopology_id, partition, member.process_id)
        for member in group.members
        for task in member.assignment.active_tasks
        for partition in task.partitions
    ]
    is_complete = group.group_state == "Stable" and len(active) == 2 * PARTITIONS
    return len({process for _, _, process in active}) if is_complete else 0


def wait_until(holds: Callable[[], bool], seen: object = None) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < deadline, seen
        time.sleep(0.05)
