"""State machine of a transactional producer: permitted calls, and effects of error codes. No I/O.

    uninitialized -> ready -> in transaction -> committing | aborting -> ready (KIP-98)
                                 |  failed          |
                                 +-> abortable <----+        abortable -> aborting
    any -> fatal

An error ends the transaction or the producer. If a batch or offsets are rejected, the transaction is aborted. The next
transaction has a new epoch, which fences pending requests of the old transaction (KIP-360). With KIP-890, every
transaction has a new epoch. A newer producer with the same id is fatal for this producer.

Once EndTxn is sent, only the same EndTxn may follow, because the coordinator may have applied it even if its response
is lost.
"""

from enum import Enum
from typing import Final

from tenure.client.errors import ClientError, InvalidTxnState, ProducerFenced, RequestRefused, TransactionAbortable
from tenure.client.producer.transaction_reactions import TransactionReaction
from tenure.client.values import OpenTransaction, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import EndTxnResponse
from tenure.protocol.types import EPOCH_BUMPS


class TransactionState(Enum):
    """States of a transactional producer. The values complete the sentence "the producer is ..."."""

    UNINITIALIZED = "not initialized: call init_transactions() first"
    READY = "in no transaction: call begin_transaction() first"
    IN_TRANSACTION = "in a transaction: commit or abort it first"
    COMMITTING = "committing: only commit_transaction() may be called again"
    ABORTING = "aborting: only abort_transaction() may be called again"
    ABORTABLE = "in a failed transaction: call abort_transaction()"
    FATAL = "unusable after a fatal error: close it"


