"""Records of a partition, as Arrow: for bulk readers that block, such as Spark tasks.

Connections are kept for the life of the process, so a task pays for none. While the caller works on one answer the next
one is under way: the batch headers tell where it starts, before any record is decoded.

Reads what is written, committed or not: records of open or aborted transactions are among them (isolation level
read_uncommitted, Kafka's default).
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from tenure.client.cluster import Cluster
from tenure.client.errors import OffsetOutOfRange, RequestRefused
from tenure.client.event_loop import client_loop
from tenure.client.partition_queries import EARLIEST, LATEST, check_partition, list_offsets
from tenure.client.shared import shared_cluster
from tenure.client.values import TopicPartition
from tenure.limits import FETCH_BYTES, FETCH_EMPTY_ANSWERS_MAX, FETCH_WAIT_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from tenure.protocol.records import read_batches, verify_crc
from tenure.protocol.types import PartitionId, TopicName

if TYPE_CHECKING:
    import pyarrow as pa

FETCH_LANE: Final = "fetch"
BY_NAME_MAX_VERSION: Final = 12
"""Fetch v13 knows topics by id only."""


class Fetched(NamedTuple):
    """Whole batches; the first may begin before the offset that was asked for."""

    records: bytes
    next_offset: int
    high_watermark: int


async def fetch(
    cluster: Cluster, partition: TopicPartition, offset: int, *, max_bytes: int, max_wait_ms: int
) -> Fetched:
    """The records at an offset; none if there is none within `max_wait_ms`. Raises `OffsetOutOfRange`."""

    async def attempt() -> FetchResponse:
        connection = await cluster.connection(await cluster.leader(partition), FETCH_LANE)
        answer = await connection.request(
            _request(partition, offset, max_bytes, max_wait_ms),
            FetchResponse,
            timeout_ms=cluster.request_timeout_ms + max_wait_ms,
            max_version=BY_NAME_MAX_VERSION,
        )
        error_code = answer.error_code or answer.responses[0].partitions[0].error_code
        if error_code != ErrorCode.OFFSET_OUT_OF_RANGE:
            check_partition(cluster, partition, error_code, f"{partition} cannot be read at offset {offset}")
        return answer

    found = (await cluster.persist(attempt)).responses[0].partitions[0]
    if found.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
        raise await _out_of_range(cluster, partition, offset)
    records = found.records or b""
    return Fetched(records, _next_offset(records, partition, offset), found.high_watermark)


def _request(partition: TopicPartition, offset: int, max_bytes: int, max_wait_ms: int) -> FetchRequest:
    asked = FetchPartition(
        partition=PartitionId(partition.partition), fetch_offset=offset, partition_max_bytes=max_bytes
    )
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=max_bytes,
        topics=[FetchTopic(topic=TopicName(partition.topic), partitions=[asked])],
    )


def _next_offset(records: bytes, partition: TopicPartition, offset: int) -> int:
    """Also checks the batches: what a broker keeps and a network carries may be damaged."""
    try:
        for batch in read_batches(records):
            verify_crc(batch)
            offset = max(offset, batch.last_offset + 1)
    except ValueError as error:
        raise RequestRefused(
            f"{partition} cannot be read at offset {offset}: {error}.", ErrorCode.CORRUPT_MESSAGE
        ) from error
    return offset


async def _out_of_range(cluster: Cluster, partition: TopicPartition, offset: int) -> OffsetOutOfRange:
    first = (await list_offsets(cluster, {partition: EARLIEST}))[partition].offset
    end = (await list_offsets(cluster, {partition: LATEST}))[partition].offset
    why = "was deleted by retention" if offset < first else "was never written, or was lost"
    return OffsetOutOfRange(
        f"{partition} has no offset {offset}: the record {why}; the partition begins at {first} and ends at {end} "
        "(OFFSET_OUT_OF_RANGE).",
        ErrorCode.OFFSET_OUT_OF_RANGE,
    )


def fetch_arrow(
    bootstrap_servers: str | Sequence[str],
    topic: str,
    partition: int,
    start: int,
    end: int,
    *,
    max_bytes: int = FETCH_BYTES,
    client_id: str = "tenure",
) -> Iterator["pa.RecordBatch"]:
    """The records with `start <= offset < end`, in order, as the columns of `tenure.protocol.columnar.to_arrow`.

    `end` must not lie beyond the end of the partition: take it from `end_offsets`. Holds two answers of about
    `max_bytes` at a time. Raises `OffsetOutOfRange`, `UnknownTopic`, `BrokerUnreachable`, each naming what was asked.
    """
    from tenure.protocol.columnar import to_arrow

    reader = _Reader(shared_cluster(bootstrap_servers, client_id), TopicPartition(topic, partition), end, max_bytes)
    for fetched in reader.answers(start):
        rows = to_arrow(fetched.records, from_offset=start, to_offset=end)
        if rows.num_rows:
            yield rows


class _Reader:
    def __init__(self, cluster: Cluster, partition: TopicPartition, end: int, max_bytes: int) -> None:
        self._cluster: Final = cluster
        self._partition: Final = partition
        self._end: Final = end
        self._max_bytes: Final = max_bytes

    def answers(self, start: int) -> Iterator[Fetched]:
        """Until `end` is reached. The next answer is asked for before this one is handed out."""
        loop = client_loop()
        offset = start
        under_way = None
        try:
            while offset < self._end:
                under_way = under_way or asyncio.run_coroutine_threadsafe(self._next(offset), loop)
                fetched = under_way.result()
                offset = fetched.next_offset
                under_way = None
                if offset < self._end:
                    under_way = asyncio.run_coroutine_threadsafe(self._next(offset), loop)
                yield fetched
        finally:
            if under_way is not None:
                under_way.cancel()

    async def _next(self, offset: int) -> Fetched:
        """Progress, or an error. An empty answer below `end` is given time: a high watermark may lag behind."""
        for _ in range(FETCH_EMPTY_ANSWERS_MAX):
            fetched = await fetch(
                self._cluster, self._partition, offset, max_bytes=self._max_bytes, max_wait_ms=FETCH_WAIT_MS
            )
            if fetched.next_offset > offset:
                return fetched
        raise await _out_of_range(self._cluster, self._partition, offset)
