"""Errors of a log. Each message has the cause and what to do, in one sentence.

Refusals are caused by a writer or reader, and change nothing. Failures are caused by the disk.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.protocol.batches import CorruptBatch, UnsupportedMagic

__all__ = [
    "AppendFailed",
    "AppendRefused",
    "CorruptBatch",
    "DamagedBatch",
    "DirectoryInUse",
    "DirectoryUnusable",
    "DiskFull",
    "DuplicateSequence",
    "InvalidProducerEpoch",
    "InvalidRecord",
    "InvalidTimestamp",
    "InvalidTransactionState",
    "LogDamaged",
    "OffsetOutOfRange",
    "OutOfOrderSequence",
    "PartitionClosed",
    "PartitionFailed",
    "PartitionUnusable",
    "ReadFailed",
    "RecordBatchTooLarge",
    "RecordError",
    "RecordTooLarge",
    "StorageError",
    "TransactionCoordinatorFenced",
    "UnreadableBatch",
    "UnsupportedMagic",
]


class StorageError(Exception):
    pass


class AppendRefused(StorageError):
    """The batch is invalid and was not appended; the log is unchanged."""


class RecordError(NamedTuple):
    """Error of one record of a batch."""

    batch_index: int
    """Index of the record in its batch."""
    why: str


class InvalidRecord(AppendRefused):
    """Records of the batch are invalid. `record_errors` lists the invalid records, as far as they are known."""

    def __init__(self, why: str, record_errors: Sequence[RecordError] = ()) -> None:
        super().__init__(why)
        self.record_errors = record_errors


class UnreadableBatch(AppendRefused):
    """The batch cannot be decompressed, or a compressed batch has impossible offset deltas.

    As in Kafka, clients get the error UNKNOWN_SERVER_ERROR.
    """


class InvalidTimestamp(InvalidRecord):
    pass


class RecordTooLarge(AppendRefused):
    pass


class RecordBatchTooLarge(AppendRefused):
    """The batch is larger than a segment."""


class InvalidProducerEpoch(AppendRefused):
    """A producer with a newer epoch has written already."""


class OutOfOrderSequence(AppendRefused):
    """The sequence number of the batch does not follow that of the producer's last batch in this log."""


class InvalidTransactionState(AppendRefused):
    """The batch is not transactional, but its producer has an open transaction in this partition."""


class TransactionCoordinatorFenced(AppendRefused):
    """A coordinator with a newer epoch has written a marker already."""


class DuplicateSequence(AppendRefused):
    """The batch is in the log already. The response to the client is successful, with the offsets of that batch."""

    def __init__(self, base_offset: int, last_offset: int, timestamp_ms: int) -> None:
        super().__init__(f"this batch is in the log already, at offsets {base_offset} to {last_offset}")
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.timestamp_ms = timestamp_ms


class OffsetOutOfRange(StorageError):
    def __init__(self, offset: int, log_start_offset: int, log_end_offset: int) -> None:
        super().__init__(
            f"offset {offset} lies outside of the log, which reaches from {log_start_offset} to {log_end_offset}"
        )
        self.offset = offset
        self.log_start_offset = log_start_offset
        self.log_end_offset = log_end_offset


class AppendFailed(StorageError):
    """The disk could not store the batch; the log is unchanged."""


class DiskFull(AppendFailed):
    pass


class ReadFailed(StorageError):
    pass


class DamagedBatch(CorruptBatch):
    """Bytes of a segment have changed since they were written.

    The broker will set the damaged bytes aside. Later records stay readable.
    """


class PartitionClosed(StorageError):
    """The partition was closed or deleted during the operation."""


class PartitionFailed(StorageError):
    """A disk error has left the log on disk in an unknown state.

    Writes are refused until the log is restored; reads continue.
    """


class DirectoryInUse(StorageError):
    """Another process uses the data directory."""


class DirectoryUnusable(StorageError):
    """The data directory does not exist, belongs to another program, or has another format version."""


class LogDamaged(DirectoryUnusable):
    """A log that must be complete has damage that a crash cannot explain. Its files are unchanged."""


class PartitionUnusable(StorageError):
    """The files of one partition contradict the broker's metadata. Other partitions are not affected."""
