"""Snapshots of the metadata log: `<end offset>-<epoch>.checkpoint`, which Apache Kafka writes, and Tenure reads.

Apache Kafka deletes segments of the log whose records a snapshot has. A snapshot is a file of record batches: a header,
the records of the state, and a footer.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tenure.storage.files import DataFiles
from tenure.storage.log.segment import segment_name
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA
from tenure.storage.recovery.last_stop import base_offsets

_NAME: Final = re.compile(r"(?P<end_offset>\d{20})-\d{10}\.checkpoint")


class Snapshot(NamedTuple):
    end_offset: int
    """Offset of the log behind the last record that is part of the state."""
    data: bytes
    """Record batches."""


def load_snapshot(files: DataFiles, path: str, log_start_offset: int) -> Snapshot | None:
    """Return the newest snapshot that reaches the log, or None. `path`: the data directory."""
    directory = f"{path}/{CLUSTER_METADATA}"
    names = [found for name in files.listdir(directory) if (found := _NAME.fullmatch(name))]
    newest = max(names, key=lambda found: found[0], default=None)
    if newest is None or (end_offset := int(newest["end_offset"])) < log_start_offset:
        return None
    return Snapshot(end_offset, files.read(f"{directory}/{newest[0]}"))


def read_metadata(files: DataFiles, path: str) -> Iterator[bytes]:
    """Read snapshot and log as they are on the disk, without opening the directory."""
    directory = f"{path}/{CLUSTER_METADATA}"
    offsets = sorted(base_offsets(files, directory))
    if offsets and offsets[0] and (snapshot := load_snapshot(files, path, offsets[0])) is not None:
        yield snapshot.data
    for offset in offsets:
        yield files.read(f"{directory}/{segment_name(offset)}.log")