class ProducerTransactions:
    """State of the transactions of one transactional id."""

    def __init__(self, transactional_id: str) -> None:
        self.transactional_id: Final = transactional_id
        self.state = TransactionState.UNINITIALIZED
        self.writer: OpenTransaction | None = None
        """Producer id and epoch of the present transaction; None until `become_ready` is called."""
        self.partitions: Final[set[TopicPartition]] = set()
        """Partitions that the coordinator has added; not used by version 2."""
        self.failure: ClientError | None = None
        """Error of the transaction or of the producer. Invariant: None unless the state is ABORTABLE or FATAL. It is
        set before the state, which other threads read."""
        self.has_begun = False
        """True if a request of the transaction was sent, so that a broker may have begun it."""
        self.is_decided = False
        """True if EndTxn was sent."""
        self.is_committed = False
        """True if the coordinator has confirmed the commit."""
        self.needs_epoch = False
        """True if requests of the transaction may arrive after its end. The next transaction then needs a new epoch."""
        self.is_lent = False
        """True if a `TransactionLender` began the transaction and ends it."""

    @classmethod
    def within(cls, transaction: OpenTransaction) -> "ProducerTransactions":
        """Return the state of a producer that only writes in a lent transaction."""
        transactions = cls(transaction.transactional_id)
        transactions.become_ready(transaction)
        transactions.begin()
        transactions.is_lent = True
        return transactions

    # --- calls of the user --------------------------------------------------------------------------------------------

    def check_initialize(self) -> None:
        """Raise an error if init_transactions() is not permitted now."""
        self._check("init_transactions()", TransactionState.UNINITIALIZED)

    def check_write(self, call: str) -> None:
        """Raise an error if records or offsets cannot be written now.

        Raises:
            InvalidTxnState: No transaction has begun.
            TransactionAbortable: The transaction failed and has to be aborted.
            RequestRefused: The producer is unusable after a fatal error.
        """
        if self.state is not TransactionState.IN_TRANSACTION:
            self._check(call, TransactionState.IN_TRANSACTION)

    def begin(self) -> None:
        """Change the state from READY to IN_TRANSACTION."""
        self._check("begin_transaction()", TransactionState.READY)
        self.state = TransactionState.IN_TRANSACTION

    def become_committing(self) -> None:
        """Change the state to COMMITTING. Allowed again while the commit has an unknown outcome."""
        self._check_not_lent("commit_transaction()")
        self._check("commit_transaction()", TransactionState.IN_TRANSACTION, TransactionState.COMMITTING)
        self.state = TransactionState.COMMITTING

    def become_aborting(self) -> None:
        """Change the state to ABORTING. Not allowed once EndTxn for a commit was sent."""
        self._check_not_lent("abort_transaction()")
        undecided = () if self.is_decided else (TransactionState.COMMITTING,)
        self._check(
            "abort_transaction()",
            TransactionState.IN_TRANSACTION,
            TransactionState.ABORTING,
            TransactionState.ABORTABLE,
            *undecided,
        )
        self.state, self.failure = TransactionState.ABORTING, None

    def _check(self, call: str, *states: TransactionState) -> None:
        if self.state in states and self.failure is None:
            return
        if self.state is TransactionState.ABORTABLE and TransactionState.ABORTABLE in states:
            return
        if self.failure is not None:
            raise self.failure
        raise InvalidTxnState(f"{call} is not allowed now: the producer is {self.state.value}.")

    def _check_not_lent(self, call: str) -> None:
        if self.is_lent:
            raise InvalidTxnState(f"{call} is not allowed in a lent transaction: its TransactionLender ends it.")

    # --- results ------------------------------------------------------------------------------------------------------

    def become_ready(self, writer: OpenTransaction) -> None:
        """Become READY for the next transaction, which uses the producer id and epoch of `writer`."""
        self.writer = writer
        self.state, self.failure = TransactionState.READY, None
        self.has_begun = self.is_decided = self.is_committed = self.needs_epoch = False
        self.partitions.clear()

    def mark_begun(self) -> None:
        """Note that a request of the transaction is sent, so that a broker may have begun the transaction."""
        self.has_begun = True

    def mark_decided(self) -> None:
        """Note that EndTxn is sent: from now on only the same EndTxn may follow."""
        self.is_decided = True

    def require_new_epoch(self) -> None:
        """Require a new epoch, because a request has no response.

        The new epoch fences this request if it arrives late.
        """
        self.needs_epoch = True

    def mark_ended(self) -> None:
        """Note that the coordinator has committed or aborted the transaction."""
        self.has_begun = False
        self.is_committed = self.state is TransactionState.COMMITTING

    def next_writer(
        self, reaction: TransactionReaction | None, answer: EndTxnResponse | None
    ) -> OpenTransaction | None:
        """Return the producer id and epoch for the next transaction; None if the coordinator rejected EndTxn.

        `reaction` is the reaction to the response of EndTxn. `answer` is this response; None if there is none.
        """
        writer = self.writer
        assert writer is not None
        if reaction is TransactionReaction.DONE and writer.transaction_version >= EPOCH_BUMPS:
            assert answer is not None
            return writer._replace(producer_id=answer.producer_id, producer_epoch=answer.producer_epoch)
        if reaction is TransactionReaction.NEW_PRODUCER_ID:
            self.needs_epoch = True
            return writer
        is_done = reaction is TransactionReaction.DONE or (
            reaction is TransactionReaction.NOTHING_TO_END and self.needs_epoch
        )
        return writer if is_done else None

    def become_abortable(self, message: str, error_code: ErrorCode | None = None) -> ClientError:
        """Mark the transaction as failed, so that it can only be aborted; return the error to raise."""
        self.needs_epoch = True
        if self.failure is not None:
            return self.failure
        failure = TransactionAbortable(f"Transaction failed and has to be aborted: {message}", error_code)
        if self.state in (TransactionState.IN_TRANSACTION, TransactionState.COMMITTING):
            self.failure, self.state, self.is_decided = failure, TransactionState.ABORTABLE, False
        return failure

    def become_fatal(self, error: RequestRefused) -> RequestRefused:
        """Mark the producer as unusable; return the error to raise."""
        if self.state is not TransactionState.FATAL:
            self.failure, self.state = error, TransactionState.FATAL
        return error

    @property
    def unknown_outcome_note(self) -> str:
        """Sentence for the end of a fatal error message, if the last commit has an unknown outcome; else empty."""
        is_sent = self.state is TransactionState.COMMITTING and self.is_decided
        if self.is_committed or not (is_sent and self.needs_epoch):
            return ""
        return " The last commit has an unknown outcome: it may have happened. Read the committed records to find out."

    def fenced(self, error_code: ErrorCode) -> RequestRefused:
        return self.become_fatal(
            ProducerFenced(
                f"Producer fenced: a newer producer uses the transactional id '{self.transactional_id}', or a "
                "transaction exceeded 'transaction.timeout.ms'. Close this producer, and use each id in one producer "
                f"only ({error_code.name}).{self.unknown_outcome_note}",
                error_code,
            )
        )
