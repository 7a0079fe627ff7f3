"""Partitions of a transaction (rules 8.3 and 8.5.2): added by request, added by writing to them, or verified."""

from tenure.coordinator.answers import ACCEPTED, refuse
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.transactions.commands import Adding, AddPartitions
from tenure.coordinator.transactions.records import TransactionTimed
from tenure.coordinator.transactions.state import Transactions
from tenure.coordinator.transactions.states import PREPARED, State
from tenure.coordinator.transactions.transaction import Transaction, changed
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.transaction_state import TransactionLogKey
from tenure.protocol.types import EPOCH_BUMPS, EPOCH_MAX


def add_partitions(transactions: Transactions, ask: AskId, add: AddPartitions, now: Now) -> CoordinatorResult:
    found = transactions.by_id.get(add.transactional_id)
    if found is None or found.value.producer_id != add.producer_id:
        return refuse(ask, ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    # No producer has the last epoch.
    if found.value.producer_epoch != add.producer_epoch or add.producer_epoch == EPOCH_MAX:
        return refuse(ask, ErrorCode.PRODUCER_FENCED)
    if found.state in PREPARED:
        return refuse(ask, ErrorCode.CONCURRENT_TRANSACTIONS)
    is_ongoing = found.state is State.ONGOING
    if is_ongoing and found.partitions.issuperset(add.partitions):
        return CoordinatorResult((), ((ask, ACCEPTED),))
    if add.how is Adding.VERIFY:
        return refuse(ask, ErrorCode.TRANSACTION_ABORTABLE)
    if add.how is Adding.VERIFY_FOR_OLD_CLIENT:
        return refuse(ask, ErrorCode.INVALID_TXN_STATE)
    return _added(ask, add, found, now, is_new=not is_ongoing)


def _added(ask: AskId, add: AddPartitions, found: Transaction, now: Now, *, is_new: bool) -> CoordinatorResult:
    value = found.value
    record = changed(
        value,
        State.ONGOING,
        now.wall_ms,
        partitions=(frozenset() if is_new else found.partitions) | set(add.partitions),
        start_ms=now.wall_ms if is_new else None,
        client_version=EPOCH_BUMPS if add.how is Adding.IMPLICIT else 0,
    )
    records: list[object] = [LogRecord(TransactionLogKey(add.transactional_id), record)]
    if is_new:
        records.append(TransactionTimed(add.transactional_id, now.tick_ms + value.transaction_timeout_ms))
    return CoordinatorResult(records, ((ask, ACCEPTED),))
