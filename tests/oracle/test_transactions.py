"""Transactions get the same answers, `__transaction_state` records and stored batches as in Apache Kafka.

Brokers draw different producer ids, so the n-th id of a history is written `P#n`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.coordinator_logs.transaction_state import decode_record
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
    DeleteGroupsRequest,
    DescribeProducersRequest,
    DescribeProducersTopic,
    DescribeTransactionsRequest,
    EndTxnRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    ListTransactionsRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)
from tenure.protocol.records import Record
from tests.consumer_offsets import log_of
from tests.oracle.side import Session, Side, with_producers_named

pytestmark = pytest.mark.oracle

PATIENCE_S = 60.0
LONG_TIMEOUT_MS = 600_000
"""Transaction timeout that never expires in a test, even if both brokers restart on a busy machine."""
TOO_SLOW_MS = 5_000
"""Transaction timeout whose end a test waits for. The steps before it take less time, even on a busy machine, and
reading the result takes less time than the expiration of producers and ids (`conftest.STRICT`)."""
TRANSACTION_STATE = "__transaction_state"
UNSETTLED = {
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.NOT_ENOUGH_REPLICAS,
}
"""Temporary errors, which end sooner on one broker than on the other."""


class TransactionHistory:
    """Requests with one transactional id, by the producers that use it one after another."""

    def __init__(self, session: Session, name: str, configs: Mapping[str, str] | None = None) -> None:
        self.session = session
        self.name = name
        self.topic = f"{name}-topic"
        self.group = f"{name}-group"
        self.producer_id, self.epoch = -1, -1
        set_ = [CreatableTopicConfig(key, value) for key, value in (configs or {}).items()]
        created = CreatableTopic(name=self.topic, num_partitions=2, replication_factor=1, configs=set_)
        assert session.ask("A", CreateTopicsRequest(topics=[created], timeout_ms=10_000)).topics[0].error_code == 0
        session.side.wait_for_topic(self.topic)
        find = FindCoordinatorRequest(key_type=1, coordinator_keys=[name])
        self.settled(lambda: session.ask("A", find, 4), lambda answer: answer.coordinators[0].error_code)

    def settled(self, ask: Callable[[], Any], code_of: Callable[[Any], int] = lambda answer: answer.error_code) -> Any:
        """Repeat a request while its error is temporary; only the last answer is recorded."""
        told = list(self.session._trace)
        deadline = time.monotonic() + PATIENCE_S
        while code_of(answer := ask()) in UNSETTLED:
            assert time.monotonic() < deadline, f"still {answer}"
            self.session._trace = list(told)
            time.sleep(0.02)
        return answer

    def init(
        self,
        version: int = 5,
        timeout_ms: int = LONG_TIMEOUT_MS,
        producer_id: int = -1,
        epoch: int = -1,
        name: str | None = None,
    ) -> Any:
        request = InitProducerIdRequest(self.name if name is None else name, timeout_ms, producer_id, epoch)
        answer = self.settled(lambda: self.session.ask("A", request, version))
        if not answer.error_code:
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch
        return answer

    def produce(
        self, sequence: int, version: int = 12, partition: int = 0, epoch: int | None = None, name: str | None = None,
        entry: tuple[bytes, bytes | None] = (b"k", b"v"),
    ) -> Any:  # fmt: skip
        batch = encode_batch(
            [Record(0, int(time.time() * 1000), *entry)],
            producer_id=self.producer_id,
            producer_epoch=self.epoch if epoch is None else epoch,
            base_sequence=sequence,
            is_transactional=True,
        )
        data = [TopicProduceData(name=self.topic, partition_data=[PartitionProduceData(partition, batch)])]
        request = ProduceRequest(self.name if name is None else name, -1, 10_000, data)
        return self.settled(
            lambda: self.session.ask("A", request, version), lambda a: a.responses[0].partition_responses[0].error_code
        )

    def write_plain(self, key: bytes, value: bytes) -> int:
        """Write a record outside of any transaction; return its offset."""
        batch = encode_batch([Record(0, int(time.time() * 1000), key, value)])
        data = [TopicProduceData(name=self.topic, partition_data=[PartitionProduceData(0, batch)])]
        answer = self.settled(
            lambda: self.session.ask("A", ProduceRequest(None, -1, 10_000, data), 12),
            lambda a: a.responses[0].partition_responses[0].error_code,
        )
        found = answer.responses[0].partition_responses[0]
        assert found.error_code == 0
        return int(found.base_offset)

    def end(self, commit: bool, version: int = 5, epoch: int | None = None, producer_id: int | None = None) -> Any:
        """End the transaction; a repeated request in the old epoch passes `epoch`."""
        request = EndTxnRequest(
            self.name,
            self.producer_id if producer_id is None else producer_id,
            self.epoch if epoch is None else epoch,
            commit,
        )
        answer = self.settled(lambda: self.session.ask("A", request, version))
        if not answer.error_code and version >= 5:
            self.producer_id, self.epoch = answer.producer_id, answer.producer_epoch
        return answer

    def add(self, version: int, *partitions: int, epoch: int | None = None, topic: str | None = None) -> Any:
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self.name,
            v3_and_below_producer_id=self.producer_id,
            v3_and_below_producer_epoch=self.epoch if epoch is None else epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(topic or self.topic, list(partitions))],
        )
        return self.settled(
            lambda: self.session.ask("A", request, version),
            lambda a: a.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code,
        )

    def add_offsets(self, version: int = 4, epoch: int | None = None) -> Any:
        request = AddOffsetsToTxnRequest(
            self.name, self.producer_id, self.epoch if epoch is None else epoch, self.group
        )
        return self.settled(lambda: self.session.ask("A", request, version))

    def commit_offset(
        self, offset: int, version: int = 5, generation_id: int = -1, member_id: str = "", topic: str | None = None,
        epoch: int | None = None, producer_id: int | None = None, metadata: str | None = None,
    ) -> Any:  # fmt: skip
        parts = [TxnOffsetCommitRequestPartition(0, offset, -1, metadata)]
        request = TxnOffsetCommitRequest(
            self.name, self.group, self.producer_id if producer_id is None else producer_id,
            self.epoch if epoch is None else epoch, generation_id, member_id, None,
            [TxnOffsetCommitRequestTopic(topic or self.topic, partitions=parts)],
        )  # fmt: skip
        return self.settled(
            lambda: self.session.ask("A", request, version), lambda a: a.topics[0].partitions[0].error_code
        )

    def fetch_offset(self, require_stable: bool, everything: bool = False) -> Any:
        wanted = None if everything else [OffsetFetchRequestTopics(self.topic, partition_indexes=[0, 1])]
        request = OffsetFetchRequest(
            groups=[OffsetFetchRequestGroup(self.group, topics=wanted)], require_stable=require_stable
        )
        return self.session.ask("A", request, 8)

    def plain_commit(self, offset: int) -> Any:
        topics = [OffsetCommitRequestTopic(self.topic, partitions=[OffsetCommitRequestPartition(0, offset)])]
        return self.session.ask("A", OffsetCommitRequest(self.group, -1, "", None, topics=topics), 8)

    def fetch(self, isolation_level: int, offset: int = 0, partition: int = 0) -> None:
        """Fetch, and record only the positions of batches: their bytes contain times."""
        wanted = FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=1 << 20)
        topics = [FetchTopic(topic=self.topic, partitions=[wanted])]
        request = FetchRequest(max_bytes=1 << 20, isolation_level=isolation_level, topics=topics)
        found = self.session.ask("A", request, 12).responses[0].partitions[0]
        found.records = repr([batch.base_offset for batch in read_batches(found.records)]).encode()

    def latest(self, isolation_level: int) -> Any:
        topics = [ListOffsetsTopic(self.topic, [ListOffsetsPartition(0, timestamp=-1)])]
        return self.session.ask("A", ListOffsetsRequest(-1, isolation_level, topics), 7)

    def describe(self) -> Any:
        return self.session.ask("A", DescribeTransactionsRequest([self.name]), 0)

    def producers(self) -> Any:
        return self.session.ask("A", DescribeProducersRequest([DescribeProducersTopic(self.topic, [0])]), 0)

    def mark(
        self, *partitions: int, version: int = 1, producer_id: int | None = None, epoch: int | None = None,
        commit: bool = False, coordinator_epoch: int = 0, transaction_version: int = 0, topic: str | None = None,
    ) -> Any:  # fmt: skip
        """Write markers as an administrator."""
        marker = WritableTxnMarker(
            self.producer_id if producer_id is None else producer_id, self.epoch if epoch is None else epoch, commit,
            [WritableTxnMarkerTopic(topic or self.topic, list(partitions))], coordinator_epoch, transaction_version,
        )  # fmt: skip
        return self.session.ask("A", WriteTxnMarkersRequest([marker]), version)

    def wait_for_markers(self) -> None:
        """Wait until the markers of the transaction are written."""
        self.settled(
            lambda: self.session.ask("A", DescribeTransactionsRequest([self.name]), 0),
            lambda a: (
                ErrorCode.CONCURRENT_TRANSACTIONS if "Prepare" in a.transaction_states[0].transaction_state else 0
            ),
        )


def every_end(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    history.describe()
    first = history.epoch
    history.end(commit=True)
    history.wait_for_markers()
    history.end(commit=True, epoch=first)
    history.end(commit=False, epoch=first)
    history.produce(0)
    history.produce(1)
    history.produce(0, partition=1)
    history.end(commit=False)
    history.wait_for_markers()
    history.end(commit=True)
    history.end(commit=False)
    history.wait_for_markers()
    history.end(commit=False)
    history.wait_for_markers()
    history.end(commit=True, epoch=0)
    history.describe()


def ends_of_zombies(history: TransactionHistory) -> None:
    """Repeat ends of transactions in old epochs. Version 2 recognises a repeated request by its epoch and decision."""
    history.init()
    history.init()
    for committed in (True, False):
        history.add(3, 0)
        history.produce(0 if committed else 1, version=11)
        history.end(commit=committed, version=4)
        history.wait_for_markers()
        for epoch in (history.epoch - 1, history.epoch + 1):
            for commit in (True, False):
                history.end(commit, epoch=epoch)
                history.end(commit, version=4, epoch=epoch)
    history.init()
    history.end(commit=True, epoch=history.epoch - 1)
    history.end(commit=False, epoch=history.epoch - 1)
    history.produce(0)
    for epoch in (history.epoch - 1, history.epoch + 1):
        for commit in (True, False):
            history.end(commit, epoch=epoch)
    zombie = history.epoch
    history.end(commit=True)
    history.wait_for_markers()
    for commit in (True, False):
        history.end(commit, version=4, epoch=zombie)
        history.end(commit, epoch=zombie - 1)
        history.end(commit, epoch=zombie + 2)
    history.produce(0)
    taken_over(history)
    history.wait_for_markers()
    zombie = history.epoch
    for version in (4, 5):
        for commit in (True, False):
            history.end(commit, version, epoch=zombie)
    history.init()
    for version in (4, 5):
        for commit in (True, False):
            history.end(commit, version, epoch=zombie)


def taken_over(history: TransactionHistory) -> None:
    """Take over the id from another client, which does not retry after its transaction was aborted."""
    history.session.ask("A", InitProducerIdRequest(history.name, LONG_TIMEOUT_MS, -1, -1), 5)


def old_versions(history: TransactionHistory) -> None:
    for version in range(6):
        history.init(version)
    for number, version in enumerate(range(4)):
        history.produce(number * 2, version=9 + number % 3)
        history.add(version, 0)
        history.add(version, 0, 1)
        history.produce(number, version=9 + number % 3)
        history.add_offsets(version)
        history.commit_offset(number, version)
        history.end(commit=number % 2 == 0, version=version)
        history.wait_for_markers()
        history.end(commit=number % 2 == 0, version=version)
        history.end(commit=number % 2 == 1, version=version)
    history.end(commit=True, version=4)
    history.add(3, 7)
    history.add(3, 0, topic="never-there")
    for topic in ("__consumer_offsets", "__transaction_state", "__share_group_state"):
        history.add(3, 0, topic=topic)
    history.describe()


def fencing(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    zombie_id, zombie_epoch = history.producer_id, history.epoch
    history.init()
    history.wait_for_markers()
    for version in (9, 11, 12):
        history.produce(1, version=version, epoch=zombie_epoch)
    for version in (0, 2, 3):
        history.add(version, 0, epoch=zombie_epoch)
    for version in (0, 2, 4):
        history.add_offsets(version, epoch=zombie_epoch)
    for version in (0, 3, 4, 5):
        history.commit_offset(1, version, epoch=zombie_epoch)
        history.commit_offset(1, version, producer_id=zombie_id + 77_000)
    for version in (0, 2, 4, 5):
        history.end(commit=True, version=version, epoch=zombie_epoch)
        history.end(commit=True, version=version, producer_id=zombie_id + 77_000)
    history.produce(0)
    history.end(commit=True)
    history.wait_for_markers()
    history.add(3, 0)
    history.produce(0, version=11)
    history.init()
    history.wait_for_markers()


def inits_with_valid_and_invalid_epochs(history: TransactionHistory) -> None:
    for version in (0, 3, 5):
        history.init(version, name="")
        history.init(version, timeout_ms=0)
        history.init(version, timeout_ms=900_001)
    history.init()
    producer_id, epoch = history.producer_id, history.epoch
    for version in (3, 4, 5):
        history.init(version, producer_id=producer_id, epoch=history.epoch)
        history.init(version, producer_id=producer_id, epoch=epoch)
        history.init(version, producer_id=producer_id + 77_000, epoch=epoch)
        history.init(version, producer_id=producer_id, epoch=-1)
        history.init(version, producer_id=-1, epoch=3)
    before = history.epoch
    history.init(5, producer_id=producer_id, epoch=before)
    history.init(5, producer_id=producer_id, epoch=before)
    history.produce(0)
    history.init(5, producer_id=producer_id, epoch=before)
    history.init(5, producer_id=producer_id, epoch=history.epoch)
    history.wait_for_markers()


def offsets(history: TransactionHistory) -> None:
    history.init()
    history.commit_offset(3, topic="never-there")
    history.commit_offset(3, metadata="x" * 5_000)
    for version in (3, 5):
        history.commit_offset(3, version, generation_id=4, member_id="nobody")
    history.commit_offset(5, metadata="m")
    for stable in (False, True):
        history.fetch_offset(stable)
        history.fetch_offset(stable, everything=True)
    history.end(commit=False)
    history.wait_for_markers()
    history.fetch_offset(require_stable=True)
    history.commit_offset(6)
    history.end(commit=True)
    history.wait_for_markers()
    history.fetch_offset(require_stable=True)
    history.commit_offset(7)
    history.plain_commit(8)
    history.fetch_offset(require_stable=True)
    history.fetch_offset(require_stable=False)
    history.end(commit=True)
    history.wait_for_markers()
    history.fetch_offset(require_stable=True)
    history.plain_commit(9)
    history.commit_offset(10)
    history.session.ask("A", DeleteGroupsRequest([history.group]), 2)
    history.end(commit=True)
    history.wait_for_markers()
    history.fetch_offset(require_stable=True, everything=True)


def reads_with_both_isolation_levels(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    for isolation_level in (0, 1):
        history.fetch(isolation_level)
        history.latest(isolation_level)
    history.producers()
    history.end(commit=True)
    history.wait_for_markers()
    history.produce(0)
    history.produce(1)
    history.end(commit=False)
    history.wait_for_markers()
    history.produce(0)
    for offset in (0, 1, 2, 3, 4, 5):
        for isolation_level in (0, 1):
            history.fetch(isolation_level, offset)
    history.latest(1)
    history.producers()
    history.end(commit=False)
    history.wait_for_markers()
    history.fetch(1)
    history.producers()


def listed_and_described_transactions(history: TransactionHistory) -> None:
    history.describe()
    history.session.ask("A", DescribeTransactionsRequest([""]), 0)
    history.init()
    history.describe()
    history.produce(0)
    for version, more in (
        (0, {}),
        (1, {"duration_filter": 600_000}),
        (2, {"transactional_id_pattern": f"{history.name}.*"}),
    ):
        for states in ([], ["Ongoing"], ["Empty"], ["Ongoing", "Nonsense"], ["Nonsense"]):
            request = ListTransactionsRequest(states, [history.producer_id], **more)  # type: ignore[arg-type]
            history.session.ask("A", request, version)
    history.session.ask("A", ListTransactionsRequest([], [], transactional_id_pattern="(["), 2)
    history.end(commit=True)
    history.wait_for_markers()
    history.session.ask("A", ListTransactionsRequest([], [history.producer_id]), 0)


def markers_of_an_administrator(history: TransactionHistory) -> None:
    history.session.ask("A", WriteTxnMarkersRequest([]), 1)
    history.init()
    history.init()
    for version in (1, 2):
        history.mark(0, topic="never-there", version=version)
        history.mark(7, -1, version=version)
        history.produce(version - 1)
        history.mark(0, 1, epoch=history.epoch - 1, version=version)
        history.mark(0, epoch=history.epoch, version=2, transaction_version=2)
        history.producers()
        history.mark(0, version=version)
        history.producers()
        history.mark(0, version=2, transaction_version=2)
    history.produce(2)
    history.mark(0, 1, commit=True)
    for isolation_level in (0, 1):
        history.fetch(isolation_level)
        history.latest(isolation_level)
    history.commit_offset(5)
    history.mark(0, topic="__consumer_offsets", epoch=history.epoch - 1)
    history.mark(0, topic="__consumer_offsets")
    history.fetch_offset(require_stable=True)
    stranger = history.producer_id + 77_000
    for coordinator_epoch in (5, 4, 5, 6):
        history.mark(1, producer_id=stranger, epoch=3, coordinator_epoch=coordinator_epoch)
    for epoch in (3, 2, 4, 32_767, 32_767):
        history.mark(
            1, producer_id=stranger, epoch=epoch, coordinator_epoch=6, version=2, transaction_version=2, commit=True
        )
    history.end(commit=False)
    history.wait_for_markers()


def invalid_transitions(history: TransactionHistory) -> None:
    """Try every invalid transition, and every API before and after it is allowed."""
    history.init()
    for version in (4, 5):
        history.end(commit=True, version=version)
    history.end(commit=False, version=4)
    for version in (9, 10, 11):
        history.produce(0, version=version)
    for version in (0, 3, 4):
        history.commit_offset(1, version=version)
    history.add(3, 0)
    history.produce(0, version=11, partition=1)
    history.commit_offset(1, version=4)
    history.produce(0, version=11)
    history.produce(7, version=11)
    history.produce(0, version=11)
    history.produce(1, version=11, epoch=history.epoch + 1)
    history.add(3, 0, epoch=history.epoch + 1)
    history.end(commit=True, version=4, epoch=history.epoch + 1)
    history.end(commit=True, version=4)
    history.wait_for_markers()
    history.produce(1, version=11)
    history.commit_offset(1, version=4)
    history.end(commit=False, version=4)
    history.add(3, 0)
    history.produce(1, version=11)
    history.end(commit=True)
    history.wait_for_markers()
    history.end(commit=False, epoch=history.epoch - 2)
    history.end(commit=True)
    for name in ("", "missing-topic"):
        unknown = (name, history.producer_id, history.epoch)
        topics = [AddPartitionsToTxnTopic(history.topic, [0])]
        ask = history.session.ask
        history.produce(0, name=name)
        ask("A", AddOffsetsToTxnRequest(*unknown, history.group), 4)
        ask("A", EndTxnRequest(*unknown, committed=True), 5)
        ask("A", DescribeTransactionsRequest([name]), 0)
        ask(
            "A",
            AddPartitionsToTxnRequest(
                v3_and_below_transactional_id=name,
                v3_and_below_producer_id=history.producer_id,
                v3_and_below_producer_epoch=history.epoch,
                v3_and_below_topics=topics,
            ),
            3,
        )


def exceeded_timeouts(history: TransactionHistory) -> None:
    for version in (11, 12):
        history.init(timeout_ms=TOO_SLOW_MS)
        if version < 12:
            history.add(3, 0)
        history.produce(0, version=version)
        history.session.ask_until(
            history.describe, lambda answer: answer.transaction_states[0].transaction_state == "CompleteAbort"
        )
        history.producers()
        history.produce(1, version=version)
        history.commit_offset(1, version=version - 7)
        history.end(commit=True, version=version - 7)
        history.init(5, producer_id=history.producer_id, epoch=history.epoch)


def expiry_of_producers_and_transactional_ids(history: TransactionHistory) -> None:
    history.init()
    history.produce(0)
    history.end(commit=True)
    history.wait_for_markers()
    history.session.ask_until(history.producers, lambda answer: not answer.topics[0].partitions[0].active_producers)
    history.session.ask_until(history.describe, lambda answer: answer.transaction_states[0].error_code)
    history.session.ask("A", ListTransactionsRequest([], [history.producer_id]), 0)
    history.produce(1)
    history.add(3, 0)
    history.add_offsets()
    history.commit_offset(1)
    history.end(commit=False)
    history.end(commit=False, version=4)
    history.init(5, producer_id=history.producer_id, epoch=history.epoch)
    history.init()
    history.produce(0)
    history.end(commit=False)


HISTORIES = [
    every_end,
    ends_of_zombies,
    old_versions,
    fencing,
    inits_with_valid_and_invalid_epochs,
    offsets,
    reads_with_both_isolation_levels,
    listed_and_described_transactions,
    markers_of_an_administrator,
    invalid_transitions,
]


@pytest.mark.parametrize("perform", HISTORIES)
def test_transactions__on_both_brokers__same_answers_and_records(
    perform: Callable[[TransactionHistory], None], kafka: Side, tenure: Side
) -> None:
    told = [run_history(perform, side) for side in (kafka, tenure)]
    compare(*told)


@pytest.mark.parametrize("perform", [exceeded_timeouts, expiry_of_producers_and_transactional_ids])
def test_transactions__exceed_their_timeout_or_expire_on_both_brokers__same_answers_and_records(
    perform: Callable[[TransactionHistory], None], strict_kafka: Side, strict_tenure: Side
) -> None:
    with ThreadPoolExecutor() as both:
        told = list(both.map(partial(run_history, perform), (strict_kafka, strict_tenure)))
    compare(*told)


def compare(theirs: list[str], ours: list[str]) -> None:
    assert len(theirs) > 20
    different = [pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]]
    where = "\n".join(f"  Apache Kafka: {one}\n  Tenure:       {other}" for one, other in different)
    assert theirs == ours, where


def run_history(perform: Callable[[TransactionHistory], None], side: Side) -> list[str]:
    session = side.session()
    name = perform.__name__.replace("_", "-")
    history = TransactionHistory(session, name)
    perform(history)
    history.wait_for_markers() if history.producer_id >= 0 else None
    told = [*session.trace, *records_of(session, name), *batches_of(session, history.topic)]
    times = r"((?:first|last|prev)?\w*_ms|last_timestamp)=\d{9,}"
    return [re.sub(times, r"\1=now", one) for one in with_producers_named(told)]


def records_of(session: Session, transactional_id: str) -> list[str]:
    """Return the records of the transactional id in `__transaction_state`."""
    told = []
    for batch in read_batches(log_of(session.side.host, session.side.port, TRANSACTION_STATE)):
        for record in decode_records(batch):
            assert record.key is not None
            found = decode_record(record.key, record.value)
            assert found is not None
            if found[0].transactional_id == transactional_id:
                version = None if record.value is None else int.from_bytes(record.value[:2], "big")
                told.append(f"v{version} {session.render(found[1])}")
    return told


def batches_of(session: Session, topic: str) -> list[str]:
    """Return the batches of the first partition with their producers, and the contents of markers."""
    told = []
    for batch in read_batches(log_of(session.side.host, session.side.port, topic)):
        said = [(record.key, record.value) for record in decode_records(batch)] if batch.is_control else ""
        told.append(
            f"{batch.base_offset}: producer_id={batch.producer_id} epoch {batch.producer_epoch} sequence "
            f"{batch.base_sequence} transactional {batch.is_transactional} {said}"
        )
    return told
