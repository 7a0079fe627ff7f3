"""Delivery of one batch: sent and retried until its outcome is certain or `delivery.timeout.ms` has passed.

If there is no response, an idempotent producer sends the batch again with the same bytes. The broker accepts each
sequence once (KIP-98); DUPLICATE_SEQUENCE_NUMBER means that the broker had already stored the batch. An uncertain
outcome stops the producer, because the next batch could then be written although this one is missing.
"""

import asyncio
import time
from itertools import count
from typing import Final, NamedTuple

from tenure.backoff import REQUEST, TRANSACTION_MARKERS, Backoff
from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.net.cluster import Cluster, RetriableError, check
from tenure.client.net.connection import Disconnected
from tenure.client.producer.producer_queue import ProducerBatch, Queue
from tenure.client.producer.producer_settings import ACKS_NONE, ProducerSettings
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.values import TopicPartition
from tenure.plural import format_count
from tenure.protocol.batches import encode_packed
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    InitProducerIdRequest,
    InitProducerIdResponse,
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)
from tenure.protocol.types import EPOCH_BUMPS, PartitionId, TopicName

PRODUCE_CONNECTION: Final = "produce"
BY_NAME_MAX_VERSION: Final = 12
"""Newest Produce version that identifies topics by name. Later versions identify them by id."""
TRANSACTION_V1_MAX_VERSION: Final = 11
"""Newest Produce version that does not add the partition to the transaction (KIP-890)."""

ARRIVED: Final = frozenset({ErrorCode.NONE, ErrorCode.DUPLICATE_SEQUENCE_NUMBER})
UNCERTAIN: Final = frozenset(
    {
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        ErrorCode.UNKNOWN_PRODUCER_ID,
        ErrorCode.INVALID_PRODUCER_EPOCH,
    }
)
"""Errors after which it is unknown whether the batch was written."""


class NotDelivered(Exception):
    """A batch was not written, or it is unknown whether it was written."""

    def __init__(self, message: str, error_code: ErrorCode | None = None, *, maybe_written: bool) -> None:
        super().__init__(message)
        self.error_code: Final = error_code
        self.maybe_written: Final = maybe_written


class BatchProducer(NamedTuple):
    """Producer id, epoch and transactional id with which a batch is sent. The defaults mean no idempotence."""

    producer_id: int = -1
    producer_epoch: int = -1
    transactional_id: str | None = None
    produce_max_version: int = BY_NAME_MAX_VERSION


class ProducerIdentity:
    """Producer id and epoch of a producer without transactions."""

    def __init__(self, cluster: Cluster, *, is_idempotent: bool) -> None:
        self._cluster: Final = cluster
        self._is_idempotent: Final = is_idempotent
        self._lock: Final = asyncio.Lock()
        self._writer = BatchProducer()

    async def writer(self) -> BatchProducer:
        """Return the producer id and epoch. The first call requests them from a broker."""
        async with self._lock:
            if self._is_idempotent and self._writer.producer_id < 0:
                self._writer = await self._cluster.retry(self._draw)
        return self._writer

    async def _draw(self) -> BatchProducer:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=2**31 - 1)
        answer = await self._cluster.request_any(request, InitProducerIdResponse)
        check(answer.error_code, "Producer id request failed")
        return BatchProducer(answer.producer_id, answer.producer_epoch)


