"""Fetches of a consumer ahead of its polls: one fetch in flight per leader, in an incremental fetch session."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Final, cast

from tenure.backoff import REQUEST, Backoff
from tenure.client.consumer.consumer_settings import FetchSettings
from tenure.client.consumer.fetch import BY_NAME_MAX_VERSION, FETCH_CONNECTION, records_of
from tenure.client.consumer.fetch_session import FetchFrom, FetchSessionHandler, SessionRequest
from tenure.client.consumer.positions import Positions
from tenure.client.consumer.read_committed import committed_only
from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.queries.partition_queries import check_partition
from tenure.client.values import TopicPartition
from tenure.limits.client import RESPONSE_HELD_FACTOR_MAX
from tenure.protocol.batches import CorruptBatch, read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Data
from tenure.protocol.messages import (
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    ForgottenTopic,
    PartitionData,
)
from tenure.protocol.special_values import READ_COMMITTED
from tenure.protocol.types import PartitionId, TopicName

RETRIED_ERRORS: Final = (BrokerUnreachable, RequestTimedOut, RetriableError)
"""Errors that are retried after a pause."""


class Prefetch:
    """Fetches of all partitions that have a position. Calls `changed` when there is new data or an error."""

    def __init__(
        self, cluster: Cluster, positions: Positions, settings: FetchSettings, rack: str, changed: Callable[[], None]
    ) -> None:
        self.failure: ClientError | None = None
        """Error to raise to the user. No fetch starts until it is raised."""
        self._cluster: Final = cluster
        self._positions: Final = positions
        self._settings: Final = settings
        self._rack: Final = rack
        self._changed: Final = changed
        self._sessions: Final[dict[BrokerAddress, FetchSessionHandler]] = {}
        self._tasks: Final[dict[BrokerAddress, asyncio.Task[None]]] = {}
        self._resume: asyncio.TimerHandle | None = None
        self._no_leader: Final = Backoff(REQUEST)
        self._backoffs: Final = defaultdict[BrokerAddress, Backoff](partial(Backoff, REQUEST))
        """Delays of fetches from a broker that does not answer, or no longer leads the requested partitions."""
        self._starting: asyncio.Task[None] | None = None
        self._start_again = False
        self._is_closed = False

    def fetch_more(self) -> None:
        """Start fetches from all leaders without a fetch in flight.

        Call this after any change of positions or chunks.
        """
        if self._is_closed:
            return
        if self._starting is not None:
            self._start_again = True  # the running task may not see the change
        elif self.failure is None:
            self._start_again = False
            self._starting = asyncio.get_running_loop().create_task(self._start_fetches())
            self._starting.add_done_callback(self._handle_start_end)

    def close(self) -> None:
        """Cancel all fetches."""
        self._is_closed = True
        if self._resume is not None:
            self._resume.cancel()
        for task in (*self._tasks.values(), self._starting):
            if task is not None:
                task.cancel()

    # --- scheduling of fetches ----------------------------------------------------------------------------------------

    async def _start_fetches(self) -> None:
        by_leader: dict[BrokerAddress, dict[TopicPartition, FetchFrom]] = {}
        has_leaders = True
        for partition, fetch_from in self._positions.wanted().items():
            try:
                leader = await self._cluster.leader(partition)
            except RETRIED_ERRORS:
                has_leaders = False
            else:
                by_leader.setdefault(leader, {})[partition] = fetch_from
        if has_leaders:
            self._no_leader.reset()
        else:
            self._fetch_later()
        loop = asyncio.get_running_loop()
        for leader, wanted in by_leader.items():
            if leader not in self._tasks:
                self._tasks[leader] = loop.create_task(self._fetch(leader, wanted))
                self._tasks[leader].add_done_callback(partial(self._handle_fetch_end, leader))

    def _handle_start_end(self, task: "asyncio.Task[None]") -> None:
        self._starting = None
        self._note_failure(task)
        if self._start_again and not task.cancelled():
            self.fetch_more()

    def _handle_fetch_end(self, leader: BrokerAddress, task: "asyncio.Task[None]") -> None:
        del self._tasks[leader]
        self._note_failure(task)
        self._changed()
        if not task.cancelled():
            self.fetch_more()

    def _note_failure(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ClientError):
            self.failure = error
            self._changed()
        elif error is not None:
            raise error

    def _fetch_later(self) -> None:
        if self._resume is None:
            self._resume = asyncio.get_running_loop().call_later(self._no_leader.next_s(), self._fetch_now)

    def _fetch_now(self) -> None:
        self._resume = None
        self.fetch_more()

    # --- one fetch ----------------------------------------------------------------------------------------------------

    async def _fetch(self, leader: BrokerAddress, wanted: dict[TopicPartition, FetchFrom]) -> None:
        session = self._sessions.setdefault(leader, FetchSessionHandler())
        content = session.next_request(wanted)
        try:
            connection = await self._cluster.connection(leader, FETCH_CONNECTION)
            answer = await connection.request(
                self._request(content),
                FetchResponse,
                timeout_ms=self._cluster.request_timeout_ms + self._settings.max_wait_ms,
                max_version=BY_NAME_MAX_VERSION,
            )
        except RETRIED_ERRORS:
            session.reset()
            for partition in wanted:
                self._cluster.forget_leader(partition)
            await asyncio.sleep(self._backoffs[leader].next_s())
            return
        if not session.handle_response(answer.error_code, answer.session_id):
            return
        if self._take(answer, wanted):
            self._backoffs[leader].reset()
        else:
            await asyncio.sleep(self._backoffs[leader].next_s())

    def _request(self, content: SessionRequest) -> FetchRequest:
        changed: dict[str, list[FetchPartition]] = {}
        for (topic, partition), place in content.changed.items():
            changed.setdefault(topic, []).append(
                FetchPartition(
                    partition=PartitionId(partition), fetch_offset=place.offset, partition_max_bytes=place.max_bytes
                )
            )
        forgotten: dict[str, list[PartitionId]] = {}
        for topic, partition in content.forgotten:
            forgotten.setdefault(topic, []).append(PartitionId(partition))
        return FetchRequest(
            max_wait_ms=self._settings.max_wait_ms,
            min_bytes=self._settings.min_bytes,
            max_bytes=self._settings.max_bytes,
            isolation_level=self._settings.isolation_level,
            session_id=content.session_id,
            session_epoch=content.session_epoch,
            topics=[FetchTopic(topic=TopicName(topic), partitions=places) for topic, places in changed.items()],
            forgotten_topics_data=[
                ForgottenTopic(topic=TopicName(topic), partitions=places) for topic, places in forgotten.items()
            ],
            rack_id=self._rack,
        )

    def _take(self, answer: FetchResponse, wanted: dict[TopicPartition, FetchFrom]) -> bool:
        """Store the data of a response. `wanted` are the fetches in the request.

        Returns:
            False if a partition failed with an error that is retried after a pause.

        Raises:
            ClientError: A partition failed with another error.
        """
        all_well = True
        trouble: ClientError | None = None
        for topic in answer.responses:
            for data in topic.partitions:
                partition = TopicPartition(topic.topic, data.partition_index)
                if partition not in wanted:
                    continue
                try:
                    self._take_partition(partition, wanted[partition].offset, data)
                except RETRIED_ERRORS:
                    all_well = False
                except ClientError as error:
                    trouble = error
        if trouble is not None:
            raise trouble
        return all_well

    def _take_partition(self, partition: TopicPartition, offset: int, data: PartitionData) -> None:
        if data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            self._positions.mark_out_of_range(partition, offset)
            return
        if data.error_code == ErrorCode.CORRUPT_MESSAGE:
            self._positions.mark_unreadable(partition, offset, ValueError("the broker's copy is corrupt"))
            return
        check_partition(self._cluster, partition, data.error_code, f"Fetch of {partition} at offset {offset} failed")
        try:
            records, next_offset, leader_epoch = self._readable(offset, data)
        except ValueError as error:
            self._positions.mark_unreadable(partition, offset, error)
        else:
            self._positions.add_fetched(partition, offset, records, next_offset, leader_epoch)

    def _readable(self, offset: int, data: PartitionData) -> tuple[Data, int, int]:
        """Return the batches before the first malformed one, the offset after these batches, and their leader epoch.

        Raises ValueError if the first batch is malformed. If a later batch is malformed, the next fetch begins with
        this batch and reports it.
        """
        records = records_of(data)
        next_offset, leader_epoch, batch = offset, -1, None
        try:
            for batch in read_batches(records):
                next_offset, leader_epoch = max(next_offset, batch.last_offset + 1), batch.partition_leader_epoch
            if records and batch is None:  # brokers send the first batch completely, or not at all (KIP-74)
                raise CorruptBatch(f"a record batch is longer than the {len(records)} bytes that the broker sent")
        except ValueError:
            if batch is None:
                raise
            records = records[: batch.position + batch.size]
        if self._settings.isolation_level == READ_COMMITTED:
            records = committed_only(records, data.aborted_transactions or [])
        return without_large_response(records), next_offset, leader_epoch


def without_large_response(records: Data) -> Data:
    """Return the records. Copy them if they would keep a response in memory that is many times as large."""
    if isinstance(records, memoryview):
        held = cast("bytearray", records.obj)
        if len(held) > len(records) * RESPONSE_HELD_FACTOR_MAX:
            return bytes(records)
    return records
