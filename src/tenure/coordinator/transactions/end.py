"""EndTxn (rule 8.4): the decision to commit or abort, the effect that writes the markers, and the completion.

Under transaction version 2 (KIP-890), the end of each transaction raises the producer's epoch. So the epoch in a
request shows whether the request is new or repeated. And a late record cannot become part of the next transaction.
"""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.answers import refuse
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.transactions.answers import FreshIdWanted, Producer
from tenure.coordinator.transactions.commands import EndTransaction, MarkersWritten
from tenure.coordinator.transactions.effects import WriteMarkers
from tenure.coordinator.transactions.records import EpochRemembered
from tenure.coordinator.transactions.state import Transactions
from tenure.coordinator.transactions.states import PREPARED, State
from tenure.coordinator.transactions.transaction import (
    NO_PRODUCER_ID,
    Transaction,
    changed,
    partitions_of,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.transaction_state import TransactionLogKey, TransactionLogValue
from tenure.protocol.types import EPOCH_BUMPS, EPOCH_MAX, ProducerId

PREPARE: Final = {True: State.PREPARE_COMMIT, False: State.PREPARE_ABORT}
COMPLETE: Final = {True: State.COMPLETE_COMMIT, False: State.COMPLETE_ABORT}


def end_transaction(transactions: Transactions, ask: AskId, end: EndTransaction, now: Now) -> CoordinatorResult:
    found = transactions.by_id.get(end.transactional_id)
    if found is None:
        return refuse(ask, ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    raises_epoch = end.client_version >= EPOCH_BUMPS
    if raises_epoch and found.state in PREPARED:  # before id, epoch and decision are checked
        return refuse(ask, ErrorCode.CONCURRENT_TRANSACTIONS)
    is_repeated = raises_epoch and _is_repeated(found, end)
    if found.value.producer_id != end.producer_id and not (is_repeated and _has_a_new_id(found, end)):
        return refuse(ask, ErrorCode.INVALID_PRODUCER_ID_MAPPING)
    if not _has_valid_epoch(found, end, is_repeated=is_repeated, raises_epoch=raises_epoch):
        return refuse(ask, ErrorCode.PRODUCER_FENCED)
    refusal = _refusal(found.state, end.is_commit, is_repeated=is_repeated, raises_epoch=raises_epoch)
    if not refusal and found.value.producer_epoch == EPOCH_MAX:  # a timeout has used up the last epoch
        return refuse(ask, ErrorCode.PRODUCER_FENCED)
    if refusal is ErrorCode.NONE:
        return CoordinatorResult((), ((ask, Producer(found.value.producer_id, found.value.producer_epoch)),))
    if refusal is not None:
        return refuse(ask, refusal)
    return _decided(ask, end, found, now)


def _is_repeated(found: Transaction, end: EndTransaction) -> bool:
    return found.value.producer_epoch == end.producer_epoch + 1 or _has_a_new_id(found, end)


def _has_a_new_id(found: Transaction, end: EndTransaction) -> bool:
    """Return whether `end` repeats a request whose answer contained a new producer id.

    The producer got the new id because no epochs of its previous id were left.
    """
    value = found.value
    was_last = end.producer_epoch == EPOCH_MAX - 1 and value.producer_epoch == 0
    return was_last and value.previous_producer_id == end.producer_id


def _has_valid_epoch(found: Transaction, end: EndTransaction, *, is_repeated: bool, raises_epoch: bool) -> bool:
    is_current = end.producer_epoch == found.value.producer_epoch
    if not raises_epoch or found.state in (State.ONGOING, State.EMPTY):
        return is_current
    return is_repeated or is_current


def _refusal(state: State, is_commit: bool, *, is_repeated: bool, raises_epoch: bool) -> ErrorCode | None:
    """Return the error of an EndTxn request.

    Return None if the transaction has to be ended now. Return `ErrorCode.NONE` if an earlier request has ended the
    transaction in the same way, so that this request is only confirmed.

    Args:
        state: State of the transaction.
        is_commit: Whether the request is a commit.
        is_repeated: Whether the epoch or producer id of the request shows that the client repeats it.
        raises_epoch: Whether the end raises the producer's epoch (transaction version 2).
    """
    if state is State.ONGOING:
        return None
    if state in PREPARED:
        return ErrorCode.CONCURRENT_TRANSACTIONS
    if state is COMPLETE[is_commit] and (is_repeated or not raises_epoch):
        return ErrorCode.NONE
    if raises_epoch and not is_commit and not is_repeated:
        return None  # an abort without a transaction raises the epoch, too
    return ErrorCode.INVALID_TXN_STATE


def _decided(ask: AskId, end: EndTransaction, found: Transaction, now: Now) -> CoordinatorResult:
    value, fresh_id = found.value, NO_PRODUCER_ID
    epoch = value.producer_epoch
    if end.client_version >= EPOCH_BUMPS:
        if found.is_exhausted:
            if end.fresh_id is None:
                return CoordinatorResult((), ((ask, FreshIdWanted()),))
            fresh_id = end.fresh_id
        epoch += 1
    records, effects = prepared(
        end.transactional_id, found, PREPARE[end.is_commit], epoch, now, end.client_version, fresh_id
    )
    producer = Producer(value.producer_id, epoch) if fresh_id == NO_PRODUCER_ID else Producer(ProducerId(fresh_id), 0)
    return CoordinatorResult(records, ((ask, producer),), effects)


def prepared(
    transactional_id: str,
    found: Transaction,
    state: State,
    epoch: int,
    now: Now,
    client_version: int = EPOCH_BUMPS,
    next_producer_id: int = NO_PRODUCER_ID,
) -> tuple[list[object], Sequence[object]]:
    """Return the records of the decision to commit or abort, and the effect that writes the markers.

    `state` is PREPARE_COMMIT or PREPARE_ABORT, and `epoch` is the producer's epoch in the markers. `client_version` is
    the transaction version of the client that ends its transaction. Without such a client, as after a timeout, it is 2,
    as in Kafka.
    """
    value = found.value
    is_ongoing = found.state is State.ONGOING
    record = changed(
        value,
        state,
        now.wall_ms,
        producer_epoch=epoch,
        next_producer_id=next_producer_id,
        partitions=None if is_ongoing else (),
        start_ms=None if is_ongoing else now.wall_ms,
        client_version=client_version,
    )
    records: list[object] = [LogRecord(TransactionLogKey(transactional_id), record)]
    if epoch != value.producer_epoch:
        records.append(EpochRemembered(transactional_id, value.producer_epoch))
    return records, (markers_of(transactional_id, record),)


def markers_of(transactional_id: str, value: TransactionLogValue) -> WriteMarkers:
    return WriteMarkers(
        transactional_id,
        value.producer_id,
        value.producer_epoch,
        value.transaction_status == State.PREPARE_COMMIT,
        value.client_transaction_version,
        partitions_of(value),
    )


def markers_written(transactions: Transactions, _: AskId, written: MarkersWritten, now: Now) -> CoordinatorResult:
    """Complete the transaction.

    Markers are written again after a fail-over. So `MarkersWritten` may arrive twice, or after the transaction was
    completed; the second one is ignored.
    """
    found = transactions.by_id.get(written.transactional_id)
    if found is None or found.state not in PREPARED:
        return CoordinatorResult()
    value = found.value
    if (value.producer_id, value.producer_epoch) != (written.producer_id, written.producer_epoch):
        return CoordinatorResult()
    has_new_id = value.next_producer_id != NO_PRODUCER_ID
    record = changed(
        value,
        COMPLETE[found.state is State.PREPARE_COMMIT],
        now.wall_ms,
        producer_id=value.next_producer_id if has_new_id else None,
        producer_epoch=0 if has_new_id else None,
        partitions=(),
    )
    return CoordinatorResult([LogRecord(TransactionLogKey(written.transactional_id), record)])
