"""Readers of a range of a partition: visible records at the source, copied records at the target."""

from collections.abc import AsyncIterator
from typing import Final

from tenure.client.consumer.fetch import fetch, out_of_range
from tenure.client.net.cluster import Cluster
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.limits.client import FETCH_EMPTY_ANSWERS_MAX, FETCH_WAIT_MS
from tenure.limits.move import FETCH_BYTES
from tenure.protocol.batches import Batch, decode_records, read_batches
from tenure.protocol.records import Record
from tenure.protocol.special_values import EARLIEST, READ_COMMITTED, READ_UNCOMMITTED

SEQUENCES: Final = 2**31


async def visible_records(cluster: Cluster, partition: TopicPartition, start: int, end: int) -> AsyncIterator[Record]:
    """Yield the records from `start` up to `end` (exclusive) that a consumer with read_committed gets."""
    async for batch in _batches(cluster, partition, start, end, READ_COMMITTED):
        for record in decode_records(batch):
            if start <= record.offset < end:
                yield record


async def copied_records(
    cluster: Cluster, partition: TopicPartition, start: int, end: int, producer_id: int
) -> AsyncIterator[tuple[int, Record]]:
    """Yield the records that a producer wrote, each with its sequence number, from `start` up to `end` (exclusive)."""
    async for batch in _batches(cluster, partition, start, end, READ_UNCOMMITTED):
        if batch.producer_id != producer_id:
            continue
        for record in decode_records(batch):
            if start <= record.offset < end:
                yield (batch.base_sequence + record.offset - batch.base_offset) % SEQUENCES, record


async def earliest(cluster: Cluster, partition: TopicPartition) -> int:
    """Return the offset of the first record that a partition still has."""
    return (await list_offsets(cluster, {partition: EARLIEST}))[partition].offset


async def _batches(
    cluster: Cluster, partition: TopicPartition, start: int, end: int, isolation_level: int
) -> AsyncIterator[Batch]:
    """Yield the batches with records from `start` up to `end` (exclusive), without transaction markers."""
    offset, empty_answers = start, 0
    while offset < end:
        fetched = await fetch(
            cluster,
            {partition: offset},
            max_bytes=FETCH_BYTES,
            max_wait_ms=FETCH_WAIT_MS,
            isolation_level=isolation_level,
        )
        answer = fetched[partition]
        empty_answers = 0 if answer.next_offset > offset else empty_answers + 1
        if empty_answers == FETCH_EMPTY_ANSWERS_MAX:
            raise await out_of_range(cluster, partition, offset)
        for batch in read_batches(answer.records):
            if not batch.is_control and batch.base_offset < end and batch.last_offset >= offset:
                yield batch
        offset = answer.next_offset
