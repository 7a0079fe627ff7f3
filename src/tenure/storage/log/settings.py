"""Settings of a log, with the names and defaults of Kafka's topic configs."""

from enum import Enum
from typing import NamedTuple

from tenure.protocol.batches import TimestampType
from tenure.protocol.compression import Codec


class Durability(Enum):
    """Mode that defines when an append is durable."""

    MEMORY = "memory"
    """Durable at once; nothing is written to disk. For tests."""
    OS = "os"
    """Durable when the operating system has the bytes: they survive a crash of the process, but not of the machine.

    Kafka works in this mode by default.
    """
    FSYNC = "fsync"
    """Durable when the disk has the bytes: they survive both kinds of crashes. See `Partition.sync`."""


class LogSettings(NamedTuple):
    segment_bytes: int = 1_073_741_824
    segment_ms: int = 604_800_000
    retention_ms: int = 604_800_000
    """Retention time in ms; -1 for no limit."""
    retention_bytes: int = -1
    """Greatest size of the log; -1 for no limit."""
    index_interval_bytes: int = 4096
    max_message_bytes: int = 1_048_588
    """Greatest size of a received record batch."""
    message_timestamp_type: TimestampType = TimestampType.CREATE_TIME
    message_timestamp_before_max_ms: int = 9_223_372_036_854_775_807
    message_timestamp_after_max_ms: int = 3_600_000
    """Greatest time in ms by which a record's timestamp may be after the broker's clock.

    `message_timestamp_before_max_ms` is the greatest time by which it may be before the broker's clock.
    """
    producer_id_expiration_ms: int = 86_400_000
    deletes: bool = True
    """True if `cleanup.policy` contains `delete`, so that retention applies."""
    compacts: bool = False
    """True if `cleanup.policy` contains `compact`, so that only the newest record of each key is kept."""
    min_cleanable_dirty_ratio: float = 0.5
    delete_retention_ms: int = 86_400_000
    """Time for which a tombstone is kept after its first compaction."""
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = 9_223_372_036_854_775_807
    compression: Codec | None = None
    """Compression of stored batches. With None, a batch keeps the compression that its producer chose."""
    compression_level: int | None = None
    """Compression level; None for the codec's default."""
