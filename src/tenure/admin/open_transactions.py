"""Transactions as partitions see them: who writes, what is open, what hangs, and the end of that (KIP-664).

A transaction *hangs* where it is open in a partition and its coordinator knows nothing of it: nobody will ever end it,
and readers of committed data wait before it. An administrator ends it by a marker.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from tenure.admin.transactions import describe_transaction, list_transactions
from tenure.client.cluster import Cluster, check
from tenure.client.errors import RequestRefused
from tenure.client.partition_queries import check_partition
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeProducersRequest,
    DescribeProducersResponse,
    DescribeProducersTopic,
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from tenure.protocol.types import PartitionId, ProducerId, TopicName

FIRST_COORDINATOR_EPOCH: Final = 0


class PartitionProducer(NamedTuple):
    partition: TopicPartition
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int | None
    """Of the last marker; None before the first one."""
    last_sequence: int | None
    last_timestamp_ms: int
    start_offset: int | None
    """Of its open transaction."""


class OpenTransaction(NamedTuple):
    """One that is open, in one of its partitions."""

    producer: PartitionProducer
    transactional_id: str | None
    """Whose coordinator knows of it and will end it; None: it hangs."""


async def describe_producers(cluster: Cluster, partitions: Collection[TopicPartition]) -> list[PartitionProducer]:
    """Raises `UnknownTopic`."""
    return [producer for partition in sorted(partitions) for producer in await _producers_of(cluster, partition)]


async def _producers_of(cluster: Cluster, partition: TopicPartition) -> list[PartitionProducer]:
    topic = DescribeProducersTopic(TopicName(partition.topic), [PartitionId(partition.partition)])

    async def attempt() -> list[PartitionProducer]:
        connection = await cluster.connection(await cluster.leader(partition))
        answer = await connection.request(
            DescribeProducersRequest([topic]), DescribeProducersResponse, timeout_ms=cluster.request_timeout_ms
        )
        found = answer.topics[0].partitions[0]
        check_partition(cluster, partition, found.error_code, f"The producers of {partition} cannot be described")
        return sorted(
            PartitionProducer(
                partition,
                producer.producer_id,
                producer.producer_epoch,
                _known(producer.coordinator_epoch),
                _known(producer.last_sequence),
                producer.last_timestamp,
                _known(producer.current_txn_start_offset),
            )
            for producer in found.active_producers
        )

    return await cluster.persist(attempt)


def _known(number: int) -> int | None:
    return number if number >= 0 else None


async def find_hanging(
    cluster: Cluster, topics: Sequence[str] | None, *, silent_since_ms: int
) -> list[PartitionProducer]:
    """Of all partitions of these topics, or of all topics: what hangs and has not been written to since then.

    A client may still write to younger ones, and come to their end by itself.
    """
    described = await cluster.describe_topics(topics)
    partitions = [TopicPartition(topic.topic, at.partition) for topic in described for at in topic.partitions]
    silent = [
        producer
        for producer in await describe_producers(cluster, partitions)
        if producer.start_offset is not None and producer.last_timestamp_ms <= silent_since_ms
    ]
    return [found.producer for found in await _looked_up(cluster, silent) if found.transactional_id is None]


async def open_at(cluster: Cluster, partition: TopicPartition, start_offset: int) -> OpenTransaction:
    """The transaction that begins there. Raises `RequestRefused` (INVALID_TXN_STATE) if none does."""
    begun = [each for each in await _producers_of(cluster, partition) if each.start_offset == start_offset]
    for found in await _looked_up(cluster, begun):
        return found
    raise RequestRefused(
        f"No transaction that is open in {partition} begins at offset {start_offset}; "
        f"`tenure transactions describe-producers {partition.topic}` shows those that are open.",
        ErrorCode.INVALID_TXN_STATE,
    )


async def _looked_up(cluster: Cluster, producers: Sequence[PartitionProducer]) -> list[OpenTransaction]:
    """Who will end each, if anybody. One that has ended meanwhile is left out: partitions are asked before coordinators
    and after them, for a coordinator forgets a transaction only when no partition has it open any more.
    """
    if not producers:
        return []
    ids = {producer.producer_id for producer in producers}
    listed = {found.producer_id: found.transactional_id for found in await list_transactions(cluster, producer_ids=ids)}
    held = {producer_id: await _partitions_of(cluster, listed[producer_id]) for producer_id in listed}
    looked_up: list[OpenTransaction] = []
    for producer in producers:
        if producer.partition in held.get(producer.producer_id, ()):
            looked_up.append(OpenTransaction(producer, listed[producer.producer_id]))
        elif producer in await _producers_of(cluster, producer.partition):
            looked_up.append(OpenTransaction(producer, None))
    return looked_up


async def _partitions_of(cluster: Cluster, transactional_id: str) -> frozenset[TopicPartition]:
    try:
        return frozenset((await describe_transaction(cluster, transactional_id)).partitions)
    except RequestRefused as error:
        if error.error_code is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:  # it went meanwhile
            return frozenset()
        raise


async def abort_open(cluster: Cluster, producer: PartitionProducer) -> None:
    """Writes a marker into that partition, whatever a coordinator knows; in others the transaction stays open."""
    partition = producer.partition
    epoch = FIRST_COORDINATOR_EPOCH if producer.coordinator_epoch is None else producer.coordinator_epoch
    topic = WritableTxnMarkerTopic(TopicName(partition.topic), [PartitionId(partition.partition)])
    marker = WritableTxnMarker(
        ProducerId(producer.producer_id), producer.producer_epoch, transaction_result=False, topics=[topic],
        coordinator_epoch=epoch,
    )  # fmt: skip

    async def attempt() -> None:
        connection = await cluster.connection(await cluster.leader(partition))
        answer = await connection.request(
            WriteTxnMarkersRequest([marker]), WriteTxnMarkersResponse, timeout_ms=cluster.request_timeout_ms
        )
        error_code = answer.markers[0].topics[0].partitions[0].error_code
        what = f"The transaction of producer {producer.producer_id} in {partition} cannot be aborted"
        if error_code == ErrorCode.INVALID_PRODUCER_EPOCH:
            check(error_code, f"{what}: it has gone on in another epoch meanwhile")
        check_partition(cluster, partition, error_code, what)

    await cluster.persist(attempt)
