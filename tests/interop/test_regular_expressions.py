"""Subscriptions by regular expression, as librdkafka's consumer of KIP-848 sends them (rule 3.8)."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Consumer

from tests.interop.producing import create_topic, produce
from tests.serving import serving

RECORDS = 30
TIMEOUT_S = 60.0

pytestmark = [pytest.mark.interop]


def test_librdkafka_consumer__subscribes_to_a_pattern__reads_the_topics_that_match(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        for name in ("work-eu", "work-us", "other"):
            create_topic(broker.address, name, 2)
        for name in ("work-eu", "work-us", "other"):
            produce("confluent-kafka", broker.address, name, RECORDS)
        settings = {"group.id": "g", "group.protocol": "consumer", "auto.offset.reset": "earliest"}
        with closing(Consumer({"bootstrap.servers": broker.address, **settings})) as consumer:
            consumer.subscribe(["^work-.*"])
            read: list[str] = []
            deadline_s = time.monotonic() + TIMEOUT_S
            while len(read) < 2 * RECORDS and time.monotonic() < deadline_s:
                polled = consumer.poll(0.1)
                if polled is not None and polled.error() is None:
                    read.append(polled.topic())
            assert {one.topic for one in consumer.assignment()} == {"work-eu", "work-us"}
            assert (read.count("work-eu"), read.count("work-us")) == (RECORDS, RECORDS)
