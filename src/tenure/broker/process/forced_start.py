"""Changes by which Tenure can serve a data directory of Apache Kafka with unsupported objects (`tenure serve --force`).

Records are appended to the metadata log. They unregister other brokers, remove topics that Tenure cannot serve, and
make this node's replica of a partition the only one. No file is deleted: logs of removed topics are renamed later in
the start.

A marker file exists from the beginning of the start until these records are written. If the start is interrupted, the
file tells the next start to check the directory again, as one that Apache Kafka has used.
"""

from collections.abc import Sequence
from time import time_ns
from typing import Final

from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.cluster_metadata import encode_record
from tenure.protocol.message import Message
from tenure.protocol.records import Record
from tenure.storage.data_directory import DataDirectory
from tenure.storage.files import DataFiles
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA

_MARKER: Final = ".forced-takeover"
"""Name of the marker file. Do not change it, because an interrupted start of an older version may have left one."""
_BATCH_BYTES_MAX: Final = 2**31 - 1


def begin_forced_start(files: DataFiles, path: str) -> None:
    """Create the marker file, before the directory is opened. Raises OSError."""
    files.write(f"{path}/{_MARKER}", b"", sync=True)
    files.sync_directory(path)


def is_interrupted(files: DataFiles, path: str) -> bool:
    """Return whether a forced start was interrupted before it changed the metadata log."""
    return files.exists(f"{path}/{_MARKER}")


def complete_forced_start(directory: DataDirectory, changes: Sequence[Message]) -> None:
    """Append change records to the metadata log, and remove the marker file.

    Raises OSError, `StorageError`.
    """
    settings = LogSettings(max_message_bytes=_BATCH_BYTES_MAX, deletes=False)
    partition = Partition.open(directory, CLUSTER_METADATA, settings, durability=Durability.FSYNC)
    try:
        if changes:
            now_ms = time_ns() // 1_000_000
            records = [Record(0, now_ms, None, encode_record(change)) for change in changes]
            partition.append(encode_batch(records), now_ms=now_ms, is_own=True)
            partition.sync()
    finally:
        partition.close()
    directory.files.remove(f"{directory.path}/{_MARKER}")
    directory.files.sync_directory(directory.path)
