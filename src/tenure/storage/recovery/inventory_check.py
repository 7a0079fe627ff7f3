"""Comparison of a data directory with its inventory: the missing objects, and the offsets that are lost with them."""

from binascii import crc32
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from tenure.protocol.batches import HEADER, CorruptBatch, UnsupportedMagic, verify_crc
from tenure.protocol.types import TopicId, topic_id_text
from tenure.storage.errors import DirectoryUnusable
from tenure.storage.files import DataFiles
from tenure.storage.log import partition_files
from tenure.storage.log.segment import Segment, segment_name
from tenure.storage.recovery.inventory import Entry, Extent

INDEX_INTERVAL_BYTES: Final = 4096
"""Kafka's default index interval. Its value does not matter, because these segments are only read sequentially."""

_MEANING: Final = {
    "__cluster_metadata": "topics and their settings",
    "__consumer_offsets": "committed offsets and members of groups",
    "__transaction_state": "the state of transactions",
}


CHECKSUM_AT: Final = 17
"""Position of the checksum in the header of a batch."""


class Finding(NamedTuple):
    """Object of the data directory that is missing or has changed since the last stop."""

    object: str
    """Path of the directory or file, relative to the data directory."""
    partition: str
    topic_id: TopicId | None
    problem: str
    first_offset: int
    """First lost offset of the partition."""
    end_offset: int | None
    """Offset after the last lost one; None if it is unknown, because the broker has crashed."""
    is_damage: bool = False
    """True if the object exists, but a part of it is damaged."""
    is_foreign: bool = False
    """True if the file exists, but has the data of another segment."""

    @property
    def lost(self) -> str:
        if self.end_offset is None:
            offsets = f"offsets from {self.first_offset} on are lost"
        elif self.end_offset <= self.first_offset:
            return "no records are lost"
        else:
            offsets = f"offsets {self.first_offset} to {self.end_offset - 1} are lost"
        topic = self.partition.rpartition("-")[0]
        return f"{offsets}, and with them {_MEANING[topic]}" if topic in _MEANING else offsets

    def __str__(self) -> str:
        topic_id = "" if self.topic_id is None else f" (topic id {topic_id_text(self.topic_id)})"
        return f"{self.object} {self.problem}{topic_id}: {self.lost}"


class DataMissing(DirectoryUnusable):
    """Objects of the inventory are missing in the directory, or have changed.

    The broker does not start until the operator has restored them, or has accepted the loss (`tenure storage repair`).
    """

    def __init__(self, path: str, findings: list[Finding], inventory_damage: str | None) -> None:
        super().__init__(
            f"data directory {path} is incomplete, {findings[0]}"
            + (f" (and {len(findings) - 1} more)" if len(findings) > 1 else "")
            + f": restore what is missing from a backup, or accept the loss with `tenure storage repair {path}`"
        )
        self.findings = findings
        self.inventory_damage = inventory_damage
        """Message for the operator about damage of the inventory; None if there is none. With damage, the findings
        may be incomplete."""


def find_missing(files: DataFiles, path: str, entries: Mapping[str, Entry], *, was_clean: bool) -> Iterator[Finding]:
    """Yield the objects of the inventory that are missing in the directory, or have changed."""
    names = set(files.listdir(path))
    for name, entry in entries.items():
        end_offset = entry.tail.end_offset if was_clean else None
        if name not in names:
            yield Finding(name, name, entry.topic_id, "is missing", _log_start(entry), end_offset)
            continue
        found = set(files.listdir(f"{path}/{name}"))
        yield from _find_missing_segments(files, path, name, entry, found, end_offset)
        if partition_files.START_OFFSET in found:
            yield from _find_hidden_records(files, path, name, entry)


