"""Fetch requests for given offsets, to the leaders of the partitions.

With isolation level 0 (read_uncommitted, Kafka's default), the result contains records of open and aborted
transactions.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, cast

from tenure.client.consumer.read_committed import committed_only
from tenure.client.errors import OffsetOutOfRange, RequestRefused
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster
from tenure.client.queries.partition_queries import check_partition, list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.batches import read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Data
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchResponse, FetchTopic, PartitionData
from tenure.protocol.special_values import EARLIEST, LATEST
from tenure.protocol.types import PartitionId, TopicName

FETCH_CONNECTION: Final = "fetch"
BY_NAME_MAX_VERSION: Final = 12
"""Newest Fetch version that identifies topics by name. Later versions identify them by id."""


class FetchedPartition(NamedTuple):
    """Complete record batches of one partition, with unverified checksums.

    The first batch may begin before the requested offset. `records` may be a view of the response. Then the response
    stays in memory as long as the view.
    """

    records: Data
    next_offset: int


async def fetch(
    cluster: Cluster,
    offsets: Mapping[TopicPartition, int],
    *,
    max_bytes: int,
    max_wait_ms: int,
    isolation_level: int = 0,
) -> dict[TopicPartition, FetchedPartition]:
    """Return record batches from each offset on; an empty dict if no data arrives within `max_wait_ms`.

    Raises:
        OffsetOutOfRange: A partition does not have the offset.
        UnknownTopic: A topic or partition does not exist.
    """

    async def attempt() -> list[tuple[TopicPartition, PartitionData]]:
        by_leader: dict[BrokerAddress, list[TopicPartition]] = {}
        for partition in offsets:
            by_leader.setdefault(await cluster.leader(partition), []).append(partition)
        requested = [
            _ask(cluster, leader, _request(offsets, partitions, max_bytes, max_wait_ms, isolation_level), offsets)
            for leader, partitions in by_leader.items()
        ]
        return [found for answer in await asyncio.gather(*requested) for found in answer]

    fetched: dict[TopicPartition, FetchedPartition] = {}
    for partition, data in await cluster.retry(attempt):
        if data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            raise await out_of_range(cluster, partition, offsets[partition])
        records = records_of(data)
        next_offset = _next_offset(records, partition, offsets[partition])
        try:
            visible = committed_only(records, data.aborted_transactions or ())
        except ValueError as error:
            raise unreadable(partition, offsets[partition], error) from error
        fetched[partition] = FetchedPartition(visible, next_offset)
    return fetched


async def _ask(
    cluster: Cluster, leader: BrokerAddress, request: FetchRequest, offsets: Mapping[TopicPartition, int]
) -> list[tuple[TopicPartition, PartitionData]]:
    connection = await cluster.connection(leader, FETCH_CONNECTION)
    answer = await connection.request(
        request,
        FetchResponse,
        timeout_ms=cluster.request_timeout_ms + request.max_wait_ms,
        max_version=BY_NAME_MAX_VERSION,
    )
    found = [
        (TopicPartition(topic.topic, data.partition_index), data)
        for topic in answer.responses
        for data in topic.partitions
    ]
    for partition, data in found:
        if data.error_code != ErrorCode.OFFSET_OUT_OF_RANGE:
            problem = f"Fetch of {partition} at offset {offsets[partition]} failed"
            check_partition(cluster, partition, answer.error_code or data.error_code, problem)
    return found


def _request(
    offsets: Mapping[TopicPartition, int],
    partitions: Iterable[TopicPartition],
    max_bytes: int,
    max_wait_ms: int,
    isolation_level: int,
) -> FetchRequest:
    by_topic: dict[str, list[FetchPartition]] = {}
    for wanted in partitions:
        requested = FetchPartition(
            partition=PartitionId(wanted.partition), fetch_offset=offsets[wanted], partition_max_bytes=max_bytes
        )
        by_topic.setdefault(wanted.topic, []).append(requested)
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=max_bytes,
        isolation_level=isolation_level,
        topics=[FetchTopic(topic=TopicName(topic), partitions=partitions) for topic, partitions in by_topic.items()],
    )


def _next_offset(records: Data, partition: TopicPartition, offset: int) -> int:
    try:
        for batch in read_batches(records):
            offset = max(offset, batch.last_offset + 1)
    except ValueError as error:
        raise unreadable(partition, offset, error) from error
    return offset


def unreadable(partition: TopicPartition, offset: int, error: ValueError) -> RequestRefused:
    """Return the error for a malformed batch. The message names both possible causes: damage on disk or in transit."""
    return RequestRefused(
        f"Corrupt record batch in {partition} at offset {offset}: {error}.", ErrorCode.CORRUPT_MESSAGE
    )


def records_of(data: PartitionData) -> Data:
    """Return the record batches of one partition in a received response.

    `PartitionData.records` refers to a file only in a response that a broker creates. So here it is always `Data`.
    """
    return cast("Data", data.records or b"")


async def out_of_range(cluster: Cluster, partition: TopicPartition, offset: int) -> OffsetOutOfRange:
    """Return the error for an offset that does not exist. The message contains the partition's offset range."""
    first = (await list_offsets(cluster, {partition: EARLIEST}))[partition].offset
    end = (await list_offsets(cluster, {partition: LATEST}))[partition].offset
    why = "it was deleted by retention" if offset < first else "it was never written, or was lost"
    return OffsetOutOfRange(
        f"Offset {offset} of {partition} does not exist: {why}. The partition begins at {first} and ends at {end} "
        "(OFFSET_OUT_OF_RANGE).",
        ErrorCode.OFFSET_OUT_OF_RANGE,
    )
