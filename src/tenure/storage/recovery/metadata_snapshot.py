"""Reader of snapshots of the metadata log, `<end offset>-<epoch>.checkpoint`, which Apache Kafka writes.

Apache Kafka deletes segments of the log whose records are in a snapshot. A snapshot is a file of record batches: a
header, the records of the state, and a footer. A file without a footer is incomplete.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tenure.protocol.batches import Batch, CorruptBatch, UnsupportedMagic, decode_records, read_batches
from tenure.protocol.message import MalformedMessage
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import segment_name
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA, QUORUM_STATE
from tenure.storage.recovery.last_stop import base_offsets

_FOOTER: Final = b"\x00\x00\x00\x04"
"""Key of the control record at the end of a snapshot: version 0, type 4."""
_NAME: Final = re.compile(r"(?P<end_offset>\d{20})-\d{10}\.checkpoint")


class SnapshotMissing(ValueError):
    """The start of the metadata log was deleted, and there is no complete snapshot of the deleted records."""


class Snapshot(NamedTuple):
    end_offset: int
    """Offset after the last record that the snapshot includes."""
    data: bytes
    """Record batches of the snapshot."""


def load_snapshot(files: DataFiles, path: str, log_start_offset: int) -> Snapshot | None:
    """Return the newest snapshot that reaches the start of the log; None if Apache Kafka has never run here.

    Args:
        files: Access to the file system.
        path: Path of the data directory.
        log_start_offset: First offset of the log.

    Raises:
        SnapshotMissing: Apache Kafka has deleted the start of the log, and there is no complete snapshot of it.
    """
    if not files.exists(f"{path}/{QUORUM_STATE}"):
        return None  # the operator has accepted that the first part is lost
    directory = f"{path}/{CLUSTER_METADATA}"
    names = [found for name in files.listdir(directory) if (found := _NAME.fullmatch(name))]
    newest = max(names, key=lambda found: found[0], default=None)
    if newest is None or (end_offset := int(newest["end_offset"])) < log_start_offset:
        raise SnapshotMissing(
            f"the log begins at offset {log_start_offset}, and {directory} has no snapshot of the records before: "
            "restore the newest *.checkpoint from a backup"
        )
    data = files.read(f"{directory}/{newest[0]}")
    if not _is_complete(data):
        raise SnapshotMissing(f"the snapshot {directory}/{newest[0]} is damaged: restore it from a backup")
    return Snapshot(end_offset, data)


def _is_complete(data: bytes) -> bool:
    """Return whether all batches are undamaged, and the last one is a footer."""
    last: Batch | None = None
    try:
        for batch in read_batches(data):
            last = batch
        return last is not None and last.is_control and decode_records(last)[-1].key == _FOOTER
    except (CorruptBatch, UnsupportedMagic, MalformedMessage):
        return False


def read_metadata(files: DataFiles, path: str) -> Iterator[bytes]:
    """Yield the batches of snapshot and log as they are on disk, without opening the directory."""
    directory = f"{path}/{CLUSTER_METADATA}"
    offsets = sorted(base_offsets(files, directory))
    if offsets and offsets[0] and (snapshot := load_snapshot(files, path, offsets[0])) is not None:
        yield snapshot.data
    for offset in offsets:
        yield files.read(f"{directory}/{segment_name(offset)}.log")
