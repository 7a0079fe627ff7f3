"""Data directory that Apache Kafka (as one KRaft node) has used between two runs of Tenure.

Apache Kafka does not update the inventory, so Tenure ignores the inventory after each run of Apache Kafka. At each
start, Apache Kafka writes the file `quorum-state`. Tenure keeps a copy of this file, `.quorum-state`. If the two files
differ, Apache Kafka has run since Tenure made the copy.

Start offsets, up to which clients have deleted records, are in one file for all partitions in Apache Kafka, and in one
file per partition in Tenure. Tenure writes both kinds of files.
"""

from collections.abc import Mapping
from typing import Final

from tenure.storage.checkpoint_file import load_checkpoint, save_checkpoint
from tenure.storage.files import DataFiles
from tenure.storage.log.partition_files import load_start_offset, save_start_offset

CLUSTER_METADATA: Final = "__cluster_metadata-0"
START_OFFSETS: Final = "log-start-offset-checkpoint"
FLUSHED_OFFSETS: Final = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS: Final = "replication-offset-checkpoint"

QUORUM_STATE: Final = f"{CLUSTER_METADATA}/quorum-state"
_COPY: Final = ".quorum-state"
_FIRST_SEGMENT: Final = f"{CLUSTER_METADATA}/{0:020}.log"
_WRITTEN_BY_FORMAT: Final = ("bootstrap.checkpoint", f"{CLUSTER_METADATA}/{0:020}-{0:010}.checkpoint")
"""Files that `kafka-storage.sh format` writes for a static quorum, and for a dynamic quorum."""


def has_run(files: DataFiles, path: str) -> bool:
    """Return whether Apache Kafka has run on the directory since the last `take_over`."""
    if lacks_metadata_log(files, path) or was_only_formatted(files, path):
        return True
    return read_if_there(files, f"{path}/{QUORUM_STATE}") != read_if_there(files, f"{path}/{_COPY}")


def was_only_formatted(files: DataFiles, path: str) -> bool:
    """Return whether `kafka-storage.sh format` has written feature levels and users, but no broker has started yet."""
    is_formatted = any(files.exists(f"{path}/{name}") for name in _WRITTEN_BY_FORMAT)
    return is_formatted and not files.exists(f"{path}/{_FIRST_SEGMENT}") and not files.exists(f"{path}/{QUORUM_STATE}")


def lacks_metadata_log(files: DataFiles, path: str) -> bool:
    """Return whether Apache Kafka has stored partitions in the directory, but its metadata log is not there.

    The metadata log of a node is in the first directory of `log.dirs`, or in `metadata.log.dir`.
    """
    return files.exists(f"{path}/{HIGH_WATERMARKS}") and not files.exists(f"{path}/{CLUSTER_METADATA}")


def missing_directories(files: DataFiles, path: str) -> dict[str, int]:
    """Return the end offsets that Apache Kafka has recorded for logs without a directory, by the directory's name.

    Their topics may have been deleted since.
    """
    ends: dict[str, int] = {}
    for checkpoint in (FLUSHED_OFFSETS, HIGH_WATERMARKS):
        for name, offset in load_checkpoint(files, f"{path}/{checkpoint}").items():
            if offset > ends.get(name, 0) and not files.exists(f"{path}/{name}"):
                ends[name] = offset
    return ends


def take_over(files: DataFiles, path: str) -> None:
    """Copy the start offsets from Kafka's file to Tenure's files, and record that Tenure knows about this run of Kafka.

    The inventory must already contain the files of Apache Kafka.
    """
    for name, offset in load_checkpoint(files, f"{path}/{START_OFFSETS}").items():
        directory = f"{path}/{name}"
        if files.exists(directory) and load_start_offset(files, directory).offset < offset:
            save_start_offset(files, directory, offset, sync=True)
    state = read_if_there(files, f"{path}/{QUORUM_STATE}")
    if state is not None:
        files.write(f"{path}/{_COPY}", state, sync=True)


def save_start_offsets(files: DataFiles, path: str, offsets: Mapping[str, int]) -> None:
    """Write the start offsets in Kafka's file. Raises OSError."""
    save_checkpoint(files, f"{path}/{START_OFFSETS}", offsets, sync=True)


def read_if_there(files: DataFiles, path: str) -> bytes | None:
    try:
        return files.read(path)
    except OSError:
        return None
