"""Transactions in which other processes write. This process begins and ends them.

    lender = TransactionLender("localhost:9092", "flights-0")
    transaction = lender.begin()                            # picklable
    with Producer("localhost:9092", within=transaction) as producer:     # in any process
        producer.send("out", None, b"...")
        producer.flush()                                    # raises if records were not written
    lender.send_offsets({partition: OffsetAndMetadata(9)}, GroupMetadata("g", identity))
    lender.commit()

Each transaction has its own epoch, in which the sequences of each partition start at 0. Therefore only one task may
write to a partition, and only once. The broker would drop the records of a second attempt as duplicates of the first
attempt. To write again, abort the transaction and begin another one.

Commit only after each task has confirmed its records (`flush` or `close` has returned) and no other task writes in the
transaction. Kafka answers a commit before it writes the transaction markers, and commits all records that it accepts
before the markers. It rejects records that arrive after the markers. Under transaction version 1, it still accepts such
late records until the next transaction begins. The begin of the next transaction aborts them.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final, TypeVar

from tenure.client.errors import ClientError
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.producer.producer_transactions import ProducerTransactions, TransactionState
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.limits.pipeline import TRANSACTIONS_SETTLED_AT_ONCE
from tenure.protocol.types import EPOCH_BUMPS

T = TypeVar("T")


class TransactionLender:
    """Begins, lends and ends transactions of one transactional id. Blocking, not thread-safe. Raises as `Producer`.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        transactional_id: Kafka's `transactional.id`.
        transaction_timeout_ms: Kafka's `transaction.timeout.ms`.
        client_id: Kafka's `client.id`.
    """

    def __init__(
        self,
        config: ClusterConfig,
        transactional_id: str,
        *,
        transaction_timeout_ms: int = 60_000,
        client_id: str = "tenure",
    ) -> None:
        self._transactions: Final = ProducerTransactions(transactional_id)
        self._transactional: Final = TransactionalId(
            self._cluster(config, client_id), self._transactions, transaction_timeout_ms=transaction_timeout_ms
        )
        self._has_lent = False
        """True if a transaction was lent in the current epoch."""

    # --- event loop ---------------------------------------------------------------------------------------------------

    def _cluster(self, config: ClusterConfig, client_id: str) -> Cluster:
        return shared_cluster(config, client_id)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return run(work)

    # --- transactions -------------------------------------------------------------------------------------------------

    def init(self) -> None:
        """Fence earlier producers of the id and end their transaction. The first `begin` also does this."""
        self._run(self._transactional.initialize())

    @staticmethod
    def init_all(lenders: Sequence["TransactionLender"]) -> list[BaseException | None]:
        """Initialize all lenders concurrently, so that a slow coordinator does not delay the other lenders.

        Returns:
            For each lender its error, or None on success. After the first error, no further lender is initialized: the
                remaining ones get this error, too.
        """
        return run(_initialize_all([lender._transactional for lender in lenders]))

    def begin(self) -> OpenTransaction:
        """Begin a transaction; return the `within` argument for producers that write in it."""
        return self._run(self._begin())

    async def _begin(self) -> OpenTransaction:
        transactions = self._transactions
        if transactions.state is TransactionState.UNINITIALIZED:
            await self._transactional.initialize()
        elif self._has_lent and transactions.state is TransactionState.READY:
            transactions.begin()  # raises the epoch, to fence late records: the last end did not raise it
            transactions.mark_begun()
            await self._end(TransactionState.ABORTING)
        transactions.begin()
        transactions.mark_begun()  # a borrower may write at any time from now on
        assert transactions.writer is not None
        self._has_lent = transactions.writer.transaction_version < EPOCH_BUMPS
        return transactions.writer

    def send_offsets(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], group: GroupMetadata) -> None:
        """Add a group's offsets to the transaction. They are committed only if the transaction is committed."""
        self._run(self._transactional.send_offsets(offsets, group))

    def commit(self) -> None:
        """Commit the transaction. Call it after every writer has confirmed its records.

        Records that are written later may be committed or rejected. A transaction without records and offsets cannot be
        committed: abort it.
        """
        self._run(self._end(TransactionState.COMMITTING))

    def abort(self) -> None:
        """Abort the transaction that `begin` has started."""
        self._run(self._end(TransactionState.ABORTING))

    async def _end(self, state: TransactionState) -> None:
        if state is TransactionState.COMMITTING:
            self._transactions.become_committing()
        else:
            self._transactions.become_aborting()
            self._transactions.needs_epoch = True  # a task may still be writing
        await self._transactional.end()
        self._has_lent = self._has_lent and state is TransactionState.COMMITTING


async def _initialize_all(ids: Sequence[TransactionalId]) -> list[BaseException | None]:
    some, failures = asyncio.Semaphore(TRANSACTIONS_SETTLED_AT_ONCE), list[ClientError]()

    async def initialize(transactional_id: TransactionalId) -> None:
        async with some:
            if failures:  # the caller retries anyway; waiting for each of many would take too long
                raise failures[0]
            try:
                await transactional_id.initialize()
            except ClientError as error:
                failures.append(error)
                raise

    return await asyncio.gather(*map(initialize, ids), return_exceptions=True)
