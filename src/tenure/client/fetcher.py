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
from tenure.client.shared import shared_cluster
from tenure.client.values import TopicPartition
from tenure.limits import FETCH_BYTES, FETCH_EMPTY_ANSWERS_MAX, FETCH_WAIT_MS

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
) -> Iterator["pa.RecordBatch"]:
    """The records with `start <= offset < end`, in order, as the columns of `tenure.protocol.columnar.to_arrow`.

    `end` must not lie beyond the end of the partition: take it from `end_offsets`. Holds two answers of about
    `max_bytes` at a time. Raises `OffsetOutOfRange`, `UnknownTopic`, `BrokerUnreachable`, each naming what was asked.
    """
    from tenure.protocol.columnar import to_arrow

    reader = _Reader(shared_cluster(config, client_id), TopicPartition(topic, partition), end, max_bytes)
    for fetched in reader.answers(start):
        try:
            rows = to_arrow(fetched.records, from_offset=start, to_offset=end)
        except ValueError as error:
            raise unreadable(reader.partition, start, error) from error
        start = fetched.next_offset
        if rows.num_rows:
            yield rows


class _Reader:
    def __init__(self, cluster: Cluster, partition: TopicPartition, end: int, max_bytes: int) -> None:
        self._cluster: Final = cluster
        self.partition: Final = partition
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
            answer = await fetch(
                self._cluster, {self.partition: offset}, max_bytes=self._max_bytes, max_wait_ms=FETCH_WAIT_MS
            )
            fetched = answer[self.partition]
            if fetched.next_offset > offset:
                return fetched
        raise await out_of_range(self._cluster, self.partition, offset)
