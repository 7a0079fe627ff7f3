"""Transactions by their ids: list, describe, and take an id from whoever has it (KIP-664, KIP-994, KIP-1152)."""

from collections.abc import Collection
from typing import Final, NamedTuple

from tenure.client.cluster import Cluster, check
from tenure.client.errors import RequestRefused
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
"""Versions of ListTransactions."""
NO_PRODUCER_ID: Final = ProducerId(-1)
NO_EPOCH: Final = -1


class TransactionListing(NamedTuple):
    transactional_id: str
    coordinator: str
    producer_id: int
    state: str


class TransactionDescription(NamedTuple):
    transactional_id: str
    coordinator: str
    producer_id: int
    producer_epoch: int
    state: str
    timeout_ms: int
    start_ms: int | None
    """Unix time; None while nothing is open."""
    partitions: tuple[TopicPartition, ...]
    """That the open transaction has written to, those of groups among them."""


async def list_transactions(
    cluster: Cluster,
    *,
    states: Collection[str] = (),
    producer_ids: Collection[int] = (),
    longer_than_ms: int = ANY_DURATION,
    pattern: str = "",
) -> list[TransactionListing]:
    """Of all brokers: each knows only those that it coordinates. What is empty takes all.

    `pattern` is of RE2, and of whole ids. Raises `UnsupportedByBroker` where a broker is too old for a filter.
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
            check(answer.error_code, f"The transactions of the broker at {address} cannot be listed")
            listings += [
                TransactionListing(found.transactional_id, str(address), found.producer_id, found.transaction_state)
                for found in answer.transaction_states
            ]
        return sorted(listings)

    return await cluster.persist(attempt)


async def describe_transaction(cluster: Cluster, transactional_id: str) -> TransactionDescription:
    """Raises `RequestRefused` (TRANSACTIONAL_ID_NOT_FOUND)."""

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
                f"Transactional id '{transactional_id}' is not known; `tenure transactions list` shows those that are.",
                ErrorCode.TRANSACTIONAL_ID_NOT_FOUND,
            )
        check(found.error_code, f"Transactional id '{transactional_id}' cannot be described")
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

    return await cluster.persist(attempt)


async def force_terminate(cluster: Cluster, transactional_id: str) -> None:
    """Aborts what is open under the id and fences its producer. Raises `RequestRefused` for an id that is not known."""
    await describe_transaction(cluster, transactional_id)
    request = InitProducerIdRequest(transactional_id, cluster.request_timeout_ms, NO_PRODUCER_ID, NO_EPOCH)

    async def attempt() -> None:
        connection = await cluster.connection(await cluster.transaction_coordinator(transactional_id))
        answer = await connection.request(request, InitProducerIdResponse, timeout_ms=cluster.request_timeout_ms)
        check(answer.error_code, f"Transactional id '{transactional_id}' cannot be taken from its producer")

    await cluster.persist(attempt)
