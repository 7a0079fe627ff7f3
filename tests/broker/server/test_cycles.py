"""Objects of a request are freed as soon as it is answered, without the garbage collector.

In the compiled build a nested function refers to itself, so its arguments would stay in memory until the next
collection.
"""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tenure.broker.coordinators.marker_waiters import MarkerWaiters
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    ProduceRequest,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, ProducerId, TopicName
from tenure.testing import Broker
from tests.broker.handlers.test_records import Topic
from tests.wire import Wire

NAME, GROUP, TOPIC, PARTITION = "transfers", GroupId("workers"), TopicName("accounts"), PartitionId(0)


@pytest.mark.parametrize("durability", ["os", "fsync"])
def test_transactions__of_clients_before_kip_890__no_reference_cycles_left(tmp_path: Path, durability: str) -> None:
    settings = {"tenure.data.durability": durability, "tenure.coordinator.durability": durability}
    with Broker(settings, directory=tmp_path / "data") as broker:
        broker.create_topic(TOPIC)
        host, _, port = broker.address.rpartition(":")
        with Wire(host, int(port)) as wire:
            producer_id, epoch = identity(wire)
            transact(wire, producer_id, epoch, 0)  # imports all modules and loads all shards
            with collected() as cycles:
                for number in range(1, 6):
                    transact(wire, producer_id, epoch, number)
    assert not cycles, f"{len(cycles)} objects in cycles, among them {sorted({str(type(each)) for each in cycles})}"


def test_marker_waiters__markers_take_too_long__no_reference_cycles_left() -> None:
    with closing(asyncio.new_event_loop()) as loop:
        waiters = MarkerWaiters(loop)
        waiters.awaited_s = 0.0
        waiters.begin(NAME)
        with collected() as cycles:
            waiters.when_written(NAME, partial(loop.call_soon, loop.stop))
            loop.run_forever()
    assert not cycles


@contextmanager
def collected() -> Iterator[list[object]]:
    """Yield a list of Tenure's objects that only the collector finds after the block."""
    found: list[object] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += [each for each in gc.garbage if type(each).__module__.startswith("tenure.")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def identity(wire: Wire) -> tuple[ProducerId, int]:
    find = FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])
    while wire.ask(find).coordinators[0].error_code:
        pass
    while (answer := wire.ask(InitProducerIdRequest(NAME, 60_000), 4)).error_code:
        pass
    return answer.producer_id, answer.producer_epoch


def transact(wire: Wire, producer_id: ProducerId, epoch: int, sequence: int) -> None:
    batch = encode_batch(
        [Record(0, 0, b"k", b"v")],
        producer_id=producer_id,
        producer_epoch=epoch,
        base_sequence=sequence,
        is_transactional=True,
    )
    written: ProduceRequest = Topic(wire, TOPIC).produce_request(batch, PARTITION, transactional_id=NAME)
    offsets = [
        TxnOffsetCommitRequestTopic(TOPIC, partitions=[TxnOffsetCommitRequestPartition(PARTITION, sequence, -1, "")])
    ]
    adding = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=NAME,
        v3_and_below_producer_id=producer_id,
        v3_and_below_producer_epoch=epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(TOPIC, [PARTITION])],
    )
    while (added := error_of(wire.ask(adding, 3))) == ErrorCode.CONCURRENT_TRANSACTIONS:
        pass  # on a busy machine, the markers of the last transaction may take long
    assert added == 0
    assert wire.ask(written, 11).responses[0].partition_responses[0].error_code == 0
    assert wire.ask(AddOffsetsToTxnRequest(NAME, producer_id, epoch, GROUP), 3).error_code == 0
    commit = TxnOffsetCommitRequest(NAME, GROUP, producer_id, epoch, topics=offsets)
    assert wire.ask(commit, 4).topics[0].partitions[0].error_code == 0
    assert wire.ask(EndTxnRequest(NAME, producer_id, epoch, committed=True), 4).error_code == 0


def error_of(answer: AddPartitionsToTxnResponse) -> int:
    return answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code
