"""Reads ahead for a consumer: one fetch under way per leader, one incremental session with each."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from tenure.client.addresses import Address
from tenure.client.cluster import Cluster, TryAgain
from tenure.client.committed_records import committed_only
from tenure.client.consumer_settings import READ_COMMITTED, FetchSettings
from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.fetch import BY_NAME_MAX_VERSION, FETCH_LANE
from tenure.client.fetch_session import FetchFrom, FetchSession, SessionAsk
from tenure.client.partition_queries import check_partition
from tenure.client.positions import Positions
from tenure.client.values import TopicPartition
from tenure.limits import RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    ForgottenTopic,
    PartitionData,
)
from tenure.protocol.records import CorruptBatch, read_batches
from tenure.protocol.types import PartitionId, TopicName

FORGIVEN: Final = (BrokerUnreachable, RequestTimedOut, TryAgain)
"""What may pass by itself: looked at again after a pause."""


class Prefetch:
    """Used on one event loop. `changed` is called when there is something new for the consumer."""

    def __init__(
        self, cluster: Cluster, positions: Positions, settings: FetchSettings, rack: str, changed: Callable[[], None]
    ) -> None:
        self.failure: ClientError | None = None
        """What the user has to hear; reading goes on once it was taken."""
        self._cluster: Final = cluster
        self._positions: Final = positions
        self._settings: Final = settings
        self._rack: Final = rack
        self._changed: Final = changed
        self._sessions: Final[dict[Address, FetchSession]] = {}
        self._tasks: Final[dict[Address, asyncio.Task[None]]] = {}
        self._resume: asyncio.TimerHandle | None = None
        self._starting: asyncio.Task[None] | None = None
        self._start_again = False
        self._is_closed = False

    def go_on(self) -> None:
        """Something may be fetched that could not before: partitions were placed, resumed, or handed out."""
        if self._is_closed:
            return
        if self._starting is not None:
            self._start_again = True  # it may have looked already at what has changed since
        elif self.failure is None:
            self._start_again = False
            self._starting = asyncio.get_running_loop().create_task(self._start_fetches())
            self._starting.add_done_callback(self._started)

    def close(self) -> None:
        self._is_closed = True
        if self._resume is not None:
            self._resume.cancel()
        for task in (*self._tasks.values(), self._starting):
            if task is not None:
                task.cancel()

    # --- who is asked for what ----------------------------------------------------------------------------------------

    async def _start_fetches(self) -> None:
        by_leader: dict[Address, dict[TopicPartition, FetchFrom]] = {}
        for partition, place in self._positions.wanted().items():
            try:
                leader = await self._cluster.leader(partition)
            except FORGIVEN:
                self._go_on_later()
                continue
            by_leader.setdefault(leader, {})[partition] = place
        loop = asyncio.get_running_loop()
        for leader, wanted in by_leader.items():
            if leader not in self._tasks:
                self._tasks[leader] = loop.create_task(self._fetch(leader, wanted))
                self._tasks[leader].add_done_callback(partial(self._ended, leader))

    def _started(self, task: "asyncio.Task[None]") -> None:
        self._starting = None
        self._note_failure(task)
        if self._start_again and not task.cancelled():
            self.go_on()

    def _ended(self, leader: Address, task: "asyncio.Task[None]") -> None:
        del self._tasks[leader]
        self._note_failure(task)
        self._changed()
        if not task.cancelled():
            self.go_on()

    def _note_failure(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, ClientError):
            self.failure = error
            self._changed()
        elif error is not None:
            raise error

    def _go_on_later(self) -> None:
        if self._resume is None:
            self._resume = asyncio.get_running_loop().call_later(RETRY_BACKOFF_MAX_MS / 1000, self._go_on_now)

    def _go_on_now(self) -> None:
        self._resume = None
        self.go_on()

    # --- one fetch ----------------------------------------------------------------------------------------------------

    async def _fetch(self, leader: Address, wanted: dict[TopicPartition, FetchFrom]) -> None:
        session = self._sessions.setdefault(leader, FetchSession())
        ask = session.ask(wanted)
        try:
            connection = await self._cluster.connection(leader, FETCH_LANE)
            answer = await connection.request(
                self._request(ask),
                FetchResponse,
                timeout_ms=self._cluster.request_timeout_ms + self._settings.max_wait_ms,
                max_version=BY_NAME_MAX_VERSION,
            )
        except FORGIVEN:
            session.broken()
            for partition in wanted:
                self._cluster.forget_leader(partition)
            await asyncio.sleep(RETRY_BACKOFF_MAX_MS / 1000)
            return
        if session.answered(answer.error_code, answer.session_id) and not self._take(answer, wanted):
            await asyncio.sleep(RETRY_BACKOFF_MS / 1000)

    def _request(self, ask: SessionAsk) -> FetchRequest:
        changed: dict[str, list[FetchPartition]] = {}
        for (topic, partition), place in ask.changed.items():
            changed.setdefault(topic, []).append(
                FetchPartition(
                    partition=PartitionId(partition), fetch_offset=place.offset, partition_max_bytes=place.max_bytes
                )
            )
        forgotten: dict[str, list[PartitionId]] = {}
        for topic, partition in ask.forgotten:
            forgotten.setdefault(topic, []).append(PartitionId(partition))
        return FetchRequest(
            max_wait_ms=self._settings.max_wait_ms,
            min_bytes=self._settings.min_bytes,
            max_bytes=self._settings.max_bytes,
            isolation_level=self._settings.isolation_level,
            session_id=ask.session_id,
            session_epoch=ask.session_epoch,
            topics=[FetchTopic(topic=TopicName(topic), partitions=places) for topic, places in changed.items()],
            forgotten_topics_data=[
                ForgottenTopic(topic=TopicName(topic), partitions=places) for topic, places in forgotten.items()
            ],
            rack_id=self._rack,
        )

    def _take(self, answer: FetchResponse, wanted: dict[TopicPartition, FetchFrom]) -> bool:
        """Whether every partition could be read, or will not be asked for again; raises for what the user must hear."""
        all_well = True
        trouble: ClientError | None = None
        for topic in answer.responses:
            for data in topic.partitions:
                partition = TopicPartition(topic.topic, data.partition_index)
                if partition not in wanted:
                    continue
                try:
                    self._take_partition(partition, wanted[partition].offset, data)
                except FORGIVEN:
                    all_well = False
                except ClientError as error:
                    trouble = error
        if trouble is not None:
            raise trouble
        return all_well

    def _take_partition(self, partition: TopicPartition, offset: int, data: PartitionData) -> None:
        if data.error_code == ErrorCode.OFFSET_OUT_OF_RANGE:
            self._positions.is_out_of_range(partition, offset)
            return
        if data.error_code == ErrorCode.CORRUPT_MESSAGE:
            self._positions.is_unreadable(partition, offset, ValueError("the broker's own copy is damaged"))
            return
        check_partition(self._cluster, partition, data.error_code, f"{partition} cannot be read at offset {offset}")
        try:
            records, next_offset, leader_epoch = self._readable(offset, data)
        except ValueError as error:
            self._positions.is_unreadable(partition, offset, error)
        else:
            self._positions.fetched(partition, offset, records, next_offset, leader_epoch)

    def _readable(self, offset: int, data: PartitionData) -> tuple[bytes, int, int]:
        """Batches, the offset behind them, and their leader epoch. Raises ValueError if the first cannot be read; what
        is wrong with a later one is told when its turn comes."""
        records = data.records or b""
        next_offset, leader_epoch, batch = offset, -1, None
        try:
            for batch in read_batches(records):
                next_offset, leader_epoch = max(next_offset, batch.last_offset + 1), batch.partition_leader_epoch
            if records and batch is None:  # brokers send the first one whole, or none (KIP-74)
                raise CorruptBatch(f"a batch says that it is longer than the {len(records)} bytes that came")
        except ValueError:
            if batch is None:
                raise
            records = records[: batch.position + batch.size]
        if self._settings.isolation_level == READ_COMMITTED:
            records = committed_only(records, data.aborted_transactions or [])
        return bytes(records), next_offset, leader_epoch
