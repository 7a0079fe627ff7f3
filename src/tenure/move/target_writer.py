"""Writer of copies to the target. It keeps several Produce requests in flight, each with one batch per partition."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.producer.delivery import BY_NAME_MAX_VERSION, PRODUCE_CONNECTION
from tenure.client.values import TopicPartition
from tenure.limits.move import REQUEST_BYTES, REQUESTS_IN_FLIGHT_MAX
from tenure.move.batch_copy import BatchCopy
from tenure.move.partition_copy import PartitionCopy
from tenure.move.rate_limit import RateLimit
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from tenure.protocol.types import PartitionId, TopicName

ACKS_ALL: Final = -1

Queues = dict[PartitionCopy, deque[BatchCopy]]


class _Sent(NamedTuple):
    answer: asyncio.Future[ProduceResponse]
    batches: dict[TopicPartition, tuple[PartitionCopy, BatchCopy]]


class TargetWriter:
    """Writer of copies.

    The writer reports each response to the `PartitionCopy`, and stops writing to a partition that has failed.
    """

    def __init__(self, target: Cluster, limit: RateLimit) -> None:
        self._target: Final = target
        self._limit: Final = limit

    async def write(self, queues: Mapping[PartitionCopy, deque[BatchCopy]]) -> None:
        """Write all batches. Return when each batch is answered or its partition has failed."""
        by_leader: dict[BrokerAddress, Queues] = {}
        for copy, batches in queues.items():
            try:
                leader = await self._target.leader(copy.partition)
            except (BrokerUnreachable, RequestTimedOut, RetriableError) as error:
                copy.fail(error)
            else:
                by_leader.setdefault(leader, {})[copy] = batches
        await asyncio.gather(*(self._write_to(leader, waiting) for leader, waiting in by_leader.items()))

    async def _write_to(self, leader: BrokerAddress, queues: Queues) -> None:
        involved, sent = list(queues), deque[_Sent]()
        try:
            connection = await self._target.connection(leader, PRODUCE_CONNECTION)
            while queues or sent:
                ready = [copy for copy in queues if copy.may_send]
                if ready and len(sent) < REQUESTS_IN_FLIGHT_MAX:
                    request, batches, size_bytes = self._next_request(ready, queues)
                    await self._limit.take(size_bytes)
                    answer = connection.send(
                        request,
                        ProduceResponse,
                        timeout_ms=self._target.request_timeout_ms,
                        max_version=BY_NAME_MAX_VERSION,
                    )
                    sent.append(_Sent(answer, batches))
                else:
                    _settle(await sent[0].answer, sent[0].batches, queues)
                    sent.popleft()
        except (BrokerUnreachable, RequestTimedOut) as error:
            self._target.close_connections(PRODUCE_CONNECTION)
            _fail_all(involved, queues, error)
        finally:
            await asyncio.gather(*(one.answer for one in sent), return_exceptions=True)

    def _next_request(
        self, ready: Sequence[PartitionCopy], queues: Queues
    ) -> tuple[ProduceRequest, dict[TopicPartition, tuple[PartitionCopy, BatchCopy]], int]:
        """Build a request with the next batch of each partition in `ready`, up to REQUEST_BYTES in total.

        Empty queues are removed. Return the request, the batch of each partition in it, and the size of the batches.
        """
        data: dict[str, list[PartitionProduceData]] = {}
        batches: dict[TopicPartition, tuple[PartitionCopy, BatchCopy]] = {}
        size_bytes = 0
        for copy in ready:
            batch = queues[copy].popleft()
            encoded = copy.encode_next(batch)
            size_bytes += len(encoded)
            index = PartitionId(copy.partition.partition)
            data.setdefault(copy.partition.topic, []).append(PartitionProduceData(index=index, records=encoded))
            batches[copy.partition] = (copy, batch)
            queue = queues.pop(copy)
            if queue:
                queues[copy] = queue  # behind the partitions that are not in this request
            if size_bytes >= REQUEST_BYTES:
                break
        topics = [TopicProduceData(name=TopicName(topic), partition_data=parts) for topic, parts in data.items()]
        request = ProduceRequest(
            transactional_id=None, acks=ACKS_ALL, timeout_ms=self._target.request_timeout_ms, topic_data=topics
        )
        return request, batches, size_bytes


def _settle(
    answer: ProduceResponse, batches: Mapping[TopicPartition, tuple[PartitionCopy, BatchCopy]], queues: Queues
) -> None:
    for topic in answer.responses:
        for response in topic.partition_responses:
            copy, batch = batches[TopicPartition(topic.name, response.index)]
            copy.handle_response(batch, ErrorCode(response.error_code), response.base_offset, response.error_message)
            if copy.failure is not None:
                queues.pop(copy, None)


def _fail_all(involved: list[PartitionCopy], queues: Queues, error: ClientError) -> None:
    """Set the error as failure of all partitions with batches that were not sent or not answered.

    These include partitions without a request in flight, whose batches are delayed, for example by the rate limit.
    """
    for copy in involved:
        if copy in queues or copy.is_unanswered:
            copy.fail(error)
