"""What an operator decides about a log. Names and defaults are Kafka's topic configurations."""

from enum import Enum
from typing import NamedTuple

from tenure.protocol.compression import Codec
from tenure.protocol.records import TimestampType


class Durability(Enum):
    """When an append counts as safe."""

    MEMORY = "memory"
    """At once; nothing is ever written. For tests."""
    OS = "os"
    """Once the operating system has it: survives the process, not the machine. Kafka's way."""
    FSYNC = "fsync"
    """Once the disk has it: survives both. `Partition.sync` makes it so."""


class LogSettings(NamedTuple):
    segment_bytes: int = 1_073_741_824
    segment_ms: int = 604_800_000
    retention_ms: int = 604_800_000
    """-1: no limit."""
    retention_bytes: int = -1
    """-1: no limit."""
    index_interval_bytes: int = 4096
    max_message_bytes: int = 1_048_588
    """Of one record batch, as it comes."""
    message_timestamp_type: TimestampType = TimestampType.CREATE_TIME
    message_timestamp_before_max_ms: int = 9_223_372_036_854_775_807
    message_timestamp_after_max_ms: int = 3_600_000
    """How far a record may lie behind the broker's clock, and ahead of it."""
    producer_id_expiration_ms: int = 86_400_000
    deletes: bool = True
    """`cleanup.policy` contains `delete`: retention applies."""
    compacts: bool = False
    """`cleanup.policy` contains `compact`: of each key only the newest record stays, after a while."""
    min_cleanable_dirty_ratio: float = 0.5
    delete_retention_ms: int = 86_400_000
    """How long a tombstone stays after the first compaction that met it."""
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = 9_223_372_036_854_775_807
    compression: Codec | None = None
    """What batches are packed by; None: as their producers did."""
    compression_level: int | None = None
    """None: the codec's own."""
