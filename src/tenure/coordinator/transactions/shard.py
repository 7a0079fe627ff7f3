"""Transactions shard: one partition of `__transaction_state`, and the transactional ids in it."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

from tenure.coordinator.answers import Refused
from tenure.coordinator.shard import AskId, CoordinatorResult, InvariantError, LogRecord, Now
from tenure.coordinator.timer_heap import TimerHeap
from tenure.coordinator.transactions.commands import (
    AddPartitions,
    DescribeTransaction,
    EndTransaction,
    InitProducer,
    ListTransactions,
    MarkersWritten,
)
from tenure.coordinator.transactions.describe import describe_transaction, list_transactions
from tenure.coordinator.transactions.end import end_transaction, markers_of, markers_written
from tenure.coordinator.transactions.expiry import IdExpiryDue, TransactionDue, id_expiry_due, transaction_due
from tenure.coordinator.transactions.init import init_producer
from tenure.coordinator.transactions.partitions import add_partitions
from tenure.coordinator.transactions.records import (
    EpochRemembered,
    IdExpiryScheduled,
    TransactionTimed,
    TransactionTookTooLong,
)
from tenure.coordinator.transactions.state import Transactions, TransactionSettings
from tenure.coordinator.transactions.states import PREPARED, State
from tenure.coordinator.transactions.transaction import Transaction
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.transaction_state import TransactionLogKey, TransactionLogValue

RULES: Final[dict[type, Callable[[Transactions, AskId, Any, Now], CoordinatorResult]]] = {
    InitProducer: init_producer,
    AddPartitions: add_partitions,
    EndTransaction: end_transaction,
    MarkersWritten: markers_written,
    DescribeTransaction: describe_transaction,
    ListTransactions: list_transactions,
    TransactionDue: transaction_due,
    IdExpiryDue: id_expiry_due,
}


class TimerKind(IntEnum):
    TRANSACTION = 0
    ID_EXPIRY = 1


class Timer(NamedTuple):
    kind: TimerKind
    transactional_id: str = ""


ID_EXPIRY: Final = Timer(TimerKind.ID_EXPIRY)


class TransactionsShard:
    __slots__ = ("_timers", "_transactions")

    def __init__(self, settings: TransactionSettings) -> None:
        self._transactions = Transactions(settings)
        self._timers: TimerHeap[Timer] = TimerHeap(self._deadline_of)

    def _deadline_of(self, timer: Timer) -> int | None:
        if timer == ID_EXPIRY:
            return self._transactions.id_expiry_deadline_ms
        found = self._transactions.by_id.get(timer.transactional_id)
        return None if found is None or found.state is not State.ONGOING else found.deadline_ms

    def handle(self, ask: AskId, command: object, now: Now) -> CoordinatorResult:
        return RULES[type(command)](self._transactions, ask, command, now)

    def apply(self, record: object) -> None:
        transactions = self._transactions
        if isinstance(record, LogRecord):
            self._apply_logged(record)
        elif isinstance(record, EpochRemembered):
            transactions.by_id[record.transactional_id].last_epoch = record.epoch
        elif isinstance(record, TransactionTimed):
            transactions.by_id[record.transactional_id].deadline_ms = record.deadline_ms
            self._timers.arm(Timer(TimerKind.TRANSACTION, record.transactional_id), record.deadline_ms)
        elif isinstance(record, TransactionTookTooLong):
            transactions.timed_out += 1
        elif isinstance(record, IdExpiryScheduled):
            transactions.id_expiry_deadline_ms = record.deadline_ms
            transactions.ids_expired += record.ids_expired
            self._timers.arm(ID_EXPIRY, record.deadline_ms)
        else:
            raise InvariantError(f"unexpected record in a transactions shard: {record!r}")

    def _apply_logged(self, record: LogRecord) -> None:
        key, value, by_id = record.key, record.value, self._transactions.by_id
        if not isinstance(key, TransactionLogKey):
            raise InvariantError(f"unexpected record in a transactions shard: {record!r}")
        if not isinstance(value, TransactionLogValue):
            by_id.pop(key.transactional_id, None)
        elif key.transactional_id in by_id:
            by_id[key.transactional_id].set_value(value)
        else:
            by_id[key.transactional_id] = Transaction(value)

    def loaded(self, now: Now) -> CoordinatorResult:
        """Return the records and effects that follow a load.

        The effects write the markers of decided transactions. The records set the deadlines of open transactions.
        """
        transactions = self._transactions
        records: list[object] = []
        effects: list[object] = []
        for transactional_id, found in transactions.by_id.items():
            value = found.value
            if found.state in PREPARED:
                effects.append(markers_of(transactional_id, value))
            elif found.state is State.ONGOING:
                left_ms = value.transaction_start_timestamp_ms + value.transaction_timeout_ms - now.wall_ms
                records.append(TransactionTimed(transactional_id, now.tick_ms + max(left_ms, 0)))
        interval_ms = transactions.settings.transaction_remove_expired_cleanup_interval_ms
        return CoordinatorResult([*records, IdExpiryScheduled(now.tick_ms + interval_ms)], (), effects)

    def due(self, now: Now) -> Sequence[object]:
        passed = self._timers.take(now.tick_ms)
        return [IdExpiryDue() if each == ID_EXPIRY else TransactionDue(each.transactional_id) for each in passed]

    def next_deadline_ms(self) -> int | None:
        return self._timers.next_ms()

    def scope(self, command: object) -> str | None:
        return getattr(command, "transactional_id", None)

    def unavailable(self, command: object, error_code: ErrorCode) -> object:  # noqa: ARG002
        return Refused(error_code)

    def not_logged(self, answer: object, storage_error: ErrorCode) -> object:  # noqa: ARG002
        """Return COORDINATOR_NOT_AVAILABLE for a command whose records were not written, whatever the error was."""
        return Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)

    @property
    def transactions(self) -> Transactions:
        """State of the shard. Callers must not change it."""
        return self._transactions

    def parked(self) -> Sequence[AskId]:
        return ()

    def digest(self) -> object:
        by_id = self._transactions.by_id
        return {transactional_id: (found.value, found.last_epoch) for transactional_id, found in by_id.items()}
