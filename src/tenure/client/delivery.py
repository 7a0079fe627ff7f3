"""How one batch reaches its partition: sent, and sent again, until its fate is certain or its time is over.

With idempotence the broker takes each sequence once (KIP-98), so a batch whose answer was lost is sent again, byte for
byte, and DUPLICATE_SEQUENCE_NUMBER means that it had arrived. What ends without certainty ends the producer: the next
batch would be out of order, or would hide that this one is missing.
"""

import asyncio
import time
from itertools import count
from typing import Final

from tenure.client.cluster import Cluster, TryAgain, check
from tenure.client.connection import Disconnected
from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.producer_queue import Batch
from tenure.client.producer_settings import ACKS_NONE, ProducerSettings
from tenure.client.values import TopicPartition
from tenure.limits import RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS
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
from tenure.protocol.records import encode_packed
from tenure.protocol.types import PartitionId, ProducerId, TopicName

PRODUCE_LANE: Final = "produce"
BY_NAME_MAX_VERSION: Final = 12
"""Produce v13 knows topics by id only."""

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
"""After one of these nobody can say which of our records the log holds."""


class NotDelivered(Exception):
    def __init__(self, message: str, *, maybe_written: bool) -> None:
        super().__init__(message)
        self.maybe_written: Final = maybe_written


class ProducerIdentity:
    """A producer id and epoch, drawn when first needed; none without idempotence."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled: Final = enabled
        self._lock: Final = asyncio.Lock()
        self.producer_id = ProducerId(-1)
        self.producer_epoch = -1

    def sequence(self, next_sequence: int) -> int:
        return next_sequence if self._enabled else -1

    async def draw(self, cluster: Cluster) -> None:
        async with self._lock:
            if self._enabled and self.producer_id < 0:
                await cluster.persist(lambda: self._draw_once(cluster))

    async def _draw_once(self, cluster: Cluster) -> None:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=2**31 - 1)
        answer = await cluster.ask_any(request, InitProducerIdResponse)
        check(answer.error_code, "No producer id can be had")
        self.producer_id, self.producer_epoch = answer.producer_id, answer.producer_epoch


class Delivery:
    def __init__(self, cluster: Cluster, settings: ProducerSettings) -> None:
        self._cluster: Final = cluster
        self._settings: Final = settings
        self._identity: Final = ProducerIdentity(enabled=settings.is_idempotent)

    async def deliver(self, partition: TopicPartition, batch: Batch, next_sequence: int) -> int:
        """Returns when the broker has the batch, with its first offset; -1 where that is not told.

        Raises `NotDelivered`.
        """
        try:
            await self._identity.draw(self._cluster)
        except ClientError as error:
            raise NotDelivered(str(error), maybe_written=False) from error
        encoded = encode_packed(
            batch.packed(self._settings.codec),
            producer_id=self._identity.producer_id,
            producer_epoch=self._identity.producer_epoch,
            base_sequence=self._identity.sequence(next_sequence),
        )
        rows = batch.record_count
        what = f"{rows} record{'s' * (rows != 1)} ({len(encoded)} bytes) for {partition}"
        give_up_at = batch.began_at_s + self._settings.delivery_timeout_s
        return await self._send_until_certain(partition, encoded, what, give_up_at)

    async def _send_until_certain(self, partition: TopicPartition, batch: bytes, what: str, give_up_at: float) -> int:
        pause_s = RETRY_BACKOFF_MS / 1000
        maybe_written = False
        if time.monotonic() > give_up_at:
            reason = "they waited behind others until 'delivery.timeout.ms' was over."
            raise NotDelivered(f"{what}: {reason}", maybe_written=False)
        for attempt in count():
            try:
                answer = await self._send_once(partition, batch)
            except (BrokerUnreachable, RequestTimedOut, TryAgain) as error:
                maybe_written = maybe_written or isinstance(error, Disconnected | RequestTimedOut)
                reason, again = str(error), True
            except ClientError as error:
                reason, again = str(error), False
            else:
                error_code = ErrorCode(answer.error_code)
                if error_code in ARRIVED:
                    return answer.base_offset
                maybe_written = maybe_written or error_code in UNCERTAIN
                reason = f"{answer.error_message or error_code.message} ({error_code.name})."
                again = error_code.retriable
            if not again or attempt == self._settings.retries or time.monotonic() + pause_s > give_up_at:
                break
            self._cluster.forget_leader(partition)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_BACKOFF_MAX_MS / 1000)
        raise NotDelivered(f"{what}: {reason}", maybe_written=maybe_written)

    async def _send_once(self, partition: TopicPartition, batch: bytes) -> PartitionProduceResponse:
        connection = await self._cluster.connection(await self._cluster.leader(partition), PRODUCE_LANE)
        data = PartitionProduceData(index=PartitionId(partition.partition), records=batch)
        request = ProduceRequest(
            acks=self._settings.acks,
            timeout_ms=self._cluster.request_timeout_ms,
            topic_data=[TopicProduceData(name=TopicName(partition.topic), partition_data=[data])],
        )
        if self._settings.acks == ACKS_NONE:
            await connection.post(request, max_version=BY_NAME_MAX_VERSION)
            return PartitionProduceResponse(base_offset=-1)
        answer = await connection.request(
            request, ProduceResponse, timeout_ms=self._cluster.request_timeout_ms, max_version=BY_NAME_MAX_VERSION
        )
        return answer.responses[0].partition_responses[0]
