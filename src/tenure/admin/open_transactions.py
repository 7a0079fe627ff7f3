"""Open transactions as partitions report them, and their abort (KIP-664).

A transaction *hangs* if it is open in a partition but unknown to its coordinator. No coordinator will end it, and
readers with read_committed wait for it. An administrator ends it by writing an abort marker.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from tenure.admin.transactions import describe_transaction, list_transactions
from tenure.client.errors import RequestRefused
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster, check
from tenure.client.queries.partition_queries import check_partition
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeProducersRequest,
    DescribeProducersResponse,
    DescribeProducersTopic,
    ProducerState,
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from tenure.protocol.types import PartitionId, ProducerId, TopicName

FIRST_COORDINATOR_EPOCH: Final = 0


class PartitionProducer(NamedTuple):
    """Active producer of a partition, with its open transaction."""

    partition: TopicPartition
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int | None
    """Coordinator epoch of the last transaction marker; None if the producer has ended no transaction yet."""
    last_sequence: int | None
    last_timestamp_ms: int
    start_offset: int | None
    """First offset of the open transaction; None without an open transaction."""


class PartitionTransaction(NamedTuple):
    """Transaction that is open in a partition."""

    producer: PartitionProducer
    transactional_id: str | None
    """Transactional id, if a coordinator has the transaction and will end it; None if the transaction hangs."""


async def describe_producers(cluster: Cluster, partitions: Collection[TopicPartition]) -> list[PartitionProducer]:
    """Describe the active producers of partitions, with one request per leader. Raises `UnknownTopic`."""
    found: dict[TopicPartition, list[PartitionProducer]] = {}

    async def attempt() -> None:
        by_leader: dict[BrokerAddress, list[TopicPartition]] = {}
        for partition in sorted(set(partitions) - found.keys()):
            by_leader.setdefault(await cluster.leader(partition), []).append(partition)
        for leader, led in by_leader.items():
            connection = await cluster.connection(leader)
            answer = await connection.request(
                _describe(led), DescribeProducersResponse, timeout_ms=cluster.request_timeout_ms
            )
            _collect(cluster, answer, found)

    await cluster.retry(attempt)
    return [producer for partition in sorted(found) for producer in found[partition]]


def _describe(partitions: Sequence[TopicPartition]) -> DescribeProducersRequest:
    by_topic: dict[str, list[PartitionId]] = {}
    for topic, partition in partitions:
        by_topic.setdefault(topic, []).append(PartitionId(partition))
    return DescribeProducersRequest(
        [DescribeProducersTopic(TopicName(topic), numbers) for topic, numbers in by_topic.items()]
    )


def _collect(
    cluster: Cluster, answer: DescribeProducersResponse, found: dict[TopicPartition, list[PartitionProducer]]
) -> None:
    trouble: list[tuple[TopicPartition, int]] = []
    for topic in answer.topics:
        for described in topic.partitions:
            partition = TopicPartition(topic.name, described.partition_index)
            if described.error_code == ErrorCode.NONE:
                found[partition] = sorted(_producer(partition, state) for state in described.active_producers)
            else:
                trouble.append((partition, described.error_code))
    for partition, error_code in trouble:
        check_partition(cluster, partition, error_code, f"Producers of {partition} could not be described")


def _producer(partition: TopicPartition, state: ProducerState) -> PartitionProducer:
    return PartitionProducer(
        partition,
        state.producer_id,
        state.producer_epoch,
        _none_if_negative(state.coordinator_epoch),
        _none_if_negative(state.last_sequence),
        state.last_timestamp,
        _none_if_negative(state.current_txn_start_offset),
    )


def _none_if_negative(number: int) -> int | None:
    return number if number >= 0 else None


async def find_hanging(
    cluster: Cluster, topics: Sequence[str] | None, *, silent_since_ms: int
) -> list[PartitionProducer]:
    """Find hanging transactions in the given topics, or in all topics for None.

    Args:
        cluster: Cluster.
        topics: Topics; None searches all.
        silent_since_ms: Unix time in ms. Transactions with later writes are left out: their client may still end them.
    """
    described = await cluster.describe_topics(topics)
    partitions = [
        TopicPartition(topic.topic, partition.partition) for topic in described for partition in topic.partitions
    ]
    silent = [
        producer
        for producer in await describe_producers(cluster, partitions)
        if producer.start_offset is not None and producer.last_timestamp_ms <= silent_since_ms
    ]
    return [found.producer for found in await _look_up_ids(cluster, silent) if found.transactional_id is None]


async def open_at(cluster: Cluster, partition: TopicPartition, start_offset: int) -> PartitionTransaction:
    """Return the open transaction whose first record is at `start_offset`.

    Raises `RequestRefused` (INVALID_TXN_STATE) if no open transaction begins there.
    """
    begun = [each for each in await describe_producers(cluster, [partition]) if each.start_offset == start_offset]
    for found in await _look_up_ids(cluster, begun):
        return found
    raise RequestRefused(
        f"No open transaction begins at offset {start_offset} of {partition}; see "
        f"`tenure transactions describe-producers {partition.topic}`.",
        ErrorCode.INVALID_TXN_STATE,
    )


async def _look_up_ids(cluster: Cluster, producers: Sequence[PartitionProducer]) -> list[PartitionTransaction]:
    """Return the open transaction of each producer, with its transactional id as the coordinators report it.

    The id is None for a hanging transaction: it is open in its partition, and no coordinator knows it. A transaction
    that ends between the query of the partition and the query of the coordinators looks the same. So the partitions are
    queried again, and such a transaction is left out. (A coordinator forgets a transaction only after all its
    partitions have ended it.)
    """
    if not producers:
        return []
    ids = {producer.producer_id for producer in producers}
    listed = {found.producer_id: found.transactional_id for found in await list_transactions(cluster, producer_ids=ids)}
    held = {producer_id: await _partitions_of(cluster, listed[producer_id]) for producer_id in listed}
    ids_of_open = {
        producer: listed[producer.producer_id]
        for producer in producers
        if producer.partition in held.get(producer.producer_id, ())
    }
    unknown = {producer.partition for producer in producers if producer not in ids_of_open}
    still_open = await describe_producers(cluster, unknown)
    return [
        PartitionTransaction(producer, ids_of_open.get(producer))
        for producer in producers
        if producer in ids_of_open or producer in still_open
    ]


async def _partitions_of(cluster: Cluster, transactional_id: str) -> frozenset[TopicPartition]:
    try:
        return frozenset((await describe_transaction(cluster, transactional_id)).partitions)
    except RequestRefused as error:
        if error.error_code is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:  # removed since it was listed
            return frozenset()
        raise


async def abort_open(cluster: Cluster, producer: PartitionProducer) -> None:
    """Write an abort marker into the producer's partition, without the coordinator.

    Each attempt first checks that the transaction is still open. The response to the previous attempt may be lost, and
    a second marker would abort the producer's next transaction.
    """
    partition = producer.partition
    epoch = FIRST_COORDINATOR_EPOCH if producer.coordinator_epoch is None else producer.coordinator_epoch
    topic = WritableTxnMarkerTopic(TopicName(partition.topic), [PartitionId(partition.partition)])
    marker = WritableTxnMarker(
        ProducerId(producer.producer_id), producer.producer_epoch, transaction_result=False, topics=[topic],
        coordinator_epoch=epoch,
    )  # fmt: skip

    async def attempt() -> None:
        begun = {(each.producer_id, each.start_offset) for each in await describe_producers(cluster, [partition])}
        if (producer.producer_id, producer.start_offset) not in begun:
            return
        connection = await cluster.connection(await cluster.leader(partition))
        answer = await connection.request(
            WriteTxnMarkersRequest([marker]), WriteTxnMarkersResponse, timeout_ms=cluster.request_timeout_ms
        )
        error_code = answer.markers[0].topics[0].partitions[0].error_code
        problem = f"Transaction of producer {producer.producer_id} in {partition} was not aborted"
        if error_code == ErrorCode.INVALID_PRODUCER_EPOCH:
            check(error_code, f"{problem}: the producer has a newer epoch now")
        check_partition(cluster, partition, error_code, problem)

    await cluster.retry(attempt)
