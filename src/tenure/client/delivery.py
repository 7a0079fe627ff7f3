"""How one batch reaches its partition: sent, and sent again, until its fate is certain or its time is over.

With idempotence the broker takes each sequence once (KIP-98), so a batch whose answer was lost is sent again, byte for
byte, and DUPLICATE_SEQUENCE_NUMBER means that it had arrived. What ends without certainty ends the producer: the next
batch would be out of order, or would hide that this one is missing.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from tenure.client.cluster import Cluster, TryAgain, check
from tenure.client.connection import Disconnected
from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.values import TopicPartition
from tenure.limits import RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS
from tenure.protocol.compression import Codec
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    InitProducerIdRequest,
    InitProducerIdResponse,
    PartitionProduceData,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)
from tenure.protocol.records import Record, encode_batch
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
    def __init__(
        self, cluster: Cluster, acks: int, codec: Codec, delivery_timeout_ms: int, identity: ProducerIdentity
    ) -> None:
        self._cluster: Final = cluster
        self._acks: Final = acks
        self._codec: Final = codec
        self._delivery_timeout_ms: Final = delivery_timeout_ms
        self._identity: Final = identity

    async def deliver(self, partition: TopicPartition, records: Sequence[Record], next_sequence: int) -> None:
        """Returns when the broker has the batch. Raises `NotDelivered`."""
        try:
            await self._identity.draw(self._cluster)
        except ClientError as error:
            raise NotDelivered(str(error), maybe_written=False) from error
        batch = encode_batch(
            records,
            codec=self._codec,
            producer_id=self._identity.producer_id,
            producer_epoch=self._identity.producer_epoch,
            base_sequence=self._identity.sequence(next_sequence),
        )
        await self._send_until_certain(partition, batch, len(records))

    async def _send_until_certain(self, partition: TopicPartition, batch: bytes, count: int) -> None:
        give_up_at = time.monotonic() + self._delivery_timeout_ms / 1000
        pause_s = RETRY_BACKOFF_MS / 1000
        maybe_written = False
        while True:
            what = f"{count} record{'s' * (count != 1)} ({len(batch)} bytes) for {partition}"
            try:
                error_code, message = await self._send_once(partition, batch)
            except (BrokerUnreachable, RequestTimedOut, TryAgain) as error:
                maybe_written = maybe_written or isinstance(error, Disconnected | RequestTimedOut)
                reason, again = str(error), True
            except ClientError as error:
                reason, again = str(error), False
            else:
                if error_code in ARRIVED:
                    return
                maybe_written = maybe_written or error_code in UNCERTAIN
                reason = f"{message or error_code.message} ({error_code.name})."
                again = error_code.retriable
            if not again or time.monotonic() + pause_s > give_up_at:
                raise NotDelivered(f"{what}: {reason}", maybe_written=maybe_written)
            self._cluster.forget_leader(partition)
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, RETRY_BACKOFF_MAX_MS / 1000)

    async def _send_once(self, partition: TopicPartition, batch: bytes) -> tuple[ErrorCode, str | None]:
        connection = await self._cluster.connection(await self._cluster.leader(partition), PRODUCE_LANE)
        data = PartitionProduceData(index=PartitionId(partition.partition), records=batch)
        request = ProduceRequest(
            acks=self._acks,
            timeout_ms=self._cluster.request_timeout_ms,
            topic_data=[TopicProduceData(name=TopicName(partition.topic), partition_data=[data])],
        )
        answer = await connection.request(
            request, ProduceResponse, timeout_ms=self._cluster.request_timeout_ms, max_version=BY_NAME_MAX_VERSION
        )
        found = answer.responses[0].partition_responses[0]
        return ErrorCode(found.error_code), found.error_message