class Delivery:
    """Delivery of all batches of one producer."""

    def __init__(
        self, cluster: Cluster, settings: ProducerSettings, transactional: TransactionalId | None = None
    ) -> None:
        self._cluster: Final = cluster
        self._settings: Final = settings
        self._transactional: Final = transactional
        self._identity: Final = ProducerIdentity(cluster, is_idempotent=settings.is_idempotent)

    async def deliver(self, queue: Queue, batch: ProducerBatch) -> int:
        """Send the next batch of a queue until the outcome is certain.

        Returns:
            Offset of the first record; -1 if the broker does not return it.

        Raises:
            NotDelivered: The batch was not written, or it is unknown whether it was written.
        """
        try:
            writer = await self._writer(queue.partition)
        except ClientError as error:
            raise NotDelivered(str(error), maybe_written=False) from error
        is_idempotent = writer.producer_id >= 0
        encoded = encode_packed(
            batch.packed(self._settings.codec),
            producer_id=writer.producer_id,
            producer_epoch=writer.producer_epoch,
            base_sequence=queue.sequence_of(writer.producer_id, writer.producer_epoch) if is_idempotent else -1,
            is_transactional=writer.transactional_id is not None,
        )
        rows = batch.record_count
        records = f"{format_count(rows, 'record')} ({len(encoded)} bytes) for {queue.partition}"
        give_up_at = batch.began_at_s + self._settings.delivery_timeout_s
        base_offset = await self._send_until_certain(queue.partition, writer, encoded, records, give_up_at)
        queue.advance_sequence(rows)
        return base_offset

    async def _writer(self, partition: TopicPartition) -> BatchProducer:
        if self._transactional is None:
            return await self._identity.writer()
        own = await self._transactional.add_partition(partition)
        max_version = BY_NAME_MAX_VERSION if own.transaction_version >= EPOCH_BUMPS else TRANSACTION_V1_MAX_VERSION
        return BatchProducer(own.producer_id, own.producer_epoch, own.transactional_id, max_version)

    async def _send_until_certain(
        self, partition: TopicPartition, writer: BatchProducer, batch: bytes, records: str, give_up_at: float
    ) -> int:
        backoff, marker_backoff = Backoff(REQUEST), Backoff(TRANSACTION_MARKERS)
        error_code, maybe_written = None, False
        if time.monotonic() > give_up_at:
            reason = "it waited in the queue for longer than 'delivery.timeout.ms'."
            raise NotDelivered(f"{records}: {reason}", maybe_written=False)
        for attempt in count():
            try:
                answer = await self._send_once(partition, writer, batch)
            except (BrokerUnreachable, RequestTimedOut, RetriableError) as error:
                maybe_written = maybe_written or isinstance(error, Disconnected | RequestTimedOut)
                reason, again, error_code = str(error), True, None
            except ClientError as error:
                reason, again, error_code = str(error), False, None
            else:
                error_code = ErrorCode(answer.error_code)
                if error_code in ARRIVED:
                    return answer.base_offset
                maybe_written = maybe_written or error_code in UNCERTAIN
                reason = f"{answer.error_message or error_code.message} ({error_code.name})."
                again = error_code.retriable
            waits_for_markers = error_code is ErrorCode.CONCURRENT_TRANSACTIONS
            delay_s = (marker_backoff if waits_for_markers else backoff).next_s()
            is_late = attempt == self._settings.retries or time.monotonic() + delay_s > give_up_at
            if not again or is_late or self._is_aborted:
                break
            if not waits_for_markers:
                self._cluster.forget_leader(partition)
            await asyncio.sleep(delay_s)
        raise NotDelivered(f"{records}: {reason}", error_code, maybe_written=maybe_written)

    @property
    def _is_aborted(self) -> bool:
        """True if the transaction is being aborted.

        Pending batches of the transaction are then not sent again, because the epoch changes.
        """
        return self._transactional is not None and not self._transactional.accepts_batches

    async def _send_once(
        self, partition: TopicPartition, writer: BatchProducer, batch: bytes
    ) -> PartitionProduceResponse:
        connection = await self._cluster.connection(await self._cluster.leader(partition), PRODUCE_CONNECTION)
        data = PartitionProduceData(index=PartitionId(partition.partition), records=batch)
        request = ProduceRequest(
            transactional_id=writer.transactional_id,
            acks=self._settings.acks,
            timeout_ms=self._cluster.request_timeout_ms,
            topic_data=[TopicProduceData(name=TopicName(partition.topic), partition_data=[data])],
        )
        if self._settings.acks == ACKS_NONE:
            await connection.post(request, max_version=BY_NAME_MAX_VERSION)
            return PartitionProduceResponse(base_offset=-1)
        answer = await connection.request(
            request,
            ProduceResponse,
            timeout_ms=self._cluster.request_timeout_ms,
            max_version=writer.produce_max_version,
        )
        return answer.responses[0].partition_responses[0]