def _find_missing_segments(
    files: DataFiles, path: str, name: str, entry: Entry, found: set[str], end_offset: int | None
) -> Iterator[Finding]:
    base_offsets = sorted(entry.segments)
    for base_offset, next_offset in zip(base_offsets, [*base_offsets, end_offset][1:], strict=True):
        log, extent = f"{segment_name(base_offset)}.log", entry.segments[base_offset]
        object_, directory, first_offset, is_foreign = f"{name}/{log}", f"{path}/{name}", base_offset, False
        if log not in found:
            problem = "is missing"
        elif extent is None or not extent.size:
            continue
        elif is_foreign := _is_foreign(files, directory, base_offset, extent):
            problem = "differs from the segment that was written"
        elif (bytes_left := files.size(f"{directory}/{log}")) < extent.size - _bytes_aside(
            files, directory, log, found
        ):
            problem = (
                f"has {bytes_left} of {extent.size} bytes" if bytes_left else f"is empty, it had {extent.size} bytes"
            )
            first_offset, _ = whole_batches(files, directory, base_offset)
        else:
            continue
        yield Finding(object_, name, entry.topic_id, problem, first_offset, next_offset, is_foreign=is_foreign)


def _is_foreign(files: DataFiles, directory: str, base_offset: int, extent: Extent) -> bool:
    """Return whether the first batch of a file is valid, but is not the batch that the inventory describes.

    False if the first batch is damaged, because recovery finds damage.
    """
    segment = Segment(files, directory, base_offset, INDEX_INTERVAL_BYTES)
    try:
        if extent.head is None or extent_of(segment).head in (None, extent.head):
            return False
        position, header = next(segment.headers(0))
        verify_crc(segment.whole(position, header))
    except (CorruptBatch, UnsupportedMagic):
        return False
    finally:
        segment.close()
    return True


def extent_of(segment: Segment, size: int | None = None) -> Extent:
    """Return size and checksums of a segment of which `size` bytes are synced; None means all.

    `head` identifies the segment. It is a CRC-32 of the first batch's header, without the fields before its checksum,
    which the broker may change.
    """
    size = segment.size if size is None else size
    head = segment.bytes_at(CHECKSUM_AT, HEADER.size - CHECKSUM_AT)
    return Extent(
        size,
        crc32(head) if size >= HEADER.size else None,
        segment.indexes_checksum,
        segment.aborted_checksum,
    )


def _bytes_aside(files: DataFiles, directory: str, log: str, found: set[str]) -> int:
    """Return the number of damaged bytes that were moved from a segment to other files.

    `log` is the name of the segment's log file, `found` are the names of all files in the directory.
    """
    return sum(files.size(f"{directory}/{name}") for name in found if name.startswith(f"{log}.damaged-"))


def _find_hidden_records(files: DataFiles, path: str, name: str, entry: Entry) -> Iterator[Finding]:
    """Yield a finding if the start offset in the partition's file hides records that no client has deleted.

    The start offset is wrong if it is greater than the one in the inventory, and its file has no valid checksum.
    (Earlier releases wrote no checksum.)
    """
    start_offset, is_proven = partition_files.load_start_offset(files, f"{path}/{name}")
    if start_offset > entry.start_offset and not is_proven:
        problem = f"says {start_offset}, but records were deleted only below {entry.start_offset}"
        file = f"{name}/{partition_files.START_OFFSET}"
        yield Finding(file, name, entry.topic_id, problem, entry.start_offset, start_offset)


def _log_start(entry: Entry) -> int:
    return max(entry.start_offset, min(entry.segments, default=0))


def whole_batches(files: DataFiles, directory: str, base_offset: int) -> tuple[int, int]:
    """Return (offset, position) after the last whole batch of a segment."""
    segment = Segment(files, directory, base_offset, INDEX_INTERVAL_BYTES)
    end_offset, end = base_offset, 0
    with suppress(CorruptBatch):
        for position, header in segment.headers(0):
            if position + header.size <= segment.size:
                end_offset, end = header.last_offset + 1, position + header.size
    segment.close()
    return end_offset, end
