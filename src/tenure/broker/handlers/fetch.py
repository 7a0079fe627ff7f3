"""Fetch (API key 1).

Changes: v4 isolation level, v5 log start offset, v7 sessions, v9 leader epochs, v11 rack, v12 flexible encoding and
last fetched epoch, v13 topic ids instead of names, v15 replica state, v16 node endpoints, v17 directory ids, v18 the
follower's high watermark.

A fetch that finds less than `min_bytes` is parked until its logs have grown enough or `max_wait_ms` has passed. If its
records are not in the page cache, the fetch is parked until a thread has read them (decision 11), and then answered
from memory.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from tenure.broker.config.keys import FETCH_MAX_BYTES
from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.fetch_sessions import BY_ID_SINCE, Exchange
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.batches import CorruptBatch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.fetch import EpochEndOffset
from tenure.protocol.messages import (
    AbortedTransaction,
    FetchableTopicResponse,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    PartitionData,
)
from tenure.protocol.special_values import READ_COMMITTED
from tenure.protocol.types import ProducerId
from tenure.storage.errors import StorageError
from tenure.storage.log.segment import Slice

if TYPE_CHECKING:
    from tenure.broker.logs.served_log import ServedLog

NO_EPOCH: Final = -1

Wanted: TypeAlias = "tuple[ServedLog, int, int]"
"""Log, offset, and number of bytes to read from the offset on."""


def handle(context: Context, request: Request, message: FetchRequest) -> Iterator[None]:
    exchange = yield from context.fetch_sessions.exchange_for(message, request.version, context.clock.tick_ms())
    if isinstance(exchange, ErrorCode):
        request.answer(FetchResponse(error_code=exchange))
        return
    yield from FetchInProgress(context, request, message, exchange).answer_from_memory(frozenset())


class FetchInProgress:
    """One Fetch request while it is processed."""

    __slots__ = ("context", "exchange", "message", "request")

    def __init__(self, context: Context, request: Request, message: FetchRequest, exchange: Exchange) -> None:
        self.context = context
        self.request = request
        self.message = message
        self.exchange = exchange

    @property
    def entries(self) -> int:
        return sum([len(topic.partitions) for topic in self.exchange.topics])

    def answer_from_memory(self, read: "frozenset[ServedLog]") -> Iterator[None]:
        """Answer with records from memory; if some are not in memory, have a thread read them first.

        `read` are the logs that a thread has already read for this request. They are not read by a thread again,
        because the request might then wait forever.
        """
        found = _FetchRead(self, disk_logs=read)
        yield from found.read_partitions(self.exchange.topics)
        if found.cold:
            ColdFetch(self, found.cold, read)
        else:
            yield from self._answer_or_park(found)

    def answer_or_park(self) -> Iterator[None]:
        """Answer or park the request, in steps. If records are not in memory, a step reads them from the disk."""
        found = _FetchRead(self)
        yield from found.read_partitions(self.exchange.topics)
        yield from self._answer_or_park(found)

    def _answer_or_park(self, found: "_FetchRead") -> Iterable[None]:
        """Return the steps that answer the request; none if the fetch is parked."""
        message = self.message
        missing_bytes = self.request.fetch_bytes_max(message.min_bytes) - found.bytes
        if missing_bytes <= 0 or message.max_wait_ms <= 0 or found.failed or not found.logs or found.has_grown():
            return self._answer(found)
        self.context.parked.add(ParkedFetch(self, found.logs, missing_bytes))
        return ()

    def answer(self) -> Iterator[None]:
        """Answer with the records that the logs have now."""
        found = _FetchRead(self)
        yield from found.read_partitions(self.exchange.topics)
        yield from self._answer(found)

    def _answer(self, found: "_FetchRead") -> Iterator[None]:
        if self.request.throttles_fetch(found.bytes):
            self.request.answer(self.exchange.throttled())
            return
        response = yield from self.exchange.answer(found.responses)
        yield from self.request.answer_in_steps(
            response, sum([1 + len(topic.partitions) for topic in response.responses])
        )


class ColdFetch:
    """Parked fetch whose records a thread reads from the disk into the page cache.

    After that, the event loop reads the same records from memory. If records of further logs are needed that are not in
    memory either, the fetch is parked again until a thread has read them, too.
    """

    __slots__ = ("_read", "_requested")

    def __init__(self, requested: FetchInProgress, cold: "list[Wanted]", read: "frozenset[ServedLog]") -> None:
        self._requested = requested
        self._read = read.union(log for log, _, _ in cold)
        requested.context.parked.add(self)
        requested.context.logs.on_reader(lambda: _read_all(cold)).add_done_callback(lambda _: self._go_on())

    def _go_on(self) -> None:
        if self._is_wanted():
            self._requested.request.go_on(self._requested.answer_from_memory(self._read), self._requested.entries)

    def answer(self) -> None:
        """Answer at once, without the thread, because the broker stops."""
        if self._is_wanted():
            self._requested.request.go_on(self._requested.answer_or_park(), self._requested.entries)

    def _is_wanted(self) -> bool:
        """Remove this fetch from the parked requests.

        Return False if it was answered already, or the client has disconnected.
        """
        requested = self._requested
        if self not in requested.context.parked:
            return False
        requested.context.parked.discard(self)
        return not requested.request.connection.closed


def _read_all(wanted: "list[Wanted]") -> None:
    """Read records of all given logs, so that they are in the page cache.

    Errors are ignored: when the event loop reads the records again, it gets the same error and reports it to the
    client.
    """
    for log, offset, max_bytes in wanted:
        with suppress(StorageError, CorruptBatch, MemoryError):
            log.partition.read(offset, max_bytes)


class ParkedFetch:
    """Parked fetch that waits for new records, for at most `max_wait_ms`."""

    __slots__ = ("_logs", "_missing_bytes", "_requested", "_timer")

    def __init__(self, requested: FetchInProgress, logs: "Iterable[ServedLog]", missing_bytes: int) -> None:
        self._requested = requested
        self._logs = logs
        self._missing_bytes = missing_bytes
        for log in logs:
            log.watch(self)
        requested.request.connection.when_lost = self.answer
        self._timer: asyncio.Handle = requested.context.loop.call_later(
            requested.message.max_wait_ms / 1000, self.answer
        )

    def bytes_added(self, added_bytes: int, stable_bytes: int) -> None:
        """Count new bytes, and answer if the fetch now finds at least `min_bytes`.

        `added_bytes` are readable with read_uncommitted, and `stable_bytes` with read_committed. The answer is created
        at the end of the turn, so that it includes records that are appended later in the turn.
        """
        readable_bytes = stable_bytes if self._requested.message.isolation_level == READ_COMMITTED else added_bytes
        before, self._missing_bytes = self._missing_bytes, self._missing_bytes - readable_bytes
        if before > 0 >= self._missing_bytes:
            self._answer_soon()

    def transaction_ended(self) -> None:
        """Answer at the end of the turn, if the fetch uses read_committed: it can now read records of a transaction."""
        if self._requested.message.isolation_level == READ_COMMITTED:
            self._answer_soon()

    def log_deleted(self) -> None:
        """Answer at the end of the turn, with an error, because a topic of the fetch was deleted."""
        self._answer_soon()

    def _answer_soon(self) -> None:
        self._timer.cancel()
        self._timer = self._requested.context.loop.call_soon(self.answer)

    def answer(self) -> None:
        """Answer with the records that the logs have now, perhaps none. Do nothing if the client has disconnected."""
        self._timer.cancel()
        requested = self._requested
        requested.context.parked.discard(self)
        requested.request.connection.when_lost = None
        for log in self._logs:
            log.unwatch(self)
        if not requested.request.connection.closed:
            requested.request.go_on(requested.answer(), requested.entries)


class _FetchRead:
    """Records that a fetch finds now.

    The records have at most as many bytes as requested. But the first batch is always included, even if it is larger.

    `failed` is true if the response contains an error, which must be sent at once. `cold` has the reads that were
    omitted, because they would have to wait for the disk.
    """

    __slots__ = (
        "_bytes_left",
        "_context",
        "_disk_logs",
        "_may_read",
        "_reads_committed",
        "_request",
        "bytes",
        "cold",
        "failed",
        "logs",
        "responses",
    )

    def __init__(self, requested: FetchInProgress, disk_logs: "Container[ServedLog] | None" = None) -> None:
        """Prepare a read. `disk_logs` are the logs that may be read from the disk; None allows all."""
        context, request, message = requested.context, requested.request, requested.message
        self._context = context
        self._request = request
        self._disk_logs = disk_logs
        self._bytes_left = request.fetch_bytes_max(min(message.max_bytes, context.settings[FETCH_MAX_BYTES]))
        self._may_read = _may_read(context, request, message)
        self._reads_committed = message.isolation_level == READ_COMMITTED
        self.bytes = 0
        self.failed = False
        self.logs: dict[ServedLog, int] = {}
        """High watermark in the response, by log."""
        self.cold: list[Wanted] = []
        self.responses: list[FetchableTopicResponse] = []

    def read_partitions(self, wanted: list[FetchTopic]) -> Iterator[None]:
        """Read the requested partitions, one per step."""
        is_first = True
        for requested in wanted:
            partitions: list[PartitionData] = []
            self.responses.append(FetchableTopicResponse(requested.topic, requested.topic_id, partitions))
            for partition in requested.partitions:
                if not is_first:
                    yield
                is_first = False
                partitions.append(self._partition(requested, partition))

    def has_grown(self) -> bool:
        """Return whether a log has grown since this fetch read it. Then the fetch must not be parked."""
        return any(log.high_watermark > sent_high_watermark for log, sent_high_watermark in self.logs.items())

    def _partition(self, wanted: FetchTopic, requested: FetchPartition) -> PartitionData:
        topics, by_id = self._context.topics, self._request.version >= BY_ID_SINCE
        topic = topics.with_id(wanted.topic_id) if by_id else topics.named(wanted.topic)
        if topic is None and by_id:
            return self._refused(requested, ErrorCode.UNKNOWN_TOPIC_ID)
        if self._may_read is not None and not self._may_read(wanted.topic if topic is None else topic.name):
            return self._refused(requested, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        if topic is None:
            return self._refused(requested, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        if not 0 <= requested.partition < topic.partitions:
            return self._refused(requested, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        try:
            return self._read(self._context.logs.of(topic, requested.partition), requested)
        except LOG_ERRORS as error:
            return self._refused(requested, error_code_of(error))

    def _read(self, log: "ServedLog", requested: FetchPartition) -> PartitionData:
        current_leader_epoch = requested.current_leader_epoch
        if current_leader_epoch > NO_EPOCH and (error_code := log.check_epoch(current_leader_epoch)):
            return self._refused(requested, error_code)
        high_watermark, last_fetched_epoch = log.high_watermark, requested.last_fetched_epoch
        if last_fetched_epoch > NO_EPOCH:
            end = log.partition.end_offset_for_epoch(last_fetched_epoch)
            if end.leader_epoch == NO_EPOCH:  # the epoch is newer than the log's, so it has no end
                return self._refused(requested, ErrorCode.OFFSET_OUT_OF_RANGE)
            if end.leader_epoch < last_fetched_epoch or end.end_offset < requested.fetch_offset:
                self.failed = True
                diverging_epoch = EpochEndOffset(end.leader_epoch, end.end_offset)
                return PartitionData(
                    requested.partition, 0, high_watermark, diverging_epoch=diverging_epoch, aborted_transactions=None
                )
        if not log.log_start_offset <= requested.fetch_offset <= high_watermark:
            return self._refused(requested, ErrorCode.OFFSET_OUT_OF_RANGE)
        self.logs[log] = high_watermark
        found = Slice(b"", requested.fetch_offset)
        last_stable_offset = log.partition.last_stable_offset
        below = last_stable_offset if self._reads_committed else high_watermark
        if requested.fetch_offset < below and (self._bytes_left > 0 or not (self.bytes or self.cold)):
            found = self._slice(
                log, requested.fetch_offset, min(requested.partition_max_bytes, self._bytes_left), below
            )
        return PartitionData(
            requested.partition,
            ErrorCode.NONE,
            high_watermark,
            last_stable_offset,
            log.log_start_offset,
            aborted_transactions=_aborted(log, requested.fetch_offset, found) if self._reads_committed else None,
            records=found.records,
        )

    def _slice(self, log: "ServedLog", offset: int, max_bytes: int, below: int) -> Slice:
        may_wait = self._disk_logs is None or log in self._disk_logs
        if not may_wait and not log.partition.is_cached(offset, max_bytes):
            self.cold.append((log, offset, max_bytes))
            self._bytes_left -= max_bytes
            return Slice(b"", offset)
        found = log.partition.slice(offset, max_bytes, below, at_least_one=not self.bytes)
        self._bytes_left -= len(found.records)
        self.bytes += len(found.records)
        return found

    def _refused(self, requested: FetchPartition, error_code: int) -> PartitionData:
        self.failed = True
        self._request.count_error(error_code)
        return PartitionData(requested.partition, error_code, -1, aborted_transactions=None)


def _may_read(context: Context, request: Request, message: FetchRequest) -> Callable[[str], bool] | None:
    """Return a function that says whether the client may read a topic; None if it may read all topics.

    A consumer needs READ on the topic. A replica needs CLUSTER_ACTION on the cluster.
    """
    authorization = context.authorization
    if authorization is None:
        return None
    if max(message.replica_id, message.replica_state.replica_id) < 0:
        return partial(authorization.allows, request, AclOperation.READ, ResourceType.TOPIC)
    is_replica = is_allowed_to_cluster(context, request, AclOperation.CLUSTER_ACTION)
    return lambda _: is_replica


def _aborted(log: "ServedLog", offset: int, found: Slice) -> list[AbortedTransaction]:
    """Return the aborted transactions from `offset`, at which the fetch begins, to the end of the found records."""
    if not found.records:
        return []
    aborted = log.partition.aborted_between(offset, found.end_offset)
    return [AbortedTransaction(ProducerId(each.producer_id), each.first_offset) for each in aborted]


route = Route(FetchRequest, handle)
