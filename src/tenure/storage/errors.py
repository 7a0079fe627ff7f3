"""Errors of a log, each with cause and remedy in one sentence.

Refusals are caused by the writer or reader and change nothing. Failures are caused by the disk.
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
    """Error of a batch that must not be appended; the log is unchanged."""


class RecordError(NamedTuple):
    """Error in one record of a batch."""

    batch_index: int
    """Index of the record in its batch, from 0."""
    why: str


class InvalidRecord(AppendRefused):
    """Invalid records. `record_errors` names them if they are known."""

    def __init__(self, why: str, record_errors: Sequence[RecordError] = ()) -> None:
        super().__init__(why)
        self.record_errors = record_errors


class UnreadableBatch(AppendRefused):
    """The batch cannot be decompressed, or its offset deltas rule out compression: UNKNOWN_SERVER_ERROR."""


class InvalidTimestamp(InvalidRecord):
    pass


class RecordTooLarge(AppendRefused):
    pass


class RecordBatchTooLarge(AppendRefused):
    """The batch is larger than a segment."""


class InvalidProducerEpoch(AppendRefused):
    """A newer instance of this producer has written already."""


class OutOfOrderSequence(AppendRefused):
    """Batch whose sequence does not follow the producer's last one in this log."""


class InvalidTransactionState(AppendRefused):
    """The producer has a transaction open, and this is not part of it; or the other way round."""


class TransactionCoordinatorFenced(AppendRefused):
    """A newer coordinator has written a marker already."""


class DuplicateSequence(AppendRefused):
    """The batch is in the log already: answer as if it had just been written, with its first offsets."""

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
    """The disk failed to store the batch; the log still ends at its previous end."""


class DiskFull(AppendFailed):
    pass


class ReadFailed(StorageError):
    pass


class DamagedBatch(CorruptBatch):
    """Bytes of a segment are not those that were written. They are quarantined; later records stay readable."""


class PartitionClosed(StorageError):
    """The partition was closed or deleted while it was in use."""


class PartitionFailed(StorageError):
    """The disk's state is unknown: writes are refused until the partition is reopened; reads are served."""


class DirectoryInUse(StorageError):
    """Another process has the data directory."""


class DirectoryUnusable(StorageError):
    """The data directory is missing, foreign, or of another version."""


class LogDamaged(DirectoryUnusable):
    """A log that must be complete has damage other than a torn tail. Its files are unchanged."""


class PartitionUnusable(StorageError):
    """The files of one partition do not match the broker's metadata. Other partitions are not affected."""
