"""Offsets that an open transaction may still change: a consumer waits for the end of the transaction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.client import Consumer, GroupMetadata, OffsetAndMetadata, Producer, TopicPartition
from tenure.client.errors import RequestTimedOut
from tests.client.producer.transactional_scenarios import begun, patience, topic_of
from tests.serving import Serving, serving

PATIENCE_MS = 300


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, "transaction.state.log.num.partitions=1") as broker:
        yield broker


def polled(consumer: Consumer) -> bytes:
    """Return the value of the next record."""
    for _ in patience("a record"):
        found = consumer.poll(0.1)
        if found:
            assert len(found) == 1
            return found[0].value or b""
    raise AssertionError


def test_poll__committed_offset_in_a_long_open_transaction__other_partitions_are_read(
    broker: Serving,
) -> None:
    topic = topic_of(broker.address)
    held, free = TopicPartition(topic, 0), TopicPartition(topic, 1)
    with Producer(broker.address) as filler:
        for partition in (held, free):
            filler.send(topic, None, b"of %d" % partition.partition, partition.partition)
    keys = {"group.id": topic, "auto.offset.reset": "earliest", "default.api.timeout.ms": PATIENCE_MS}
    with (
        begun(broker.address, topic) as owner,
        Consumer({"bootstrap.servers": broker.address, **keys}) as consumer,
    ):
        owner.send_offsets_to_transaction({held: OffsetAndMetadata(1)}, GroupMetadata(topic))
        consumer.assign([held, free])
        assert polled(consumer) == b"of 1"
        for asked in (lambda: consumer.position(held), lambda: consumer.committed([held])):
            with pytest.raises(RequestTimedOut, match=r"an open transaction may change it.*`tenure transactions list"):
                asked()
        assert consumer.poll(0) == []
        owner.abort_transaction()
        assert polled(consumer) == b"of 0"
        assert consumer.position(held) == 1
