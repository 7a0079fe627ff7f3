"""Transactions: the same requests to Apache Kafka and to us.

Answers, records of `__transaction_state` and what stands in the partitions are compared. Producer ids are drawn by a
broker: the n-th that a life was given is written `P#n`.
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
TOO_SLOW_MS = 5_000
"""A transaction's timeout that is waited for, and that what comes before it does not reach on a busy machine; as little
do questions about what is left behind reach the expiration of producers and of ids (`conftest.STRICT`)."""
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


class Life:
    """One transactional id, and the producers that live under it one after the other."""

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
        """The first answer that is not of those that pass by themselves; only that is written down."""
        told = list(self.session._told)
        deadline = time.monotonic() + PATIENCE_S
        while code_of(answer := ask()) in UNSETTLED:
            assert time.monotonic() < deadline, f"still {answer}"
            self.session._told = list(told)
            time.sleep(0.02)
        return answer

    def init(
        self,
        version: int = 5,
        timeout_ms: int = 60_000,
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
        """Outside of any transaction; returns the offset."""
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
        """A repeated request in the old epoch is asked with `epoch`."""
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

    def at_rest(self) -> None:
        """Its markers are written."""
        self.settled(
            lambda: self.session.ask("A", DescribeTransactionsRequest([self.name]), 0),
            lambda a: (
                ErrorCode.CONCURRENT_TRANSACTIONS if "Prepare" in a.transaction_states[0].transaction_state else 0
            ),
        )


def every_end(life: Life) -> None:
    life.init()
    life.produce(0)
    life.describe()
    first = life.epoch
    life.end(commit=True)
    life.at_rest()
    life.end(commit=True, epoch=first)
    life.end(commit=False, epoch=first)
    life.produce(0)
    life.produce(1)
    life.produce(0, partition=1)
    life.end(commit=False)
    life.at_rest()
    life.end(commit=True)
    life.end(commit=False)
    life.at_rest()
    life.end(commit=False)
    life.at_rest()
    life.end(commit=True, epoch=0)
    life.describe()


def ends_of_zombies(life: Life) -> None:
    """A repeated end of version 2 is recognised by its epoch and its decision, whatever raised the epoch."""
    life.init()
    life.init()
    for committed in (True, False):
        life.add(3, 0)
        life.produce(0 if committed else 1, version=11)
        life.end(commit=committed, version=4)
        life.at_rest()
        for epoch in (life.epoch - 1, life.epoch + 1):
            for commit in (True, False):
                life.end(commit, epoch=epoch)
                life.end(commit, version=4, epoch=epoch)
    life.init()
    life.end(commit=True, epoch=life.epoch - 1)
    life.end(commit=False, epoch=life.epoch - 1)
    life.produce(0)
    for epoch in (life.epoch - 1, life.epoch + 1):
        for commit in (True, False):
            life.end(commit, epoch=epoch)
    zombie = life.epoch
    life.end(commit=True)
    life.at_rest()
    for commit in (True, False):
        life.end(commit, version=4, epoch=zombie)
        life.end(commit, epoch=zombie - 1)
        life.end(commit, epoch=zombie + 2)
    life.produce(0)
    taken_over(life)
    life.at_rest()
    zombie = life.epoch
    for version in (4, 5):
        for commit in (True, False):
            life.end(commit, version, epoch=zombie)
    life.init()
    for version in (4, 5):
        for commit in (True, False):
            life.end(commit, version, epoch=zombie)


def taken_over(life: Life) -> None:
    """Another client asks for the id, and does not retry when its transaction has been aborted."""
    life.session.ask("A", InitProducerIdRequest(life.name, 60_000, -1, -1), 5)


def old_versions(life: Life) -> None:
    for version in range(6):
        life.init(version)
    for number, version in enumerate(range(4)):
        life.produce(number * 2, version=9 + number % 3)
        life.add(version, 0)
        life.add(version, 0, 1)
        life.produce(number, version=9 + number % 3)
        life.add_offsets(version)
        life.commit_offset(number, version)
        life.end(commit=number % 2 == 0, version=version)
        life.at_rest()
        life.end(commit=number % 2 == 0, version=version)
        life.end(commit=number % 2 == 1, version=version)
    life.end(commit=True, version=4)
    life.add(3, 7)
    life.add(3, 0, topic="never-there")
    life.describe()


def fencing(life: Life) -> None:
    life.init()
    life.produce(0)
    zombie_id, zombie_epoch = life.producer_id, life.epoch
    life.init()
    life.at_rest()
    for version in (9, 11, 12):
        life.produce(1, version=version, epoch=zombie_epoch)
    for version in (0, 2, 3):
        life.add(version, 0, epoch=zombie_epoch)
    for version in (0, 2, 4):
        life.add_offsets(version, epoch=zombie_epoch)
    for version in (0, 3, 4, 5):
        life.commit_offset(1, version, epoch=zombie_epoch)
        life.commit_offset(1, version, producer_id=zombie_id + 77_000)
    for version in (0, 2, 4, 5):
        life.end(commit=True, version=version, epoch=zombie_epoch)
        life.end(commit=True, version=version, producer_id=zombie_id + 77_000)
    life.produce(0)
    life.end(commit=True)
    life.at_rest()
    life.add(3, 0)
    life.produce(0, version=11)
    life.init()
    life.at_rest()


def who_may_init(life: Life) -> None:
    for version in (0, 3, 5):
        life.init(version, name="")
        life.init(version, timeout_ms=0)
        life.init(version, timeout_ms=900_001)
    life.init()
    producer_id, epoch = life.producer_id, life.epoch
    for version in (3, 4, 5):
        life.init(version, producer_id=producer_id, epoch=life.epoch)
        life.init(version, producer_id=producer_id, epoch=epoch)
        life.init(version, producer_id=producer_id + 77_000, epoch=epoch)
        life.init(version, producer_id=producer_id, epoch=-1)
        life.init(version, producer_id=-1, epoch=3)
    before = life.epoch
    life.init(5, producer_id=producer_id, epoch=before)
    life.init(5, producer_id=producer_id, epoch=before)
    life.produce(0)
    life.init(5, producer_id=producer_id, epoch=before)
    life.init(5, producer_id=producer_id, epoch=life.epoch)
    life.at_rest()


def offsets(life: Life) -> None:
    life.init()
    life.commit_offset(3, topic="never-there")
    life.commit_offset(3, metadata="x" * 5_000)
    for version in (3, 5):
        life.commit_offset(3, version, generation_id=4, member_id="nobody")
    life.commit_offset(5, metadata="m")
    for stable in (False, True):
        life.fetch_offset(stable)
        life.fetch_offset(stable, everything=True)
    life.end(commit=False)
    life.at_rest()
    life.fetch_offset(require_stable=True)
    life.commit_offset(6)
    life.end(commit=True)
    life.at_rest()
    life.fetch_offset(require_stable=True)
    life.commit_offset(7)
    life.plain_commit(8)
    life.fetch_offset(require_stable=True)
    life.fetch_offset(require_stable=False)
    life.end(commit=True)
    life.at_rest()
    life.fetch_offset(require_stable=True)
    life.plain_commit(9)
    life.commit_offset(10)
    life.session.ask("A", DeleteGroupsRequest([life.group]), 2)
    life.end(commit=True)
    life.at_rest()
    life.fetch_offset(require_stable=True, everything=True)


def what_readers_see(life: Life) -> None:
    life.init()
    life.produce(0)
    for isolation_level in (0, 1):
        life.fetch(isolation_level)
        life.latest(isolation_level)
    life.producers()
    life.end(commit=True)
    life.at_rest()
    life.produce(0)
    life.produce(1)
    life.end(commit=False)
    life.at_rest()
    life.produce(0)
    for offset in (0, 1, 2, 3, 4, 5):
        for isolation_level in (0, 1):
            life.fetch(isolation_level, offset)
    life.latest(1)
    life.producers()
    life.end(commit=False)
    life.at_rest()
    life.fetch(1)
    life.producers()


def what_is_listed(life: Life) -> None:
    life.describe()
    life.session.ask("A", DescribeTransactionsRequest([""]), 0)
    life.init()
    life.describe()
    life.produce(0)
    for version, more in (
        (0, {}),
        (1, {"duration_filter": 600_000}),
        (2, {"transactional_id_pattern": f"{life.name}.*"}),
    ):
        for states in ([], ["Ongoing"], ["Empty"], ["Ongoing", "Nonsense"], ["Nonsense"]):
            request = ListTransactionsRequest(states, [life.producer_id], **more)  # type: ignore[arg-type]
            life.session.ask("A", request, version)
    life.session.ask("A", ListTransactionsRequest([], [], transactional_id_pattern="(["), 2)
    life.end(commit=True)
    life.at_rest()
    life.session.ask("A", ListTransactionsRequest([], [life.producer_id]), 0)


def markers_of_an_administrator(life: Life) -> None:
    life.session.ask("A", WriteTxnMarkersRequest([]), 1)
    life.init()
    life.init()
    for version in (1, 2):
        life.mark(0, topic="never-there", version=version)
        life.mark(7, -1, version=version)
        life.produce(version - 1)
        life.mark(0, 1, epoch=life.epoch - 1, version=version)
        life.mark(0, epoch=life.epoch, version=2, transaction_version=2)
        life.producers()
        life.mark(0, version=version)
        life.producers()
        life.mark(0, version=2, transaction_version=2)
    life.produce(2)
    life.mark(0, 1, commit=True)
    for isolation_level in (0, 1):
        life.fetch(isolation_level)
        life.latest(isolation_level)
    life.commit_offset(5)
    life.mark(0, topic="__consumer_offsets", epoch=life.epoch - 1)
    life.mark(0, topic="__consumer_offsets")
    life.fetch_offset(require_stable=True)
    stranger = life.producer_id + 77_000
    for coordinator_epoch in (5, 4, 5, 6):
        life.mark(1, producer_id=stranger, epoch=3, coordinator_epoch=coordinator_epoch)
    for epoch in (3, 2, 4, 32_767, 32_767):
        life.mark(
            1, producer_id=stranger, epoch=epoch, coordinator_epoch=6, version=2, transaction_version=2, commit=True
        )
    life.end(commit=False)
    life.at_rest()


def what_makes_no_sense(life: Life) -> None:
    """Every transition that there is not, and every API before and after its time."""
    life.init()
    for version in (4, 5):
        life.end(commit=True, version=version)
    life.end(commit=False, version=4)
    for version in (9, 10, 11):
        life.produce(0, version=version)
    for version in (0, 3, 4):
        life.commit_offset(1, version=version)
    life.add(3, 0)
    life.produce(0, version=11, partition=1)
    life.commit_offset(1, version=4)
    life.produce(0, version=11)
    life.produce(7, version=11)
    life.produce(0, version=11)
    life.produce(1, version=11, epoch=life.epoch + 1)
    life.add(3, 0, epoch=life.epoch + 1)
    life.end(commit=True, version=4, epoch=life.epoch + 1)
    life.end(commit=True, version=4)
    life.at_rest()
    life.produce(1, version=11)
    life.commit_offset(1, version=4)
    life.end(commit=False, version=4)
    life.add(3, 0)
    life.produce(1, version=11)
    life.end(commit=True)
    life.at_rest()
    life.end(commit=False, epoch=life.epoch - 2)
    life.end(commit=True)
    for name in ("", "nobody-has-it"):
        unknown = (name, life.producer_id, life.epoch)
        topics = [AddPartitionsToTxnTopic(life.topic, [0])]
        ask = life.session.ask
        life.produce(0, name=name)
        ask("A", AddOffsetsToTxnRequest(*unknown, life.group), 4)
        ask("A", EndTxnRequest(*unknown, committed=True), 5)
        ask("A", DescribeTransactionsRequest([name]), 0)
        ask(
            "A",
            AddPartitionsToTxnRequest(
                v3_and_below_transactional_id=name,
                v3_and_below_producer_id=life.producer_id,
                v3_and_below_producer_epoch=life.epoch,
                v3_and_below_topics=topics,
            ),
            3,
        )


def what_takes_too_long(life: Life) -> None:
    for version in (11, 12):
        life.init(timeout_ms=TOO_SLOW_MS)
        if version < 12:
            life.add(3, 0)
        life.produce(0, version=version)
        life.session.ask_until(
            life.describe, lambda answer: answer.transaction_states[0].transaction_state == "CompleteAbort"
        )
        life.producers()
        life.produce(1, version=version)
        life.commit_offset(1, version=version - 7)
        life.end(commit=True, version=version - 7)
        life.init(5, producer_id=life.producer_id, epoch=life.epoch)


def what_expires(life: Life) -> None:
    life.init()
    life.produce(0)
    life.end(commit=True)
    life.at_rest()
    life.session.ask_until(life.producers, lambda answer: not answer.topics[0].partitions[0].active_producers)
    life.session.ask_until(life.describe, lambda answer: answer.transaction_states[0].error_code)
    life.session.ask("A", ListTransactionsRequest([], [life.producer_id]), 0)
    life.produce(1)
    life.add(3, 0)
    life.add_offsets()
    life.commit_offset(1)
    life.end(commit=False)
    life.end(commit=False, version=4)
    life.init(5, producer_id=life.producer_id, epoch=life.epoch)
    life.init()
    life.produce(0)
    life.end(commit=False)


LIVES = [
    every_end,
    ends_of_zombies,
    old_versions,
    fencing,
    who_may_init,
    offsets,
    what_readers_see,
    what_is_listed,
    markers_of_an_administrator,
    what_makes_no_sense,
]


@pytest.mark.parametrize("live", LIVES)
def test_transactions__on_both__same_answers_and_records(
    live: Callable[[Life], None], kafka: Side, tenure: Side
) -> None:
    told = [lived(live, side) for side in (kafka, tenure)]
    compare(*told)


@pytest.mark.parametrize("live", [what_takes_too_long, what_expires])
def test_transactions__until_they_time_out_on_both__same_answers_and_records(
    live: Callable[[Life], None], strict_kafka: Side, strict_tenure: Side
) -> None:
    with ThreadPoolExecutor() as both:
        told = list(both.map(partial(lived, live), (strict_kafka, strict_tenure)))
    compare(*told)


def compare(theirs: list[str], ours: list[str]) -> None:
    assert len(theirs) > 20
    different = [pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]]
    where = "\n".join(f"  Apache Kafka: {one}\n  Tenure:       {other}" for one, other in different)
    assert theirs == ours, where


def lived(live: Callable[[Life], None], side: Side) -> list[str]:
    session = side.session()
    name = live.__name__.replace("_", "-")
    life = Life(session, name)
    live(life)
    life.at_rest() if life.producer_id >= 0 else None
    told = [*session.trace, *records_of(session, name), *batches_of(session, life.topic)]
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
                told.append(f"v{version} {session.told(found[1])}")
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
