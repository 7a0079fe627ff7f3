"""A hanging transaction: a transactional batch without a begun transaction, which no coordinator will end."""

from __future__ import annotations

from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, TopicProduceData
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, ProducerId, TopicName
from tests.wire import Wire

LONG_AGO_MS = 1_600_000_000_000


def write_hanging_batch(address: str, topic: str) -> None:
    """Write the batch to partition 0, like a late request of an old client whose transaction has ended."""
    host, _, port = address.rpartition(":")
    batch = encode_batch(
        [Record(0, LONG_AGO_MS, b"k", b"v")],
        producer_id=ProducerId(4_711),
        producer_epoch=3,
        base_sequence=0,
        is_transactional=True,
    )
    data = [TopicProduceData(name=TopicName(topic), partition_data=[PartitionProduceData(PartitionId(0), batch)])]
    with Wire(host, int(port)) as wire:
        answer = wire.ask(ProduceRequest("late", -1, 10_000, data), 9)
    assert answer.responses[0].partition_responses[0].error_code == 0
