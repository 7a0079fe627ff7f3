"""A transactional producer's state: what its user may do now, and what follows from what brokers answer. No I/O.

    uninitialized -> ready -> in transaction -> committing | aborting -> ready (KIP-98)
                                 |  failed          |
                                 +-> abortable <----+        abortable -> aborting
    any -> fatal

Everything is one transaction's or the producer's. What cost one transaction (a batch that failed, a group that refused
its offsets) is made good by aborting it, in an epoch of its own afterwards: what is still under way of it is fenced
then (KIP-360; KIP-890 does so at every end). What cost the producer, another one under its id, is fatal.

An end that was sent is decided. Its answer may be lost, and so nothing else may follow but the same end again.
"""

from enum import Enum
from typing import Final

from tenure.client.errors import ClientError, InvalidTxnState, ProducerFenced, RequestRefused, TransactionAbortable
from tenure.client.transaction_errors import Reaction
from tenure.client.values import OpenTransaction, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import EndTxnResponse

EPOCH_BUMPS: Final = 2
"""The transaction version from which on every end raises the epoch, and writing to a partition adds it."""


class State(Enum):
    """Named as the sentence "the producer is ..." has them."""

    UNINITIALIZED = "not initialized: call init_transactions() first"
    READY = "in no transaction: call begin_transaction() first"
    IN_TRANSACTION = "in a transaction: commit or abort it first"
    COMMITTING = "committing its transaction: commit_transaction() again is all that may follow"
    ABORTING = "aborting its transaction: abort_transaction() again is all that may follow"
    ABORTABLE = "in a transaction that failed: call abort_transaction()"
    FATAL = "of no use any more: close it"


class Transactions:
    def __init__(self, transactional_id: str) -> None:
        self.transactional_id: Final = transactional_id
        self.state = State.UNINITIALIZED
        self.writer: OpenTransaction | None = None
        """None until initialized."""
        self.partitions: Final[set[TopicPartition]] = set()
        """That the transaction's coordinator was told of; under version 2 nobody tells it."""
        self.failure: ClientError | None = None
        """Invariant: None unless the state is ABORTABLE or FATAL. Set before it: `send` looks from other threads."""
        self.has_begun = False
        """Whether a broker may know of the transaction."""
        self.is_decided = False
        """Whether its end was sent."""
        self.is_committed = False
        """Whether it certainly is."""
        self.needs_epoch = False
        """Whether something of the transaction may still be under way when it has ended."""
        self.is_lent = False
        """Whether somebody else began the transaction, and will end it."""

    @classmethod
    def within(cls, transaction: OpenTransaction) -> "Transactions":
        """For who only writes in it."""
        transactions = cls(transaction.transactional_id)
        transactions.initialized(transaction)
        transactions.begin()
        transactions.is_lent = True
        return transactions

    # --- what the user may do -----------------------------------------------------------------------------------------

    def check_initialize(self) -> None:
        self._check("init_transactions()", State.UNINITIALIZED)

    def check_write(self, call: str) -> None:
        """Raises `InvalidTxnState`, `TransactionAbortable`, and what was fatal."""
        if self.state is not State.IN_TRANSACTION:
            self._check(call, State.IN_TRANSACTION)

    def begin(self) -> None:
        self._check("begin_transaction()", State.READY)
        self.state = State.IN_TRANSACTION

    def become_committing(self) -> None:
        self._check_not_lent("commit_transaction()")
        self._check("commit_transaction()", State.IN_TRANSACTION, State.COMMITTING)
        self.state = State.COMMITTING

    def become_aborting(self) -> None:
        self._check_not_lent("abort_transaction()")
        undecided = () if self.is_decided else (State.COMMITTING,)
        self._check("abort_transaction()", State.IN_TRANSACTION, State.ABORTING, State.ABORTABLE, *undecided)
        self.state, self.failure = State.ABORTING, None

    def _check(self, call: str, *states: State) -> None:
        if self.state in states and self.failure is None:
            return
        if self.state is State.ABORTABLE and State.ABORTABLE in states:
            return
        if self.failure is not None:
            raise self.failure
        raise InvalidTxnState(f"{call} makes no sense now: this producer is {self.state.value}.")

    def _check_not_lent(self, call: str) -> None:
        if self.is_lent:
            raise InvalidTxnState(f"{call} is for who began the transaction: this producer only writes in it.")

    # --- what came of it ----------------------------------------------------------------------------------------------

    def initialized(self, writer: OpenTransaction) -> None:
        self.writer = writer
        self._become_ready()

    def touched(self) -> None:
        """A broker is about to hear of the transaction."""
        self.has_begun = True

    def decided(self) -> None:
        self.is_decided = True

    def doubted(self) -> None:
        """Something was asked and not answered: when it arrives late, it must not be taken for the next one's."""
        self.needs_epoch = True

    def answered(self) -> None:
        """Its end was. What is left to do is about the next one."""
        self.has_begun = False
        self.is_committed = self.state is State.COMMITTING

    def next_writer(self, reaction: Reaction | None, answer: EndTxnResponse | None) -> OpenTransaction | None:
        """Who writes on, by what was answered to its end; None: it was refused."""
        writer = self.writer
        assert writer is not None
        if reaction is Reaction.DONE and writer.transaction_version >= EPOCH_BUMPS:
            assert answer is not None
            return writer._replace(producer_id=answer.producer_id, producer_epoch=answer.producer_epoch)
        if reaction is Reaction.BEGIN_ANEW:
            self.needs_epoch = True
            return writer
        is_done = reaction is Reaction.DONE or (reaction is Reaction.NOTHING_TO_END and self.needs_epoch)
        return writer if is_done else None

    def ended(self, writer: OpenTransaction) -> None:
        """`writer` is who writes in the next transaction."""
        self.writer = writer
        self._become_ready()

    def _become_ready(self) -> None:
        self.state, self.failure = State.READY, None
        self.has_begun = self.is_decided = self.is_committed = self.needs_epoch = False
        self.partitions.clear()

    def failed(self, message: str, error_code: ErrorCode | None = None) -> ClientError:
        """A part of the transaction was not done, or not certainly. The answer is what to raise."""
        self.needs_epoch = True
        if self.failure is not None:
            return self.failure
        failure = TransactionAbortable(f"This transaction has to be aborted: {message}", error_code)
        if self.state in (State.IN_TRANSACTION, State.COMMITTING):
            self.failure, self.state, self.is_decided = failure, State.ABORTABLE, False
        return failure

    def become_fatal(self, error: RequestRefused) -> RequestRefused:
        if self.state is not State.FATAL:
            self.failure, self.state = error, State.FATAL
        return error

    @property
    def doubt(self) -> str:
        """What is to be said beside what was fatal."""
        is_sent = self.state is State.COMMITTING and self.is_decided
        if self.is_committed or not (is_sent and self.needs_epoch):
            return ""
        return " Its last commit had no certain answer, and may have happened: read what is committed."

    def fenced(self, error_code: ErrorCode) -> RequestRefused:
        return self.become_fatal(
            ProducerFenced(
                f"The transactional id '{self.transactional_id}' belongs to another producer now, or a transaction "
                "lasted longer than 'transaction.timeout.ms' and was aborted: close this producer, and let no two use "
                f"one id ({error_code.name}).{self.doubt}",
                error_code,
            )
        )
