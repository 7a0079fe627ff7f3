"""Small files beside the segments of a partition, with Kafka's names and formats.

    partition.metadata        the topic's id
    leader-epoch-checkpoint   see `leader_epochs`
    log-start-offset          offset up to which DeleteRecords has deleted records, with a CRC-32 of the partition's
                              name and the offset. The offset may be within a segment. Kafka has one file for all
                              partitions
    <offset>.snapshot         state of producers at that offset, see `producers`

All but the start offset can be computed again from the log or the metadata shard, so a torn file does not prevent a
start.
"""

from binascii import crc32
from typing import Final, NamedTuple

from tenure.protocol.types import TopicId, topic_id_from_text, topic_id_text
from tenure.storage.files import DataFiles
from tenure.storage.log.leader_epochs import ImplausibleCheckpoint, LeaderEpochs
from tenure.storage.log.producers import ImplausibleSnapshot, Producers

METADATA: Final = "partition.metadata"
EPOCHS: Final = "leader-epoch-checkpoint"
START_OFFSET: Final = "log-start-offset"
SNAPSHOT_SUFFIX: Final = ".snapshot"
SNAPSHOTS_KEPT: Final = 2


def load_topic_id(files: DataFiles, directory: str) -> TopicId | None:
    try:
        lines = files.read(f"{directory}/{METADATA}").decode().splitlines()
        return topic_id_from_text(dict(line.split(": ", 1) for line in lines)["topic_id"])
    except (FileNotFoundError, ValueError, KeyError):
        return None


def save_topic_id(files: DataFiles, directory: str, topic_id: TopicId) -> None:
    text = f"version: 0\ntopic_id: {topic_id_text(topic_id)}\n"
    files.write(f"{directory}/{METADATA}", text.encode(), sync=False)


def load_epochs(files: DataFiles, directory: str, checksum: int | None = None) -> LeaderEpochs | None:
    """Return the leader epochs; None if they must be read from the batches, because the file is missing or invalid.

    `checksum` is the CRC-32 of the file, if known.
    """
    try:
        data = files.read(f"{directory}/{EPOCHS}")
        return LeaderEpochs.decode(data) if checksum in (None, crc32(data)) else None
    except (FileNotFoundError, ImplausibleCheckpoint):
        return None


def maybe_save_epochs(files: DataFiles, directory: str, epochs: LeaderEpochs) -> int:
    """Save the leader epochs if they differ from the file, and return the CRC-32 of the file."""
    data = epochs.encode()
    path = f"{directory}/{EPOCHS}"
    if not files.exists(path) or files.read(path) != data:
        files.write(path, data, sync=True)
    return crc32(data)


def save_epochs(files: DataFiles, directory: str, epochs: LeaderEpochs, *, sync: bool) -> None:
    files.write(f"{directory}/{EPOCHS}", epochs.encode(), sync=sync)


class StartOffset(NamedTuple):
    offset: int
    """Start offset; 0 if no client has deleted records."""
    is_proven: bool
    """True if the file has a valid checksum. Earlier releases wrote none."""


def load_start_offset(files: DataFiles, directory: str) -> StartOffset:
    try:
        offset, *checksum = files.read(f"{directory}/{START_OFFSET}").split()
        if checksum and checksum != [_start_offset_checksum(directory, int(offset))]:
            return StartOffset(0, is_proven=False)
        return StartOffset(int(offset), is_proven=bool(checksum))
    except (FileNotFoundError, ValueError):
        return StartOffset(0, is_proven=False)


def save_start_offset(files: DataFiles, directory: str, offset: int, *, sync: bool) -> None:
    content = b"%d %s\n" % (offset, _start_offset_checksum(directory, offset))
    files.write(f"{directory}/{START_OFFSET}", content, sync=sync)


def _start_offset_checksum(directory: str, offset: int) -> bytes:
    """Return a checksum of the partition's name and the offset."""
    name = directory.rpartition("/")[2]
    return b"%08x" % crc32(f"{name} {offset}".encode())


def load_producers(files: DataFiles, directory: str, log_end_offset: int) -> tuple[Producers, int]:
    """Return the producers in the newest valid snapshot, and the offset from which the log must be read."""
    for offset in reversed(_snapshot_offsets(files, directory)):
        path = _snapshot(directory, offset)
        if offset <= log_end_offset:
            try:
                return Producers.decode(files.read(path)), offset
            except ImplausibleSnapshot:
                pass
        files.remove(path)
    return Producers(), 0


def newest_snapshot_offset(files: DataFiles, directory: str) -> int:
    """Return the end offset of the log when its newest snapshot was written; 0 if there is no snapshot."""
    return max(_snapshot_offsets(files, directory), default=0)


def save_producers(files: DataFiles, directory: str, producers: Producers, offset: int) -> None:
    files.write(_snapshot(directory, offset), producers.encode(), sync=False)
    for old in _snapshot_offsets(files, directory)[:-SNAPSHOTS_KEPT]:
        files.remove(_snapshot(directory, old))


def _snapshot(directory: str, offset: int) -> str:
    return f"{directory}/{offset:020d}{SNAPSHOT_SUFFIX}"


def _snapshot_offsets(files: DataFiles, directory: str) -> list[int]:
    stems = [n.removesuffix(SNAPSHOT_SUFFIX) for n in files.listdir(directory) if n.endswith(SNAPSHOT_SUFFIX)]
    return sorted(int(stem) for stem in stems if stem.isdigit())
