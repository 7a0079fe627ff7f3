"""Operations on transactions by transactional id: list, describe, fence a producer (KIP-664, KIP-994, KIP-1152)."""

from collections.abc import Collection
from typing import Final, NamedTuple

from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster, check
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
    InitProducerIdRequest,
    InitProducerIdResponse,
    ListTransactionsRequest,
    ListTransactionsResponse,
)
from tenure.protocol.types import ProducerId

ANY_DURATION: Final = -1
DURATION_SINCE: Final = 1
PATTERN_SINCE: Final = 2
"""First version of ListTransactions with a filter by pattern."""
NO_PRODUCER_ID: Final = ProducerId(-1)
NO_EPOCH: Final = -1


class TransactionListing(NamedTuple):
    """Transactional id with the state of its transaction."""

    transactional_id: str
    coordinator: str
    producer_id: int
    state: str


class TransactionDescription(NamedTuple):
    """Transactional id with the state and the partitions of its transaction."""

    transactional_id: str
    coordinator: str
    producer_id: int
    producer_epoch: int
    state: str
    timeout_ms: int
    start_ms: int | None
    """Unix time in ms; None without an open transaction."""
    partitions: tuple[TopicPartition, ...]
    """Partitions of the open transaction, including those of `__consumer_offsets`."""


async def list_transactions(
    cluster: Cluster,
    *,
    states: Collection[str] = (),
    producer_ids: Collection[int] = (),
    longer_than_ms: int = ANY_DURATION,
    pattern: str = "",
) -> list[TransactionListing]:
    """List the transactional ids that match all filters, from all brokers. An empty filter matches every id.

    Args:
        cluster: Cluster.
        states: States of the transaction.
        producer_ids: Producer ids.
        longer_than_ms: Minimum duration of the open transaction.
        pattern: RE2 expression that matches whole transactional ids.

    Raises:
        UnsupportedByBroker: A broker is too old for one of the given filters.
    """
    request = ListTransactionsRequest(
        list(states), [ProducerId(each) for each in producer_ids], longer_than_ms, pattern or None
    )
    min_version = PATTERN_SINCE if pattern else DURATION_SINCE if longer_than_ms >= 0 else 0

    async def attempt() -> list[TransactionListing]:
        listings: list[TransactionListing] = []
        for address in await cluster.brokers():
            connection = await cluster.connection(address)
            answer = await connection.request(
                request, ListTransactionsResponse, timeout_ms=cluster.request_timeout_ms, min_version=min_version
            )
            check(answer.error_code, f"Transactions of the broker at {address} could not be listed")
            listings += [
                TransactionListing(found.transactional_id, str(address), found.producer_id, found.transaction_state)
                for found in answer.transaction_states
            ]
        return sorted(listings)

    return await cluster.retry(attempt)


async def describe_transaction(cluster: Cluster, transactional_id: str) -> TransactionDescription:
    """Describe a transactional id. Raises `RequestRefused` (TRANSACTIONAL_ID_NOT_FOUND) if it does not exist."""

    async def attempt() -> TransactionDescription:
        address = await cluster.transaction_coordinator(transactional_id)
        connection = await cluster.connection(address)
        answer = await connection.request(
            DescribeTransactionsRequest([transactional_id]),
            DescribeTransactionsResponse,
            timeout_ms=cluster.request_timeout_ms,
        )
        found = answer.transaction_states[0]
        if found.error_code == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:
            raise RequestRefused(
                f"Unknown transactional id '{transactional_id}'; see `tenure transactions list`.",
                ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
            )
        check(found.error_code, f"Transactional id '{transactional_id}' could not be described")
        return TransactionDescription(
            transactional_id,
            str(address),
            found.producer_id,
            found.producer_epoch,
            found.transaction_state,
            found.transaction_timeout_ms,
            found.transaction_start_time_ms if found.transaction_start_time_ms >= 0 else None,
            tuple(
                sorted(
                    TopicPartition(topic.topic, partition) for topic in found.topics for partition in topic.partitions
                )
            ),
        )

    return await cluster.retry(attempt)


async def force_terminate(cluster: Cluster, transactional_id: str) -> None:
    """Abort the open transaction of a transactional id, and fence its producer.

    Raises `RequestRefused` for an unknown id.
    """
    await describe_transaction(cluster, transactional_id)
    request = InitProducerIdRequest(transactional_id, cluster.request_timeout_ms, NO_PRODUCER_ID, NO_EPOCH)

    async def attempt() -> None:
        connection = await cluster.connection(await cluster.transaction_coordinator(transactional_id))
        answer = await connection.request(request, InitProducerIdResponse, timeout_ms=cluster.request_timeout_ms)
        check(answer.error_code, f"Producer of transactional id '{transactional_id}' was not fenced")

    await cluster.retry(attempt)
