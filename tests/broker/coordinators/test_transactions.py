"""Transactions over the wire: effects of a kill, a stop or a timeout before and after the decision."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tenure import testing
from tenure.protocol.batches import encode_batch, read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import replace
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    DescribeTransactionsRequest,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    ProduceRequest,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, MemberId, PartitionId, ProducerId, TopicName
from tests.broker.handlers.test_records import Topic, batch
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.serving import Serving, serving
from tests.wire import Wire as RawWire

pytestmark = pytest.mark.long

NAME = "transfers"
GROUP = GroupId("workers")
PATIENCE_S = 60.0
NOW_MS = int(time.time() * 1000)
"""Present time, because a segment with an old record would be closed at the next marker."""
COMMITTED = 1


@pytest.fixture(params=["fsync", "os"])
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Serving]:
    settings = (f"tenure.data.durability={request.param}", "transaction.state.log.num.partitions=2")
    with serving(tmp_path, *settings) as broker:
        with Wire(broker) as wire:
            assert create(wire, "accounts", 2) == 0
            find = FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])
            assert wire.ask(find).coordinators[0].error_code == 0
        yield broker


@contextmanager
def in_this_process(path: Path, durability: str) -> Iterator[tuple[testing.Broker, RawWire]]:
    """Yield a broker on disk whose clock a test can move, and a connection to it."""
    with testing.Broker({"tenure.data.durability": durability}, directory=path) as broker:
        host, _, port = broker.address.rpartition(":")
        with RawWire(host, int(port)) as wire:
            assert create(wire, "accounts", 2) == 0
            find = FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])
            assert wire.ask(find).coordinators[0].error_code == 0
            yield broker, wire


class Producer:
    """Transactional producer on a connection of its own."""

    def __init__(self, wire: RawWire, producer_id: int = -1, epoch: int = -1, timeout_ms: int = 60_000) -> None:
        self.wire = wire
        self.topic = Topic(wire, "accounts")
        self.producer_id, self.epoch = ProducerId(producer_id), epoch
        if producer_id < 0:
            answer = until_settled(lambda: wire.ask(InitProducerIdRequest(NAME, timeout_ms)))
            assert answer.error_code == 0
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch

    def batch_of(self, sequence: int, partition: int = 0) -> ProduceRequest:
        """Return a batch of one record."""
        data = encode_batch(
            [Record(0, NOW_MS, b"k", b"v")],
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            base_sequence=sequence,
            is_transactional=True,
        )
        return self.topic.produce_request(data, partition, transactional_id=NAME)

    def produce(self, sequence: int, partition: int = 0) -> int:
        request = self.batch_of(sequence, partition)
        answer = until_settled(
            lambda: self.wire.ask(request), lambda one: one.responses[0].partition_responses[0].error_code
        )
        return int(answer.responses[0].partition_responses[0].error_code)

    def commit_offset(self, offset: int, version: int = 5, **member: Any) -> int:
        parts = [TxnOffsetCommitRequestPartition(PartitionId(0), offset, -1, "")]
        topics = [TxnOffsetCommitRequestTopic(self.topic.name, partitions=parts)]
        request = TxnOffsetCommitRequest(NAME, GROUP, self.producer_id, self.epoch, topics=topics, **member)
        answer = until_settled(
            lambda: self.wire.ask(request, version), lambda one: one.topics[0].partitions[0].error_code
        )
        return int(answer.topics[0].partitions[0].error_code)

    def end(self, *, commit: bool) -> int:
        answer = until_settled(lambda: self.wire.ask(EndTxnRequest(NAME, self.producer_id, self.epoch, commit)))
        if not answer.error_code:
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch
        return int(answer.error_code)


def until_settled(ask: Callable[[], Any], code_of: Callable[[Any], int] = lambda answer: answer.error_code) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while code_of(answer := ask()) in (
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.NOT_ENOUGH_REPLICAS,
    ):
        assert time.monotonic() < deadline, answer
        time.sleep(0.01)
    return answer


def state_of(wire: RawWire) -> str:
    return str(wire.ask(DescribeTransactionsRequest([NAME])).transaction_states[0].transaction_state)


def until_state(wire: RawWire, wanted: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while (state := state_of(wire)) != wanted:
        assert time.monotonic() < deadline, f"still {state}"
        time.sleep(0.01)


def committed_records(wire: RawWire, partition: int = 0) -> tuple[list[int], list[int]]:
    """Return the offsets that a reader of committed records gets, and the first offset of each aborted transaction."""
    request = replace(Topic(wire, "accounts").fetch_request(0, partition=partition), isolation_level=COMMITTED)
    found = wire.ask(request).responses[0].partitions[0]
    offsets = [each.base_offset for each in read_batches(found.records) if not each.is_control]
    return offsets, [aborted.first_offset for aborted in found.aborted_transactions]


def stable_offset(wire: Wire) -> tuple[int, int]:
    """Return (error code, offset) of the group."""
    topic = Topic(wire, "accounts")
    wanted = [OffsetFetchRequestTopics(topic.name, topic.topic_id, [PartitionId(0)])]
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GROUP, topics=wanted)], require_stable=True)
    found = until_settled(lambda: wire.ask(request), lambda one: one.groups[0].error_code)
    part = found.groups[0].topics[0].partitions[0]
    return part.error_code, part.committed_offset


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("how", ["kill", "terminate"])
def test_broker_stopped__transaction_open__transaction_continues_after_the_restart(
    broker: Serving, how: str, commit: bool
) -> None:
    with Wire(broker) as wire:
        producer = Producer(wire)
        assert producer.produce(0) == 0
        assert producer.commit_offset(11) == 0
    getattr(broker, how)()
    broker.restart()
    with Wire(broker) as wire:
        assert state_of(wire) == "Ongoing"
        assert committed_records(wire) == ([], [])
        assert stable_offset(wire) == (ErrorCode.UNSTABLE_OFFSET_COMMIT, -1)
        again = Producer(wire, producer.producer_id, producer.epoch)
        assert again.produce(1) == 0
        assert again.end(commit=commit) == 0
        until_state(wire, "CompleteCommit" if commit else "CompleteAbort")
        assert committed_records(wire) == ([0, 1], [] if commit else [0])
        assert stable_offset(wire) == (0, 11 if commit else -1)


@pytest.mark.parametrize("commit", [True, False])
def test_broker_killed__right_after_the_end_of_a_transaction__every_partition_gets_its_marker(
    broker: Serving, commit: bool
) -> None:
    for turn in range(5):
        with Wire(broker) as wire:
            producer = Producer(wire)
            assert producer.produce(0, 0) == 0
            assert producer.produce(0, 1) == 0
            assert producer.commit_offset(turn) == 0
            assert producer.end(commit=commit) == 0
        broker.kill()
        broker.restart()
        with Wire(broker) as wire:
            until_state(wire, "CompleteCommit" if commit else "CompleteAbort")
            for partition in (0, 1):
                seen, skipped = committed_records(wire, partition)
                assert len(seen) == turn + 1
                assert len(skipped) == (0 if commit else turn + 1)
            assert stable_offset(wire) == (0, turn if commit else -1)


@pytest.mark.parametrize("durability", ["fsync", "os"])
def test_transaction_timeout__producer_does_not_return__aborted_and_readers_continue(
    tmp_path: Path, durability: str
) -> None:
    with in_this_process(tmp_path, durability) as (broker, wire):
        broker.stop_time()
        producer = Producer(wire, timeout_ms=60_000)
        assert producer.produce(0) == 0
        plain = wire.ask(Topic(wire, "accounts").produce_request(batch("plain"))).responses[0].partition_responses[0]
        assert (plain.error_code, plain.base_offset) == (0, 1)
        assert committed_records(wire) == ([], [])
        broker.advance(59.999)
        assert state_of(wire) == "Ongoing"
        broker.advance(0.002)
        until_state(wire, "CompleteAbort")
        assert committed_records(wire) == ([0, 1], [0])
        assert producer.produce(1) in (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED)


def test_fetch__waits_for_committed_records__answered_when_the_commit_marker_is_written(broker: Serving) -> None:
    with Wire(broker) as wire, Wire(broker) as reader:
        producer = Producer(wire)
        assert producer.produce(0) == 0
        request = Topic(reader, "accounts").fetch_request(0, max_wait_ms=60_000, min_bytes=50)
        request = replace(request, isolation_level=COMMITTED)
        reader.send(request)
        assert reader.is_parked()
        assert producer.produce(1) == 0
        assert reader.is_parked(), "woken by what it may not read yet"
        assert producer.end(commit=True) == 0
        records = reader.receive().responses[0].partitions[0].records
        assert next(read_batches(records)).base_offset == 0


def test_txn_offset_commit__by_a_consumer_group_member__accepted_at_its_member_epoch(broker: Serving) -> None:
    with Wire(broker) as wire:
        me = MemberId("me")
        beat = ConsumerGroupHeartbeatRequest(
            GROUP,
            me,
            0,
            rebalance_timeout_ms=60_000,
            subscribed_topic_names=[TopicName("accounts")],
            topic_partitions=[],
        )
        epoch = until_settled(lambda: wire.ask(beat)).member_epoch
        producer = Producer(wire)
        assert producer.commit_offset(11, member_id=me, generation_id_or_member_epoch=epoch) == 0
        old = epoch - 1
        refused = producer.commit_offset(12, member_id=me, generation_id_or_member_epoch=old)
        assert refused == ErrorCode.ILLEGAL_GENERATION
        assert producer.end(commit=True) == 0
        until_state(wire, "CompleteCommit")
        assert stable_offset(wire) == (0, 11)


def test_produce__transactional_batch_outside_of_a_transaction__refused(broker: Serving) -> None:
    with Wire(broker) as wire:
        data = encode_batch(
            [Record(0, NOW_MS, b"k", b"v")], producer_id=9, producer_epoch=0, base_sequence=0, is_transactional=True
        )
        topic = Topic(wire, "accounts")
        assert topic.produce(data).error_code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
        assert topic.produce(data, transactional_id="nobody").error_code == ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_produce__batches_of_a_zombie_and_of_the_owner_in_one_request__both_refused(broker: Serving) -> None:
    with Wire(broker) as wire:
        zombie = Producer(wire)
        living = Producer(wire)
        request, stray = living.batch_of(0), zombie.batch_of(0, partition=1)
        request.topic_data[0].partition_data[:0] = stray.topic_data[0].partition_data
        codes = {part.error_code for part in wire.ask(request).responses[0].partition_responses}
        assert codes == {ErrorCode.INVALID_PRODUCER_ID_MAPPING}
        assert living.produce(0) == 0
        assert living.end(commit=True) == 0


def test_produce__verification_disabled__writes_of_version_2_still_join_the_transaction(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "transaction.partition.verification.enable=false") as broker, Wire(broker) as wire:
        assert create(wire, "accounts", 1) == 0
        assert wire.ask(FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])).coordinators[0].error_code == 0
        producer = Producer(wire)
        assert producer.produce(0) == 0
        assert state_of(wire) == "Ongoing"
        assert producer.end(commit=True) == 0
        until_state(wire, "CompleteCommit")
        assert committed_records(wire) == ([0], [])


@pytest.mark.parametrize(("version", "refusal"), [(3, "INVALID_TXN_STATE"), (4, "TRANSACTION_ABORTABLE")])
def test_txn_offset_commit__verification_disabled_and_group_not_added__still_refused(
    tmp_path: Path, version: int, refusal: str
) -> None:
    """Refuse the offset, because only the coordinator can check whether the producer is fenced."""
    with serving(tmp_path, "transaction.partition.verification.enable=false") as broker, Wire(broker) as wire:
        assert create(wire, "accounts", 1) == 0
        assert wire.ask(FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])).coordinators[0].error_code == 0
        assert Producer(wire).commit_offset(7, version) == ErrorCode[refusal]
        assert stable_offset(wire) == (0, -1)


def test_txn_offset_commit__empty_group_id_without_an_open_transaction__invalid_group_id(tmp_path: Path) -> None:
    """Check the group id first, in every version, as Kafka does: without an open transaction, v3 would get 48."""
    part = TxnOffsetCommitRequestPartition(PartitionId(0), 7, -1, "")
    with in_this_process(tmp_path, "os") as (_, wire):
        producer = Producer(wire)
        for version in range(7):
            named: dict[str, Any] = (
                {"topic_id": producer.topic.topic_id} if version == 6 else {"name": producer.topic.name}
            )
            topics = [TxnOffsetCommitRequestTopic(**named, partitions=[part])]
            request = TxnOffsetCommitRequest(NAME, GroupId(""), producer.producer_id, producer.epoch, topics=topics)
            (topic,) = wire.ask(request, version).topics
            assert topic.partitions[0].error_code == ErrorCode.INVALID_GROUP_ID, f"v{version}"


def test_init_producer_id__no_find_coordinator_request_before__not_coordinator(tmp_path: Path) -> None:
    with serving(tmp_path, options=("--memory",)) as broker, Wire(broker) as wire:
        assert wire.ask(InitProducerIdRequest(NAME, 60_000)).error_code == ErrorCode.NOT_COORDINATOR


@pytest.mark.parametrize("durability", ["fsync", "os"])
def test_produce__right_after_the_end_of_a_transaction__waits_for_its_markers(tmp_path: Path, durability: str) -> None:
    with in_this_process(tmp_path, durability) as (broker, wire):
        broker._broker.context.transactions.marker_waiters.awaited_s = (
            PATIENCE_S  # instead of 0.1 s, which a busy disk may exceed
        )
        producer = Producer(wire)
        for number in range(10):
            assert producer.produce(0) == 0
            wire.send(EndTxnRequest(NAME, producer.producer_id, producer.epoch, committed=True))
            producer.epoch += 1
            wire.send(producer.batch_of(0))
            assert wire.receive().error_code == 0
            assert wire.receive().responses[0].partition_responses[0].error_code == 0, f"transaction {number}"
            assert producer.end(commit=True) == 0


def test_produce__acks_0_from_a_fenced_producer__connection_closed_without_a_traceback(broker: Serving) -> None:
    with Wire(broker) as wire, Wire(broker) as zombie:
        old = Producer(zombie)
        Producer(wire)
        request = ProduceRequest(NAME, 0, 1_000, old.batch_of(0).topic_data)
        zombie.send_unanswered(request)
        assert zombie.is_closed()
    assert broker.log.count("a Produce with acks=0 failed: another producer with this transactional.id") == 1
    assert "Traceback" not in broker.log
