"""Requests of a transactional id to its coordinator and to the group's coordinator.

    transactional = TransactionalId(cluster, ProducerTransactions("id"), transaction_timeout_ms=60_000)
    await transactional.initialize()
    transactional.transactions.begin()
    await transactional.send_offsets(offsets, group)
    transactional.transactions.become_committing()
    await transactional.end()

`Producer` writes in its own transactions; `TransactionLender` lets other processes write in its transactions.
Everything runs on the client's event loop. Only `add_partition` may be called concurrently.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

from tenure.backoff import REQUEST, TRANSACTION_MARKERS, Backoff
from tenure.client.errors import (
    BrokerUnreachable,
    ClientError,
    RequestRefused,
    RequestTimedOut,
    TransactionAbortable,
    UnknownOutcome,
)
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.net.connection import BrokerConnection, Disconnected
from tenure.client.producer.producer_transactions import ProducerTransactions, TransactionState
from tenure.client.producer.transaction_reactions import (
    ABORT_ELSE_FATAL,
    ADD_OFFSETS_ELSE_FATAL,
    ADD_PARTITIONS_ELSE_ABORT,
    COMMIT_ELSE_FATAL,
    INIT_PRODUCER_ID_ELSE_FATAL,
    MAYBE_DECIDED,
    REMEDIES,
    TXN_OFFSET_COMMIT_ELSE_ABORT,
    Reactions,
    TransactionReaction,
)
from tenure.client.producer.transaction_requests import (
    add_offsets,
    add_partitions,
    end_txn,
    init_producer_id,
    refusal_of_offsets,
    refusal_to_add,
    txn_offset_commit,
)
from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddOffsetsToTxnResponse,
    AddPartitionsToTxnResponse,
    EndTxnResponse,
    InitProducerIdResponse,
    TxnOffsetCommitResponse,
)
from tenure.protocol.types import EPOCH_BUMPS

T = TypeVar("T")

TRANSACTION_VERSION: Final = "transaction.version"
"""Feature whose level is the cluster's transaction version."""
ADD_PARTITIONS_MAX_VERSION: Final = 3
"""Newest version of AddPartitionsToTxn that clients may send; later versions are for brokers."""
MEMBER_MIN_VERSION: Final = 3
"""First version of TxnOffsetCommit that identifies the group member (KIP-447)."""
EPOCH_MIN_VERSION: Final = 3
"""First version of InitProducerId that contains the producer's epoch (KIP-360)."""
BEFORE_EPOCH_BUMPS: Final = 4
"""Newest version of EndTxn and TxnOffsetCommit that may be sent with transaction version 1."""
BY_NAME_MAX_VERSION: Final = 5
"""Newest TxnOffsetCommit version that identifies topics by name. Later versions identify them by id."""
NEWEST: Final = 0x7FFF


