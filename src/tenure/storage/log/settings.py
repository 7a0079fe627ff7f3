"""Settings of a log. Names and defaults are Kafka's topic configurations."""

from enum import Enum
from typing import NamedTuple

from tenure.protocol.batches import TimestampType
from tenure.protocol.compression import Codec


class Durability(Enum):
    """Point at which an append counts as safe."""

    MEMORY = "memory"
    """Appends are safe at once, and nothing is ever written. For tests."""
    OS = "os"
    """Appends are safe once the operating system has them, which survives a crash of the process, not of the machine.
    Kafka's default."""
    FSYNC = "fsync"
    """Appends are safe once the disk has them, which survives both. See `Partition.sync`."""


class LogSettings(NamedTuple):
    segment_bytes: int = 1_073_741_824
    segment_ms: int = 604_800_000
    retention_ms: int = 604_800_000
    """Retention time in ms; -1: no limit."""
    retention_bytes: int = -1
    """Retained bytes; -1: no limit."""
    index_interval_bytes: int = 4096
    max_message_bytes: int = 1_048_588
    """Size of one record batch as received."""
    message_timestamp_type: TimestampType = TimestampType.CREATE_TIME
    message_timestamp_before_max_ms: int = 9_223_372_036_854_775_807
    message_timestamp_after_max_ms: int = 3_600_000
    """Largest distance of a record's time behind the broker's clock, and ahead of it."""
    producer_id_expiration_ms: int = 86_400_000
    deletes: bool = True
    """`cleanup.policy` contains `delete`: retention applies."""
    compacts: bool = False
    """`cleanup.policy` contains `compact`: of each key only the newest record stays, after a while."""
    min_cleanable_dirty_ratio: float = 0.5
    delete_retention_ms: int = 86_400_000
    """Time for which a tombstone stays after the first compaction that read it."""
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = 9_223_372_036_854_775_807
    compression: Codec | None = None
    """Codec of stored batches; None for that of their producers."""
    compression_level: int | None = None
    """Compression level; None for the default of the codec."""
