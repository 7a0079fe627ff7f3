"""Produce, Fetch and ListOffsets: records, offsets and timestamps."""

import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DeleteTopicsRequest,
    DeleteTopicState,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    InitProducerIdRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    MetadataRequest,
    MetadataRequestTopic,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    PartitionData,
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    TopicProduceData,
)
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicId, TopicName
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.serving import Serving, serving

ALL, LEADER, NONE = -1, 1, 0
FETCH_BYTES = 1 << 20
LATEST = -1


class Topic:
    """Topic with two partitions, and its requests."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.wire = wire
        self.name = TopicName(name)
        topic = wire.ask(MetadataRequest([MetadataRequestTopic(name=self.name)])).topics[0]
        self.topic_id: TopicId = topic.topic_id

    def produce(
        self, data: bytes, partition: int = 0, acks: int = ALL, version: int = 13, transactional_id: str | None = None
    ) -> PartitionProduceResponse:
        self.wire.send(self.produce_request(data, partition, acks, transactional_id), version)
        answer: PartitionProduceResponse = self.wire.receive().responses[0].partition_responses[0]
        return answer

    def produce_request(
        self, data: bytes, partition: int = 0, acks: int = ALL, transactional_id: str | None = None
    ) -> ProduceRequest:
        parts = [PartitionProduceData(PartitionId(partition), data)]
        return ProduceRequest(transactional_id, acks, 1_000, [TopicProduceData(self.name, self.topic_id, parts)])

    def fetch_request(
        self, offset: int, max_wait_ms: int = 0, min_bytes: int = 1, max_bytes: int = FETCH_BYTES, partition: int = 0
    ) -> FetchRequest:
        parts = [FetchPartition(PartitionId(partition), fetch_offset=offset, partition_max_bytes=max_bytes)]
        topics = [FetchTopic(self.name, self.topic_id, parts)]
        return FetchRequest(max_wait_ms=max_wait_ms, min_bytes=min_bytes, topics=topics)

    def fetch(self, offset: int, version: int = 18, max_bytes: int = FETCH_BYTES, partition: int = 0) -> PartitionData:
        return partition_of(self.wire.ask(self.fetch_request(offset, 0, 1, max_bytes, partition), version))

    def offset(self, timestamp: int, version: int = 11) -> tuple[int, int, int]:
        """Return (error code, timestamp, offset) of partition 0."""
        part = ListOffsetsPartition(PartitionId(0), timestamp=timestamp)
        request = ListOffsetsRequest(topics=[ListOffsetsTopic(self.name, [part])])
        answer = self.wire.ask(request, version).topics[0].partitions[0]
        return answer.error_code, answer.timestamp, answer.offset


def partition_of(response: FetchResponse) -> PartitionData:
    return response.responses[0].partitions[0]


def batch(*values: str, producer: tuple[int, int, int] = (-1, -1, -1), timestamp_ms: int = 1_000) -> bytes:
    """Return a batch; `producer` is (id, epoch, first sequence). Timestamps rise by one per record."""
    records = [Record(0, timestamp_ms + n, b"k", value.encode()) for n, value in enumerate(values)]
    producer_id, epoch, sequence = producer
    return encode_batch(records, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)


def values(data: bytes | None) -> list[tuple[int, str]]:
    """Return (offset, value) of every record."""
    records = [record for found in read_batches(data or b"") for record in decode_records(found)]
    return [(record.offset, (record.value or b"").decode()) for record in records]


@pytest.fixture
def topic(wire: Wire, request: pytest.FixtureRequest) -> Topic:
    return Topic(wire, re.sub("[^a-z0-9_]", "-", request.node.name))


@pytest.mark.parametrize("version", range(3, 14))
def test_produce__every_request_version__same_records_fetched(topic: Topic, version: int) -> None:
    assert topic.produce(batch("a", "b"), version=version).base_offset == 0
    assert topic.produce(batch("c"), version=version, acks=LEADER).base_offset == 2
    assert values(topic.fetch(0).records) == [(0, "a"), (1, "b"), (2, "c")]


@pytest.mark.parametrize("version", range(4, 19))
def test_fetch__every_request_version__begins_with_the_batch_that_contains_the_offset(
    topic: Topic, version: int
) -> None:
    topic.produce(batch("a", "b"))
    topic.produce(batch("c"))
    found = topic.fetch(1, version)
    assert (found.error_code, found.high_watermark) == (0, 3)
    assert values(found.records) == [(0, "a"), (1, "b"), (2, "c")]


def test_produce__acks_0__no_answer_and_records_are_written(topic: Topic) -> None:
    topic.wire.send_unanswered(topic.produce_request(batch("quiet"), acks=NONE))
    assert topic.produce(batch("loud")).base_offset == 1
    assert values(topic.fetch(0).records) == [(0, "quiet"), (1, "loud")]


@pytest.mark.parametrize(("requests", "records"), [(60, 1), (60, 3_000), (300, 3_000), (3, 60_000)])
def test_produce__acks_0_and_disconnect_at_once__every_record_is_written(
    broker: Serving, topic: Topic, requests: int, records: int
) -> None:
    """Write every record: Apache Kafka, too, continues with what it received from a client that has closed."""
    with Wire(broker) as producer:
        request = topic.produce_request(batch(*["x"] * records), acks=NONE)
        producer.send_bytes(b"".join([producer.frame(request) for _ in range(requests)]))
    give_up_at = time.monotonic() + 60
    while (there := topic.offset(LATEST)[2]) < requests * records and time.monotonic() < give_up_at:
        time.sleep(0.01)
    assert there == requests * records


def test_produce__acks_0_to_an_unknown_partition__connection_closed(topic: Topic) -> None:
    topic.wire.send_unanswered(topic.produce_request(batch("x"), partition=9, acks=NONE))
    assert topic.wire.is_closed()


def corrupted(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def old_magic(data: bytes) -> bytes:
    return data[:16] + b"\x01" + data[17:]


@pytest.mark.parametrize(
    ("data", "partition", "acks", "error_code"),
    [
        (corrupted(batch("x")), 0, ALL, ErrorCode.CORRUPT_MESSAGE),
        (old_magic(batch("x")), 0, ALL, ErrorCode.INVALID_RECORD),
        (batch("x"), 2, ALL, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (batch("x"), -1, ALL, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (batch("x"), 0, 2, ErrorCode.INVALID_REQUIRED_ACKS),
        (batch("x"), 2, 2, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (batch("x" * 1_100_000), 0, ALL, ErrorCode.MESSAGE_TOO_LARGE),
        (b"", 0, ALL, ErrorCode.INVALID_RECORD),
    ],
    ids=[
        "checksum",
        "old format",
        "no such partition",
        "negative partition",
        "acks",
        "acks and no such partition",
        "too large",
        "no batch",
    ],
)
def test_produce__invalid_batch_partition_or_acks__refused_and_not_written(
    topic: Topic, data: bytes, partition: int, acks: int, error_code: ErrorCode
) -> None:
    answer = topic.produce(data, partition, acks)
    assert (answer.error_code, answer.base_offset) == (error_code, -1)
    assert topic.fetch(0).high_watermark == 0


def test_produce_and_fetch__topic_does_not_exist__error_depends_on_name_or_topic_id(topic: Topic) -> None:
    topic.name, topic.topic_id = TopicName("never-was"), TopicId(b"\x07" * 16)
    assert topic.produce(batch("x"), version=12).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert topic.produce(batch("x"), version=13).error_code == ErrorCode.UNKNOWN_TOPIC_ID
    assert topic.fetch(0, 12).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert topic.fetch(0, 13).error_code == ErrorCode.UNKNOWN_TOPIC_ID


def test_produce__into_consumer_offsets__refused(wire: Wire) -> None:
    assert Topic(wire, "__consumer_offsets").produce(batch("x")).error_code == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_produce__idempotent_producer_repeats_or_skips_sequences__written_once_or_refused(topic: Topic) -> None:
    producer_id = topic.wire.ask(InitProducerIdRequest(None, 0), 5).producer_id
    assert topic.produce(batch("a", "b", producer=(producer_id, 0, 0))).base_offset == 0
    assert topic.produce(batch("c", producer=(producer_id, 0, 2))).base_offset == 2
    again = topic.produce(batch("a", "b", producer=(producer_id, 0, 0)))
    assert (again.error_code, again.base_offset) == (0, 0)
    gap = topic.produce(batch("e", producer=(producer_id, 0, 4)))
    assert gap.error_code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert [value for _, value in values(topic.fetch(0).records)] == ["a", "b", "c"]


@pytest.mark.parametrize("version", range(6))
def test_init_producer_id__several_requests__different_producer_ids(wire: Wire, version: int) -> None:
    answers = [wire.ask(InitProducerIdRequest(None, 0), version) for _ in range(3)]
    assert [(a.error_code, a.producer_epoch) for a in answers] == [(0, 0)] * 3
    assert len({a.producer_id for a in answers}) == 3


def test_produce__topic_with_log_append_time__time_of_the_broker_in_response_and_log(wire: Wire) -> None:
    create(wire, "stamped", 1, message_timestamp_type="LogAppendTime")
    topic = Topic(wire, "stamped")
    stamp = topic.produce(batch("a", timestamp_ms=5)).log_append_time_ms
    (found,) = read_batches(topic.fetch(0).records or b"")
    assert stamp == decode_records(found)[0].timestamp_ms > 1_600_000_000_000


def test_fetch__offset_beyond_the_log_end__out_of_range(topic: Topic) -> None:
    topic.produce(batch("a"))
    assert topic.fetch(2).error_code == ErrorCode.OFFSET_OUT_OF_RANGE
    assert topic.fetch(1).error_code == ErrorCode.NONE


def test_fetch__max_bytes_smaller_than_a_batch__one_whole_batch(topic: Topic) -> None:
    topic.produce(batch("a" * 500))
    topic.produce(batch("b" * 500))
    assert [offset for offset, _ in values(topic.fetch(0, max_bytes=1).records)] == [0]


@pytest.mark.parametrize("version", [4, 12, 13, 18])
@pytest.mark.parametrize("session_epoch", [-1, 0], ids=["no session", "new session"])
def test_fetch__same_partition_many_times_in_one_request__last_entry_used(
    topic: Topic, version: int, session_epoch: int
) -> None:
    topic.produce(batch("a"))
    topic.produce(batch("b"))
    offsets = [0] * 5_000 + [1]
    parts = [FetchPartition(PartitionId(0), fetch_offset=offset, partition_max_bytes=FETCH_BYTES) for offset in offsets]
    topics = [FetchTopic(topic.name, topic.topic_id, [part]) for part in parts]
    session = {"session_epoch": session_epoch} if version >= 7 else {}
    answer = topic.wire.ask(FetchRequest(topics=topics, **session), version)
    assert [[values(part.records) for part in found.partitions] for found in answer.responses] == [[[(1, "b")]]]


def test_fetch__unknown_session_id__fetch_session_id_not_found(topic: Topic) -> None:
    request = FetchRequest(session_id=5, session_epoch=1, topics=[])
    assert topic.wire.ask(request).error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_fetch__no_records_yet__waits_for_the_next_record(broker: Serving, topic: Topic) -> None:
    with Wire(broker) as reader:
        reader.send(topic.fetch_request(0, max_wait_ms=60_000))
        assert reader.is_parked()
        topic.produce(batch("at last"))
        assert values(partition_of(reader.receive()).records) == [(0, "at last")]


def test_fetch__fewer_bytes_than_min_bytes__waits_for_more_records(broker: Serving, topic: Topic) -> None:
    with Wire(broker) as reader:
        reader.send(topic.fetch_request(0, max_wait_ms=60_000, min_bytes=300))
        topic.produce(batch("a" * 100))
        assert reader.is_parked()
        topic.produce(batch("b" * 200))
        assert len(values(partition_of(reader.receive()).records)) == 2


def test_fetch__no_records_arrive__empty_answer_after_max_wait_ms(topic: Topic) -> None:
    found = partition_of(topic.wire.ask(topic.fetch_request(0, max_wait_ms=50)))
    assert (found.error_code, found.records) == (0, b"")


def test_fetch__topic_deleted_while_the_fetch_waits__error(broker: Serving, topic: Topic) -> None:
    with Wire(broker) as reader:
        reader.send(topic.fetch_request(0, max_wait_ms=60_000))
        assert reader.is_parked()
        topic.wire.ask(DeleteTopicsRequest([DeleteTopicState(topic.name)]))
        assert partition_of(reader.receive()).error_code == ErrorCode.UNKNOWN_TOPIC_ID


def test_fetch__leader_epoch_newer_than_the_brokers__unknown_leader_epoch(topic: Topic) -> None:
    topic.produce(batch("a"))
    part = FetchPartition(PartitionId(0), current_leader_epoch=3, partition_max_bytes=FETCH_BYTES)
    request = FetchRequest(topics=[FetchTopic(topic.name, topic.topic_id, [part])])
    assert partition_of(topic.wire.ask(request)).error_code == ErrorCode.UNKNOWN_LEADER_EPOCH


LATEST, EARLIEST, MAX_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED = -1, -2, -3, -4, -5


def test_list_offsets__special_or_real_timestamp__offset_and_timestamp_found(topic: Topic) -> None:
    topic.produce(batch("a", "b", "c", timestamp_ms=1_000))
    topic.produce(batch("d", timestamp_ms=500))
    expected = {
        LATEST: (0, -1, 4),
        EARLIEST: (0, -1, 0),
        MAX_TIMESTAMP: (0, 1_002, 2),
        EARLIEST_LOCAL: (0, -1, 0),
        LATEST_TIERED: (0, -1, -1),
        1_001: (0, 1_001, 1),
        700: (0, 1_000, 0),
        1_003: (0, -1, -1),
    }
    assert {asked: topic.offset(asked) for asked in expected} == expected


@pytest.mark.parametrize("version", range(1, 12))
def test_list_offsets__every_request_version__latest_offset(topic: Topic, version: int) -> None:
    topic.produce(batch("a"))
    assert topic.offset(LATEST, version)[2] == 1


def test_offset_for_leader_epoch__present_and_unknown_epoch__log_end_or_undefined(topic: Topic) -> None:
    topic.produce(batch("a", "b"))
    assert epoch_ends(topic, [0, 5]) == [(0, 0, 2), (0, -1, -1)]


def epoch_ends(topic: Topic, epochs: Sequence[int]) -> list[tuple[int, int, int]]:
    parts = [OffsetForLeaderPartition(PartitionId(0), leader_epoch=epoch) for epoch in epochs]
    request = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic.name, parts)])
    answers = topic.wire.ask(request).topics[0].partitions
    return [(answer.error_code, answer.leader_epoch, answer.end_offset) for answer in answers]


def test_retention__records_older_than_retention_ms__removed_and_fetch_out_of_range(tmp_path: Path) -> None:
    with serving(tmp_path, "log.retention.check.interval.ms=20", options=("--memory",)) as broker, Wire(broker) as wire:
        create(wire, "short-lived", 1, retention_ms="1")
        create(wire, "kept", 1, retention_ms="-1")
        for name in ("short-lived", "kept"):
            assert Topic(wire, name).produce(batch("a", "b")).error_code == ErrorCode.NONE
        topic = Topic(wire, "short-lived")
        while topic.offset(EARLIEST)[2] == 0:  # the test's own time-out ends this
            time.sleep(0.01)
        assert topic.offset(EARLIEST) == topic.offset(LATEST) == (0, -1, 2)
        assert topic.fetch(0).error_code == ErrorCode.OFFSET_OUT_OF_RANGE
        assert topic.produce(batch("c")).base_offset == 2
        assert Topic(wire, "kept").offset(EARLIEST) == (0, -1, 0)


def test_retention__one_log_cannot_be_opened__logged_and_other_logs_continue(tmp_path: Path) -> None:
    with serving(tmp_path, "log.retention.check.interval.ms=20") as broker, Wire(broker) as wire:
        create(wire, "broken", 1, retention_ms="-1")
        (tmp_path / "broker" / "broken-0").write_text("no directory")
        create(wire, "short-lived", 1, retention_ms="1")
        topic = Topic(wire, "short-lived")
        for offset in range(2):  # the second check runs after the first one has found the broken log
            assert topic.produce(batch("a")).error_code == ErrorCode.NONE
            while topic.offset(EARLIEST)[2] == offset:  # the test's own time-out ends this
                time.sleep(0.01)
        assert "partition broken-0 cannot be opened" in broker.log


def test_delete_topics__files_cannot_be_removed__topic_deleted_and_problem_logged(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        create(wire, "broken", 1)
        topic = Topic(wire, "broken")
        directory = tmp_path / "broker" / "broken-0"
        assert topic.produce(batch("a")).error_code == ErrorCode.NONE
        directory.rename(tmp_path / "elsewhere")
        (answer,) = wire.ask(DeleteTopicsRequest([DeleteTopicState(topic.name)])).responses
        assert answer.error_code == ErrorCode.NONE
        assert "broken-0 could not be deleted" in broker.log