class TransactionalId:
    """Client of the transaction coordinator and the group coordinators for one transactional id."""

    def __init__(
        self,
        cluster: Cluster,
        transactions: ProducerTransactions,
        *,
        transaction_timeout_ms: int,
        newest_version: int = EPOCH_BUMPS,
    ) -> None:
        self.transactions: Final = transactions
        self._cluster: Final = cluster
        self._timeout_ms: Final = transaction_timeout_ms
        self._newest_version: Final = newest_version
        self._coordinator: BrokerAddress | None = None
        self._group_coordinators: Final[dict[str, BrokerAddress]] = {}
        self._adding: Final = asyncio.Lock()
        self._to_add: Final[set[TopicPartition]] = set()

    # --- a producer id ------------------------------------------------------------------------------------------------

    async def initialize(self) -> None:
        """Fence earlier producers of the id, and wait until their transaction has ended."""
        self.transactions.check_initialize()
        self.transactions.become_ready(await self._init(None))

    async def _init(self, writer: OpenTransaction | None) -> OpenTransaction:
        request = init_producer_id(self.transactions.transactional_id, self._timeout_ms, writer)

        async def attempt() -> tuple[ErrorCode, tuple[InitProducerIdResponse, int]]:
            connection = await self._own_connection()
            answer = await connection.request(
                request,
                InitProducerIdResponse,
                timeout_ms=self._cluster.request_timeout_ms,
                min_version=0 if writer is None else EPOCH_MIN_VERSION,
            )
            return ErrorCode(answer.error_code), (answer, self._version_of(connection))

        operation = "InitProducerId"
        reaction, error_code, answered = await self._send_until_final(attempt, INIT_PRODUCER_ID_ELSE_FATAL, operation)
        if reaction is not TransactionReaction.DONE:
            raise self._refusal(operation, reaction or TransactionReaction.FATAL, error_code)
        assert answered is not None
        answer, version = answered
        return OpenTransaction(self.transactions.transactional_id, answer.producer_id, answer.producer_epoch, version)

    def _version_of(self, connection: BrokerConnection) -> int:
        return max(1, min(connection.features.get(TRANSACTION_VERSION, 0), self._newest_version))

    # --- contents of the transaction ----------------------------------------------------------------------------------

    @property
    def accepts_batches(self) -> bool:
        """True if records can still be written in the transaction."""
        return self.transactions.state in (TransactionState.IN_TRANSACTION, TransactionState.COMMITTING)

    async def add_partition(self, partition: TopicPartition) -> OpenTransaction:
        """Add a partition to the transaction; return the producer id and epoch for its batches.

        Raises:
            ClientError: The transaction failed, or is being aborted.
        """
        transactions = self.transactions
        if not self.accepts_batches:
            raise transactions.failure or TransactionAbortable("Transaction is being aborted.")
        assert transactions.writer is not None
        transactions.mark_begun()
        if transactions.writer.transaction_version < EPOCH_BUMPS and partition not in transactions.partitions:
            self._to_add.add(partition)
            async with self._adding:
                await self._add_partitions(transactions.writer)
            if partition not in transactions.partitions:  # the task that requested it has failed
                raise transactions.failure or TransactionAbortable("Transaction is being aborted.")
        return transactions.writer

    async def _add_partitions(self, writer: OpenTransaction) -> None:
        """Send one AddPartitionsToTxn request for all partitions that wait to be added."""
        wanted = self._to_add - self.transactions.partitions
        self._to_add.clear()
        if not wanted:
            return
        request = add_partitions(writer, wanted)

        async def attempt() -> tuple[ErrorCode, None]:
            connection = await self._own_connection()
            answer = await connection.request(
                request,
                AddPartitionsToTxnResponse,
                timeout_ms=self._cluster.request_timeout_ms,
                max_version=ADD_PARTITIONS_MAX_VERSION,
            )
            return refusal_to_add(answer), None

        operation = f"Adding partitions {', '.join(map(str, sorted(wanted)))}"
        await self._part_of_it(attempt, ADD_PARTITIONS_ELSE_ABORT, operation, TransactionReaction.ABORT)
        self.transactions.partitions.update(wanted)

    async def send_offsets(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], group: GroupMetadata) -> None:
        """Add a group's offsets to the transaction. Raises `TransactionAbortable` or the producer's fatal error."""
        transactions = self.transactions
        transactions.check_write("send_offsets_to_transaction()")
        assert transactions.writer is not None
        if not offsets:
            return
        transactions.mark_begun()
        writer, version_max = transactions.writer, BY_NAME_MAX_VERSION
        if writer.transaction_version < EPOCH_BUMPS:
            version_max = BEFORE_EPOCH_BUMPS
            await self._add_offsets(writer, group.group_id)
        request = txn_offset_commit(writer, offsets, group)

        async def attempt() -> tuple[ErrorCode, None]:
            connection = await self._group_connection(group.group_id)
            answer = await connection.request(
                request,
                TxnOffsetCommitResponse,
                timeout_ms=self._cluster.request_timeout_ms,
                min_version=MEMBER_MIN_VERSION if group.identity.member_id else 0,
                max_version=version_max,
            )
            return refusal_of_offsets(answer), None

        operation = f"Committing offsets of group '{group.group_id}'"
        await self._part_of_it(attempt, TXN_OFFSET_COMMIT_ELSE_ABORT, operation, TransactionReaction.ABORT)

    async def _add_offsets(self, writer: OpenTransaction, group_id: str) -> None:
        request = add_offsets(writer, group_id)

        async def attempt() -> tuple[ErrorCode, None]:
            connection = await self._own_connection()
            answer = await connection.request(
                request, AddOffsetsToTxnResponse, timeout_ms=self._cluster.request_timeout_ms
            )
            return ErrorCode(answer.error_code), None

        await self._part_of_it(attempt, ADD_OFFSETS_ELSE_FATAL, f"Adding group '{group_id}'", TransactionReaction.FATAL)

    async def _part_of_it(
        self,
        attempt: Callable[[], Awaitable[tuple[ErrorCode, None]]],
        reactions: Reactions,
        operation: str,
        other: TransactionReaction,
    ) -> None:
        try:
            reaction, error_code, _ = await self._send_until_final(attempt, reactions, operation)
        except ClientError as error:
            raise self.transactions.become_abortable(str(error)) from error
        except asyncio.CancelledError:
            self.transactions.become_abortable(
                f"{operation} in transaction '{self.transactions.transactional_id}' was interrupted."
            )
            raise
        if reaction is not TransactionReaction.DONE:
            raise self._refusal(operation, reaction or other, error_code)

    # --- end ----------------------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Commit or abort the transaction, according to the state of `transactions`.

        Raises:
            TransactionAbortable: The transaction cannot be committed.
            UnknownOutcome: There is no response; call this method again.
            RequestRefused: The producer is unusable.
        """
        transactions = self.transactions
        if transactions.failure is not None:
            raise transactions.failure
        assert transactions.writer is not None
        writer = transactions.writer
        if transactions.has_begun:
            writer = await self._send_end_txn(writer, commits=transactions.state is TransactionState.COMMITTING)
            transactions.mark_ended()
        if transactions.needs_epoch and writer == transactions.writer:
            try:
                writer = await self._in_doubt(self._init(writer))
            except RequestRefused:
                if transactions.is_committed:
                    return  # the next call raises the producer's error
                raise
        transactions.become_ready(writer)

    async def _send_end_txn(self, writer: OpenTransaction, *, commits: bool) -> OpenTransaction:
        request = end_txn(writer, commits)
        version_max = NEWEST if writer.transaction_version >= EPOCH_BUMPS else BEFORE_EPOCH_BUMPS

        async def attempt() -> tuple[ErrorCode, EndTxnResponse]:
            connection = await self._own_connection()
            self.transactions.mark_decided()
            answer = await connection.request(
                request,
                EndTxnResponse,
                timeout_ms=self._cluster.request_timeout_ms,
                max_version=version_max,
            )
            if answer.error_code in MAYBE_DECIDED:
                self.transactions.require_new_epoch()
            return ErrorCode(answer.error_code), answer

        operation = "Commit" if commits else "Abort"
        reactions = COMMIT_ELSE_FATAL if commits else ABORT_ELSE_FATAL
        reaction, error_code, answer = await self._in_doubt(self._send_until_final(attempt, reactions, operation))
        next_writer = self.transactions.next_writer(reaction, answer)
        if next_writer is None:
            raise self._refusal(operation, reaction or TransactionReaction.FATAL, error_code)
        return next_writer

    async def _in_doubt(self, requested: Awaitable[T]) -> T:
        try:
            return await requested
        except RequestTimedOut as error:
            call = (
                "commit_transaction()"
                if self.transactions.state is TransactionState.COMMITTING
                else "abort_transaction()"
            )
            raise UnknownOutcome(f"{error} The outcome is unknown: call {call} again.") from error

    # --- requests -----------------------------------------------------------------------------------------------------

    async def _own_connection(self) -> BrokerConnection:
        if self._coordinator is None:
            self._coordinator = await self._cluster.transaction_coordinator(self.transactions.transactional_id)
        return await self._cluster.connection(self._coordinator)

    async def _group_connection(self, group_id: str) -> BrokerConnection:
        if group_id not in self._group_coordinators:
            self._group_coordinators[group_id] = await self._cluster.coordinator(group_id)
        return await self._cluster.connection(self._group_coordinators[group_id])

    async def _send_until_final(
        self, attempt: Callable[[], Awaitable[tuple[ErrorCode, T]]], reactions: Reactions, operation: str
    ) -> tuple[TransactionReaction | None, ErrorCode, T | None]:
        """Send a request until its response is final; return the reaction, the error code and the response.

        If the lookup of the coordinator fails with an error code, return this error code, and None as the response.

        Args:
            attempt: Sends the request once; returns the error code and the response.
            reactions: Reaction to each error code. RETRY and REDISCOVER send the request again.
            operation: Name of the request, for error messages.

        Raises:
            RequestTimedOut: The time for retries is over.
        """
        loop = asyncio.get_running_loop()
        backoff, marker_backoff = Backoff(REQUEST), Backoff(TRANSACTION_MARKERS)
        give_up_at = loop.time() + self._cluster.patience_ms / 1000
        while True:
            error_code: ErrorCode | None = None
            answer: T | None = None
            try:
                error_code, answer = await attempt()
            except (BrokerUnreachable, RequestTimedOut, RetriableError) as error:
                why = str(error)
                if isinstance(error, Disconnected | RequestTimedOut):
                    self.transactions.require_new_epoch()
            except asyncio.CancelledError:
                self.transactions.require_new_epoch()
                raise
            except RequestRefused as error:
                error_code = error.error_code
            if error_code is not None:
                reaction = reactions.get(error_code)
                if reaction not in (TransactionReaction.RETRY, TransactionReaction.REDISCOVER):
                    return reaction, error_code, answer
                why = f"{error_code.message} ({error_code.name})."
            if error_code is None or reaction is TransactionReaction.REDISCOVER:
                self._coordinator = None
                self._group_coordinators.clear()
            waits_for_markers = error_code is ErrorCode.CONCURRENT_TRANSACTIONS
            delay_s = (marker_backoff if waits_for_markers else backoff).next_s()
            if loop.time() + delay_s > give_up_at:
                transactional_id = self.transactions.transactional_id
                raise RequestTimedOut(f"{operation} timed out for transactional id '{transactional_id}': {why}")
            await asyncio.sleep(delay_s)

    def _refusal(self, operation: str, reaction: TransactionReaction, error_code: ErrorCode) -> ClientError:
        remedy = REMEDIES.get(error_code, error_code.message).format(timeout_ms=self._timeout_ms)
        transactional_id = self.transactions.transactional_id
        why = f"{operation} was rejected for transactional id '{transactional_id}': {remedy} ({error_code.name})."
        if reaction is TransactionReaction.FENCED:
            return self.transactions.fenced(error_code)
        if reaction is TransactionReaction.ABORT:
            return self.transactions.become_abortable(why, error_code)
        return self.transactions.become_fatal(
            RequestRefused(f"{why}{self.transactions.unknown_outcome_note}", error_code)
        )
