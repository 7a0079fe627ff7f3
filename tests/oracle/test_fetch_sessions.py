"""Incremental fetch sessions (KIP-227): the same requests get the same answers; session ids are not compared."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import pytest

from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tenure.protocol.records import Record
from tests.oracle.side import UNKNOWN_TOPIC_ID, Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

A, B = "sessions-a", "sessions-b"
BY_NAME, BY_ID = 12, 18
BYTES_MAX: Final = 1 << 20

Wanted = tuple[str, int, int]
"""Topic, partition, offset."""
Answer = tuple[object, ...]


class Reader:
    """Client with one fetch session."""

    def __init__(self, side: Side, wire: Wire, version: int) -> None:
        self._side = side
        self._wire = wire
        self.version = version
        self.session_id = 0
        self.answers: list[Answer] = []

    def fetch(
        self,
        epoch: int,
        wanted: Sequence[Wanted] = (),
        forgotten: Sequence[tuple[str, int]] = (),
        *,
        session_id: int | None = None,
        max_bytes: int = BYTES_MAX,
        min_bytes: int = 1,
        max_wait_ms: int = 0,
        partition_max_bytes: int = BYTES_MAX,
    ) -> None:
        request = FetchRequest(
            max_wait_ms=max_wait_ms,
            min_bytes=min_bytes,
            max_bytes=max_bytes,
            session_id=self.session_id if session_id is None else session_id,
            session_epoch=epoch,
            topics=[
                FetchTopic(name, self.topic_id(name), [FetchPartition(index, -1, offset, -1, -1, partition_max_bytes)])
                for name, index, offset in wanted
            ],
            forgotten_topics_data=[ForgottenTopic(name, self.topic_id(name), [index]) for name, index in forgotten],
        )
        answer = self._wire.ask(request, self.version)
        if answer.session_id:
            self.session_id = answer.session_id
        parts = [self.partition_answer(topic, part) for topic in answer.responses for part in topic.partitions]
        parts.sort(key=lambda part: part[2] != 0)  # Apache Kafka returns partitions with errors last
        self.answers.append((answer.error_code, bool(answer.session_id), parts))

    def topic_id(self, name: str) -> bytes:
        return UNKNOWN_TOPIC_ID if name == "nowhere" else self._side.topic_id(name)

    def partition_answer(self, topic: Any, part: Any) -> Answer:
        name = topic.topic if self.version < 13 else self._side.topic_of(topic.topic_id)
        records = [one for batch in read_batches(part.records or b"") for one in decode_records(batch)]
        offsets = [record.offset for record in records]
        return (name, part.partition_index, part.error_code, part.high_watermark, offsets)


def write(wire: Wire, topic: str, partition: int, count: int = 1, size: int = 10) -> None:
    written = Record(0, int(time.time() * 1000), None, b"x" * size)
    records = encode_batch([written] * count)
    data = [TopicProduceData(name=topic, partition_data=[PartitionProduceData(partition, records)])]
    answer = wire.ask(ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=data), 12)
    assert answer.responses[0].partition_responses[0].error_code == 0


def prepare(side: Side) -> None:
    with Wire(side.host, side.port) as wire:
        topics = [CreatableTopic(name=name, num_partitions=3, replication_factor=1) for name in (A, B)]
        answer = wire.ask(CreateTopicsRequest(topics=topics, timeout_ms=10_000))
        assert [one.error_code for one in answer.topics] == [0, 0]
    for name in (A, B):
        side.wait_for_topic(name)


def answers_of_a_session(side: Side, version: int) -> list[Answer]:
    """Return the answers of a session with valid requests and every possible mistake."""
    with Wire(side.host, side.port) as wire, Wire(side.host, side.port) as writer:
        reader = Reader(side, wire, version)
        starts = [(A, 0), (A, 1), (B, 0)]
        begin = {place: end_of(reader, place) for place in starts}
        reader.answers.clear()
        reader.fetch(0, [(*place, begin[place]) for place in starts], session_id=0)
        reader.fetch(1)
        write(writer, A, 1, 2)
        reader.fetch(2)
        reader.fetch(3)
        reader.fetch(4, [(A, 1, begin[A, 1] + 2)])
        reader.fetch(5, max_wait_ms=50)
        reader.fetch(5)
        reader.fetch(7)
        reader.fetch(6, [(B, 2, 0)], [(A, 1)])
        reader.fetch(7, [("nowhere", 0, 0)])
        reader.fetch(8, [(A, 9, 0)])
        reader.fetch(9, [(A, 0, begin[A, 0] + 100)])
        reader.fetch(10, [(A, 0, begin[A, 0])], [("nowhere", 0), (A, 9)])
        reader.fetch(11)
        reader.version = BY_ID if version == BY_NAME else BY_NAME
        reader.fetch(12)
        reader.version = version
        reader.fetch(12, [], [(A, 0), (B, 0), (B, 2)])
        reader.fetch(13)
        reader.fetch(0, [(A, 0, begin[A, 0])], session_id=0)
        first = reader.session_id
        reader.fetch(0, [(A, 0, begin[A, 0])])
        reader.fetch(1, session_id=first)
        reader.fetch(-1, [(A, 0, begin[A, 0])])
        reader.fetch(1)
        reader.fetch(1, [(A, 0, begin[A, 0])], session_id=0)
        reader.fetch(-1, session_id=0)
        reader.fetch(0, session_id=0)
        reader.fetch(1, [(A, 0, begin[A, 0])])
        return reader.answers


def end_of(reader: Reader, place: tuple[str, int]) -> int:
    reader.fetch(-1, [(*place, 0)], session_id=0)
    _, _, [part] = reader.answers[-1]  # type: ignore[misc]
    end: int = part[3]  # type: ignore[index]
    return end


@pytest.fixture(scope="module")
def prepared(kafka: Side, tenure: Side) -> tuple[Side, Side]:
    for side in (kafka, tenure):
        prepare(side)
    return kafka, tenure


@pytest.mark.parametrize("version", [BY_NAME, BY_ID])
def test_fetch_session__requests_with_all_errors__same_answers_from_both_brokers(
    version: int, prepared: tuple[Side, Side]
) -> None:
    theirs, ours = (answers_of_a_session(side, version) for side in prepared)
    assert len(theirs) == 26
    assert ours == theirs


def test_fetch_session__max_bytes_too_small_for_all_partitions__returned_in_the_same_order_by_both_brokers(
    prepared: tuple[Side, Side],
) -> None:
    """The first partition with records returns a whole batch of any size; the others follow in later answers."""
    answers = [answers_with_small_max_bytes(side) for side in prepared]
    assert answers[0] == answers[1]


def answers_with_small_max_bytes(side: Side) -> list[Answer]:
    with Wire(side.host, side.port) as wire:
        reader = Reader(side, wire, BY_ID)
        for partition in range(3):
            for _ in range(2):
                write(wire, B, partition, size=1_000)
        ends = [end_of(reader, (B, partition)) for partition in range(3)]
        reader.answers.clear()
        reader.fetch(0, [(B, partition, ends[partition] - 2) for partition in range(3)], session_id=0, max_bytes=500)
        for epoch in range(1, 5):
            reader.fetch(epoch, max_bytes=500)
        for epoch in range(5, 8):
            reader.fetch(epoch, max_bytes=1_500)
        reader.fetch(0, [(B, partition, ends[partition] - 2) for partition in range(3)], partition_max_bytes=100)
        return reader.answers
