"""Records of a partition, as Arrow: for bulk readers that block, such as Spark tasks.

Connections are kept for the life of the process, so a task pays for none. While the caller works on one answer the next
one is under way: the batch headers tell where it starts, before any record is decoded.
"""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tenure.client.bootstrap import ClusterConfig
from tenure.client.cluster import Cluster
from tenure.client.event_loop import client_loop
from tenure.client.fetch import Fetched, fetch, out_of_range, unreadable
from tenure.client.shared_clusters import shared_cluster
from tenure.client.values import TopicPartition
from tenure.limits import (
    FETCH_BYTES,
    FETCH_EMPTY_ANSWERS_MAX,
    FETCH_LEAST_BYTES,
    FETCH_RECORD_BYTES,
    FETCH_RECORD_BYTES_MARGIN,
    FETCH_WAIT_MS,
)
from tenure.protocol.message import Data
from tenure.protocol.records import read_batches

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
    """The records with `start <= offset < end`, in order, as the columns of `tenure.protocol.columnar.to_arrow`.

    `end` must not lie beyond the end of the partition: take it from `end_offsets`. Holds two answers of about
    `max_bytes` at a time. Raises `OffsetOutOfRange`, `UnknownTopic`, `BrokerUnreachable`, each naming what was asked.

    With `isolation_level` 1 (read_committed) what was aborted is left out; `end` is to be asked for at that level, too.
    `timestamp_types` adds a column of that name: 0 where the producer set a record's time, 1 where its broker did.
    """
    from tenure.protocol.columnar import to_arrow

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
    """It is a property of each batch."""
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
        """Of the last answer, on average."""

    def answers(self, start: int) -> Iterator[Fetched]:
        """Until `end` is reached. The next answer is asked for before this one is handed out."""
        loop = client_loop()
        offset = start
        under_way = None
        try:
            while offset < self._end:
                under_way = under_way or asyncio.run_coroutine_threadsafe(self._next(offset), loop)
                fetched = under_way.result()
                self._record_bytes = len(fetched.records) / (fetched.next_offset - offset)
                offset = fetched.next_offset
                under_way = None
                if offset < self._end:
                    under_way = asyncio.run_coroutine_threadsafe(self._next(offset), loop)
                yield fetched
        finally:
            if under_way is not None:
                under_way.cancel()

    async def _next(self, offset: int) -> Fetched:
        """Progress, or an error. An empty answer below `end` is given time: a high watermark may lag behind.

        No more is asked for than what is wanted may well take, for a broker sends what lies behind `end`, too.
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
