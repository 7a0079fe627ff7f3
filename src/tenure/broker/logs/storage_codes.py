"""Kafka's error codes for errors of a log."""

from typing import Final

from tenure.protocol.batches import CorruptBatch, UnsupportedMagic
from tenure.protocol.errors import ErrorCode
from tenure.storage.errors import (
    InvalidProducerEpoch,
    InvalidRecord,
    InvalidTimestamp,
    InvalidTransactionState,
    OffsetOutOfRange,
    OutOfOrderSequence,
    RecordBatchTooLarge,
    RecordTooLarge,
    StorageError,
    TransactionCoordinatorFenced,
    UnreadableBatch,
)

LogError = StorageError | CorruptBatch | UnsupportedMagic

LOG_ERRORS: Final = (StorageError, CorruptBatch, UnsupportedMagic)

_CODES: Final[dict[type[Exception], ErrorCode]] = {
    CorruptBatch: ErrorCode.CORRUPT_MESSAGE,
    InvalidProducerEpoch: ErrorCode.INVALID_PRODUCER_EPOCH,
    InvalidRecord: ErrorCode.INVALID_RECORD,
    InvalidTimestamp: ErrorCode.INVALID_TIMESTAMP,
    InvalidTransactionState: ErrorCode.INVALID_TXN_STATE,
    OffsetOutOfRange: ErrorCode.OFFSET_OUT_OF_RANGE,
    OutOfOrderSequence: ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    RecordBatchTooLarge: ErrorCode.RECORD_LIST_TOO_LARGE,
    RecordTooLarge: ErrorCode.MESSAGE_TOO_LARGE,
    TransactionCoordinatorFenced: ErrorCode.TRANSACTION_COORDINATOR_FENCED,
    UnreadableBatch: ErrorCode.UNKNOWN_SERVER_ERROR,
    UnsupportedMagic: ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT,
}


def error_code_of(error: LogError) -> ErrorCode:
    """Return Kafka's code for an error of a log.

    If no other code fits, it is KAFKA_STORAGE_ERROR, because clients retry after this error.
    """
    return _CODES.get(type(error), ErrorCode.KAFKA_STORAGE_ERROR)
