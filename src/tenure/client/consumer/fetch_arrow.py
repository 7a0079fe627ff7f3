"""Records of one partition as Arrow batches, for blocking bulk readers such as Spark tasks.

Connections are reused until the process ends. The next fetch runs while the caller processes the previous result. It
starts before any record is decoded, because the batch headers already contain its start offset.
"""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tenure.client.consumer.fetch import FetchedPartition, fetch, out_of_range, unreadable
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import client_loop
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.values import TopicPartition
from tenure.limits.client import (
    FETCH_BYTES,
    FETCH_EMPTY_ANSWERS_MAX,
    FETCH_LEAST_BYTES,
    FETCH_RECORD_BYTES,
    FETCH_RECORD_BYTES_MARGIN,
    FETCH_WAIT_MS,
)
from tenure.protocol.batches import read_batches
from tenure.protocol.message import Data

if TYPE_CHECKING:
    import pyarrow as pa


def fetch_arrow(
    config: ClusterConfig,
    topic: str,
    partition: int,
    start: int,
    end: int,
    *,
    max_bytes: int = FETCH_BYTES,
    client_id: str = "tenure",
    isolation_level: int = 0,
    headers: bool = False,
    timestamp_types: bool = False,
) -> Iterator["pa.RecordBatch"]:
    """Yield the records with `start <= offset < end` in order.

    Holds about two times `max_bytes` in memory.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        topic: Topic name.
        partition: Partition number.
        start: First offset.
        end: Offset after the last one; at most the result of `end_offsets` with the same isolation level.
        max_bytes: Maximum bytes of a fetch.
        client_id: Kafka's `client.id`.
        isolation_level: 0 read_uncommitted; 1 read_committed, which leaves out aborted records.
        headers: Whether to add the column `headers`.
        timestamp_types: Whether to add the column `timestamp_types`: 0 set by the producer, 1 set by the broker.

    Yields:
        Columns of `tenure.protocol.columnar.decode.to_arrow`.

    Raises:
        OffsetOutOfRange: An offset of the range does not exist.
        UnknownTopic: The topic or partition does not exist.
        BrokerUnreachable: No broker can be reached.
    """
    from tenure.protocol.columnar.decode import to_arrow

    partition_read = TopicPartition(topic, partition)
    reader = _Reader(shared_cluster(config, client_id), partition_read, end, max_bytes, isolation_level)
    for fetched in reader.answers(start):
        try:
            rows = to_arrow(fetched.records, from_offset=start, to_offset=end, headers=headers)
        except ValueError as error:
            raise unreadable(reader.partition, start, error) from error
        start = fetched.next_offset
        if rows.num_rows:
            yield _with_timestamp_types(rows, fetched.records) if timestamp_types else rows


def _with_timestamp_types(rows: "pa.RecordBatch", records: Data) -> "pa.RecordBatch":
    """Add the column `timestamp_types`, which is the same for all records of a record batch."""
    import numpy as np
    import pyarrow as pa

    batches = [(batch.base_offset, batch.timestamp_type) for batch in read_batches(records)]
    base_offsets, types = (np.array(column) for column in zip(*batches, strict=True))
    of_row = types[np.searchsorted(base_offsets, rows["offset"].to_numpy(), side="right") - 1]
    return rows.append_column("timestamp_types", pa.array(of_row, pa.int32()))


class _Reader:
    def __init__(
        self, cluster: Cluster, partition: TopicPartition, end: int, max_bytes: int, isolation_level: int
    ) -> None:
        self._cluster: Final = cluster
        self.partition: Final = partition
        self._end: Final = end
        self._max_bytes: Final = max_bytes
        self._isolation_level: Final = isolation_level
        self._record_bytes: float = FETCH_RECORD_BYTES
        """Average bytes per offset of the last response."""

    def answers(self, start: int) -> Iterator[FetchedPartition]:
        """Yield the fetched batches until `end`. The next fetch starts before a result is yielded."""
        loop = client_loop()
        offset = start
        under_way = None
        try:
            while offset < self._end:
                under_way = under_way or asyncio.run_coroutine_threadsafe(self._fetch_some(offset), loop)
                fetched = under_way.result()
                self._record_bytes = len(fetched.records) / (fetched.next_offset - offset)
                offset = fetched.next_offset
                under_way = None
                if offset < self._end:
                    under_way = asyncio.run_coroutine_threadsafe(self._fetch_some(offset), loop)
                yield fetched
        finally:
            if under_way is not None:
                under_way.cancel()

    async def _fetch_some(self, offset: int) -> FetchedPartition:
        """Fetch at least one record, or raise an error.

        An empty response is retried, because the high watermark of a new leader may lag behind that of the old one.

        The request is limited to the probable size of the remaining range, because a broker would also send records
        after `end`.
        """
        wanted = int((self._end - offset) * self._record_bytes * FETCH_RECORD_BYTES_MARGIN)
        max_bytes = min(max(wanted, FETCH_LEAST_BYTES), self._max_bytes)
        for _ in range(FETCH_EMPTY_ANSWERS_MAX):
            answer = await fetch(
                self._cluster,
                {self.partition: offset},
                max_bytes=max_bytes,
                max_wait_ms=FETCH_WAIT_MS,
                isolation_level=self._isolation_level,
            )
            fetched = answer[self.partition]
            if fetched.next_offset > offset:
                return fetched
        raise await out_of_range(self._cluster, self.partition, offset)
