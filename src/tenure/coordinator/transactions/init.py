"""InitProducerId with a transactional id (rule 8.2): one producer uses the id, and all earlier ones are fenced."""

from typing import Final

from tenure.coordinator.answers import refuse
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.coordinator.transactions.answers import FreshIdWanted, Producer
from tenure.coordinator.transactions.commands import InitProducer
from tenure.coordinator.transactions.end import prepared
from tenure.coordinator.transactions.records import EpochRemembered
from tenure.coordinator.transactions.state import Transactions
from tenure.coordinator.transactions.states import PREPARED, State
from tenure.coordinator.transactions.transaction import NO_EPOCH, NO_PRODUCER_ID, Transaction, changed
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.transaction_state import TransactionLogKey, TransactionLogValue
from tenure.protocol.types import EPOCH_MAX, ProducerId

NOT_STARTED_MS: Final = -1


def init_producer(transactions: Transactions, ask: AskId, init: InitProducer, now: Now) -> CoordinatorResult:
    if not 0 < init.timeout_ms <= transactions.settings.transaction_max_timeout_ms:
        return refuse(ask, ErrorCode.INVALID_TRANSACTION_TIMEOUT)
    found = transactions.by_id.get(init.transactional_id)
    if found is None:
        if init.fresh_id is None:
            return _fresh_id_wanted(ask)
        return _written(ask, init, _new(init.fresh_id, init.timeout_ms), 0, NO_EPOCH, now)
    if init.producer_id != NO_PRODUCER_ID and not _is_valid_producer_id(found, init):
        return refuse(ask, ErrorCode.PRODUCER_FENCED)
    if found.state in PREPARED:
        return refuse(ask, ErrorCode.CONCURRENT_TRANSACTIONS)
    if found.state is State.ONGOING:
        return _fenced(ask, init, found, now)
    return _next_epoch(ask, init, found, now)


def _is_valid_producer_id(found: Transaction, init: InitProducer) -> bool:
    """Return whether the producer id in the request may be that of the present producer.

    The present id is accepted. The previous id is accepted if all of its epochs were used, because its producer may not
    know the present id yet. Before a producer has got its first epoch, every id is accepted.
    """
    value = found.value
    if value.producer_epoch == NO_EPOCH or init.producer_id == value.producer_id:
        return True
    return init.producer_id == value.previous_producer_id and init.producer_epoch >= EPOCH_MAX - 1


def _fenced(ask: AskId, init: InitProducer, found: Transaction, now: Now) -> CoordinatorResult:
    """Abort the open transaction, unless the request is one of a fenced producer.

    The abort raises the epoch, which fences the producer of the transaction. The answer is CONCURRENT_TRANSACTIONS.
    When the client repeats the request after the abort, it gets a still higher epoch.

    A request with a producer id and another epoch than the present one is from a fenced producer. It is refused with
    PRODUCER_FENCED, and the transaction stays open.
    """
    if init.producer_id != NO_PRODUCER_ID and init.producer_epoch != found.value.producer_epoch:
        return refuse(ask, ErrorCode.PRODUCER_FENCED)
    records, effects = prepared(init.transactional_id, found, State.PREPARE_ABORT, found.value.producer_epoch + 1, now)
    return CoordinatorResult(records, refuse(ask, ErrorCode.CONCURRENT_TRANSACTIONS).replies, effects)


def _next_epoch(ask: AskId, init: InitProducer, found: Transaction, now: Now) -> CoordinatorResult:
    value = found.value
    is_known = init.producer_id != NO_PRODUCER_ID
    if found.is_exhausted and (not is_known or _is_newest(found, init.producer_epoch)):
        if init.fresh_id is None:
            return _fresh_id_wanted(ask)
        last_epoch = init.producer_epoch if is_known else NO_EPOCH
        return _written(ask, init, value, 0, last_epoch, now, init.fresh_id)
    if not is_known:
        return _written(ask, init, value, value.producer_epoch + 1, NO_EPOCH, now)
    if init.producer_epoch == value.producer_epoch:
        return _written(ask, init, value, value.producer_epoch + 1, value.producer_epoch, now)
    if init.producer_epoch == found.last_epoch:  # the request is repeated, because its response was lost
        return _written(ask, init, value, value.producer_epoch, found.last_epoch, now)
    return refuse(ask, ErrorCode.PRODUCER_FENCED)


def _is_newest(found: Transaction, epoch: int) -> bool:
    """Return whether `epoch`, from a request, is the newest epoch that the broker has given to a producer.

    No producer gets EPOCH_MAX. But an abort after a timeout may raise the epoch of the transaction to EPOCH_MAX. Then
    the newest epoch of a producer is EPOCH_MAX - 1.
    """
    newest = found.value.producer_epoch
    return epoch == newest or (newest == EPOCH_MAX and epoch == found.last_epoch)


def _written(
    ask: AskId,
    init: InitProducer,
    value: TransactionLogValue,
    epoch: int,
    last_epoch: int,
    now: Now,
    producer_id: ProducerId | None = None,
) -> CoordinatorResult:
    record = changed(
        value, State.EMPTY, now.wall_ms, producer_id=producer_id, producer_epoch=epoch, timeout_ms=init.timeout_ms,
        start_ms=NOT_STARTED_MS,
    )  # fmt: skip
    return CoordinatorResult(
        [
            LogRecord(TransactionLogKey(init.transactional_id), record),
            EpochRemembered(init.transactional_id, last_epoch),
        ],
        ((ask, Producer(record.producer_id, epoch)),),
    )


def _new(producer_id: ProducerId, timeout_ms: int) -> TransactionLogValue:
    return TransactionLogValue(
        producer_id=producer_id,
        producer_epoch=NO_EPOCH,
        transaction_timeout_ms=timeout_ms,
        transaction_status=State.EMPTY,
        transaction_partitions=None,
        transaction_last_update_timestamp_ms=NOT_STARTED_MS,
        transaction_start_timestamp_ms=NOT_STARTED_MS,
    )


def _fresh_id_wanted(ask: AskId) -> CoordinatorResult:
    return CoordinatorResult((), ((ask, FreshIdWanted()),))
