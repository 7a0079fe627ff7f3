"""Transactions that somebody else writes in: begun here, lent to tasks in other processes, and ended here.

    lender = TransactionLender("localhost:9092", "flights-0")
    transaction = lender.begin()                            # may travel
    with Producer("localhost:9092", within=transaction) as producer:     # wherever
        producer.send("out", None, b"...")
        producer.flush()                                    # raises what was not written
    lender.send_offsets({partition: OffsetAndMetadata(9)}, GroupMetadata("g", identity))
    lender.commit()

Each transaction has an epoch of its own, in which each partition's sequences begin at 0: so a partition is for one
task, once. A second attempt would take the first one's records for its own: abort, and begin another transaction. A
task that goes on after its transaction has ended is refused; under transaction version 1 only once the next transaction
has begun, which aborts what it wrote.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final, TypeVar

from tenure.client.bootstrap import ClusterConfig
from tenure.client.cluster import Cluster
from tenure.client.errors import ClientError
from tenure.client.event_loop import run
from tenure.client.shared_clusters import shared_cluster
from tenure.client.transactional_id import TransactionalId
from tenure.client.transactions import EPOCH_BUMPS, State, Transactions
from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.limits import TRANSACTIONS_SETTLED_AT_ONCE

T = TypeVar("T")


class TransactionLender:
    """Blocks; for one thread at a time. Raises as `Producer` does where it does the same."""

    def __init__(
        self,
        config: ClusterConfig,
        transactional_id: str,
        *,
        transaction_timeout_ms: int = 60_000,
        client_id: str = "tenure",
    ) -> None:
        self._transactions: Final = Transactions(transactional_id)
        self._transactional: Final = TransactionalId(
            self._cluster(config, client_id), self._transactions, transaction_timeout_ms=transaction_timeout_ms
        )
        self._has_lent = False
        """In the present epoch."""

    # --- where it runs ------------------------------------------------------------------------------------------------

    def _cluster(self, config: ClusterConfig, client_id: str) -> Cluster:
        return shared_cluster(config, client_id)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return run(work)

    # --- what it does -------------------------------------------------------------------------------------------------

    def init(self) -> None:
        """Fence whoever used the id before, and end what it left. `begin` does it where it has not been done."""
        self._run(self._transactional.initialize())

    @staticmethod
    def init_all(lenders: Sequence["TransactionLender"]) -> list[BaseException | None]:
        """Each beside the others: one whose coordinator is slow holds up none of them. Returns what each failed by;
        once one has, no more are begun."""
        return run(_initialized([one._transactional for one in lenders]))

    def begin(self) -> OpenTransaction:
        return self._run(self._begin())

    async def _begin(self) -> OpenTransaction:
        transactions = self._transactions
        if transactions.state is State.UNINITIALIZED:
            await self._transactional.initialize()
        elif self._has_lent and transactions.state is State.READY:
            transactions.begin()  # what is written late in the epoch before: its end did not raise that one
            transactions.touched()
            await self._end(State.ABORTING)
        transactions.begin()
        transactions.touched()  # by whom it is lent to, at any time from now on
        assert transactions.writer is not None
        self._has_lent = transactions.writer.transaction_version < EPOCH_BUMPS
        return transactions.writer

    def send_offsets(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], group: GroupMetadata) -> None:
        """Committed with the transaction, or never."""
        self._run(self._transactional.send_offsets(offsets, group))

    def commit(self) -> None:
        """What was written. Whether that is all that should be, its writers have to tell. Where nothing was, neither
        records nor offsets, there is nothing to commit: abort."""
        self._run(self._end(State.COMMITTING))

    def abort(self) -> None:
        self._run(self._end(State.ABORTING))

    async def _end(self, state: State) -> None:
        if state is State.COMMITTING:
            self._transactions.become_committing()
        else:
            self._transactions.become_aborting()
            self._transactions.needs_epoch = True  # the task may still be at it
        await self._transactional.end()
        self._has_lent = self._has_lent and state is State.COMMITTING


async def _initialized(ids: Sequence[TransactionalId]) -> list[BaseException | None]:
    some, failures = asyncio.Semaphore(TRANSACTIONS_SETTLED_AT_ONCE), list[ClientError]()

    async def initialize(one: TransactionalId) -> None:
        async with some:
            if failures:  # It will be asked again anyway, and patience with each of very many would have no end.
                raise failures[0]
            try:
                await one.initialize()
            except ClientError as error:
                failures.append(error)
                raise

    return await asyncio.gather(*map(initialize, ids), return_exceptions=True)
