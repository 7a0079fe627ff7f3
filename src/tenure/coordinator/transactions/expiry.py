"""Timeouts: transactions that take too long are aborted, and unused transactional ids are removed."""

from itertools import islice

from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.transactions.end import prepared
from tenure.coordinator.transactions.records import IdExpiryScheduled, TransactionTookTooLong
from tenure.coordinator.transactions.state import Transactions
from tenure.coordinator.transactions.states import AT_REST, State
from tenure.coordinator.values import value
from tenure.limits.coordinator import TRANSACTIONAL_IDS_REMOVED_PER_STEP_MAX
from tenure.protocol.generated.transaction_state import TransactionLogKey


@value
class TransactionDue:
    transactional_id: str


@value
class IdExpiryDue:
    pass


def transaction_due(transactions: Transactions, _: AskId, due: TransactionDue, now: Now) -> CoordinatorResult:
    """Abort a transaction that has timed out, and raise its epoch, which fences its producer (rule 8.6.5)."""
    found = transactions.by_id.get(due.transactional_id)
    if found is None or found.state is not State.ONGOING:
        return CoordinatorResult()
    epoch = found.value.producer_epoch + 1
    records, effects = prepared(due.transactional_id, found, State.PREPARE_ABORT, epoch, now)
    return CoordinatorResult([*records, TransactionTookTooLong()], (), effects)


def id_expiry_due(transactions: Transactions, _: AskId, __: IdExpiryDue, now: Now) -> CoordinatorResult:
    """Remove a bounded number of unused transactional ids; if more are left, continue in the next turn."""
    settings = transactions.settings
    before_ms = now.wall_ms - settings.transactional_id_expiration_ms
    unused = (
        transactional_id
        for transactional_id, found in transactions.by_id.items()
        if found.state in AT_REST and found.value.transaction_last_update_timestamp_ms <= before_ms
    )
    some = list(islice(unused, TRANSACTIONAL_IDS_REMOVED_PER_STEP_MAX))
    is_last = next(unused, None) is None
    next_ms = now.tick_ms + (settings.transaction_remove_expired_cleanup_interval_ms if is_last else 0)
    gone = [LogRecord(TransactionLogKey(transactional_id), None) for transactional_id in some]
    return CoordinatorResult([*gone, IdExpiryScheduled(next_ms, len(gone))])
