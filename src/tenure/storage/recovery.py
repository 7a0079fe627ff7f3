"""What of a partition's files can be believed after a crash: the longest prefix of whole batches, and no more.

A batch counts when its header makes sense, its checksum holds and its offsets go on from the batch before. Everything
behind the first one that does not count is cut off and reported, later segments included: a log is a prefix of what was
appended or it is nothing. Scanning begins at the last batch that an index proves (see `index`), so a long log costs as
little as a short one.
"""

from collections.abc import Container
from contextlib import suppress
from typing import NamedTuple

from tenure.protocol.records import HEADER, MAGIC, Batch, CorruptBatch, verify_crc
from tenure.storage import swap
from tenure.storage.files import Files
from tenure.storage.segment import INDEXES, RELATIVE_OFFSET_MAX, Segment


class Cut(NamedTuple):
    """What recovery gave up."""

    path: str
    offset: int
    """The log ends here now."""
    lost_bytes: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path} was cut back to offset {self.offset}, {self.lost_bytes} bytes are lost: {self.reason}"


def open_segments(
    files: Files,
    directory: str,
    index_interval_bytes: int,
    *,
    was_clean: bool,
    epoch_starts: Container[int] = (),
    trust_indexes: bool = True,
) -> tuple[list[Segment], Cut | None]:
    """All segments in order, the last one ready to be appended to; at least one.

    `epoch_starts`: where leader epochs began, which is where a log may leave offsets out. Without `trust_indexes`
    every byte is looked at: for a log in which damage was met where an index had proved it whole.
    """
    swap.finish(files, directory, index_interval_bytes)
    bases = _base_offsets(files, directory)
    segments = [Segment(files, directory, base, index_interval_bytes) for base in bases or [0]]
    cut = _believe(files, segments, was_clean=was_clean, epoch_starts=epoch_starts, trust_indexes=trust_indexes)
    segments[-1].unseal()
    return segments, cut


def _believe(
    files: Files, segments: list[Segment], *, was_clean: bool, epoch_starts: Container[int], trust_indexes: bool
) -> Cut | None:
    """Scans what may be damaged; takes what cannot be believed off the disk, and off the list."""
    suspects = segments[-1:] if was_clean else segments
    for i, segment in enumerate(segments):
        if segment not in suspects:
            segment.next_offset = segments[i + 1].base_offset
            continue
        was_sealed = files.exists(f"{segment.stem}.index")  # written once all of the segment was synced
        end, reason = _scan(segment, trust_index=trust_indexes)
        if reason is None and i + 1 < len(segments):
            begins = segments[i + 1].base_offset
            reason = _why_not_next(segment, begins, may_leave_out=was_sealed or begins in epoch_starts)
        if reason is not None:
            later = segments[i + 1 :]
            del segments[i + 1 :]
            return _cut(segment, later, end, reason)
    return None


def _why_not_next(segment: Segment, begins: int, *, may_leave_out: bool) -> str | None:
    """A crash may keep the name of a later segment and forget the end of this one, between two batches."""
    if begins < segment.next_offset:
        return f"the next segment begins before the end of this one, which is {segment.next_offset}"
    if begins > segment.next_offset and not may_leave_out:
        return f"the next segment begins at {begins}, and {segment.next_offset} comes next"
    return None


def _base_offsets(files: Files, directory: str) -> list[int]:
    """Of the logs that are there; indexes whose log is gone are removed."""
    names = files.listdir(directory)
    bases = [int(name[:-4]) for name in names if name.endswith(".log") and name[:-4].isdigit()]
    for name in names:
        stem, dot, suffix = name.partition(".")
        if dot + suffix in INDEXES and stem.isdigit() and int(stem) not in bases:
            files.remove(f"{directory}/{name}")
    return bases


def _scan(segment: Segment, *, trust_index: bool) -> tuple[int, str | None]:
    """Walks what no index proves; returns where the whole batches end, and why there: None for a good end."""
    if not trust_index or not _index_holds(segment):
        segment.forget_indexes()
    end = segment.proven_position
    with suppress(CorruptBatch):
        for position, header in segment.headers(end):
            reason = _why_not(segment, position, header)
            if reason is not None:
                return end, reason
            segment.took(header, position)
            end = position + header.size
    return end, "the file ends in the middle of a batch" if end < segment.size else None


def _index_holds(segment: Segment) -> bool:
    """The batch at the last index entry is whole, and the one that the entry means."""
    position = segment.proven_position
    if position == 0:
        return True
    with suppress(CorruptBatch):
        for _, header in segment.headers(position, HEADER.size):
            return _why_not(segment, position, header) is None and header.last_offset == segment.proven_offset
    return False


def _why_not(segment: Segment, position: int, header: Batch) -> str | None:
    if header.magic != MAGIC:
        return f"record format {header.magic} at byte {position}"
    if position + header.size > segment.size:
        return f"the batch at byte {position} is cut off"
    if not segment.next_offset <= header.base_offset <= header.last_offset <= segment.base_offset + RELATIVE_OFFSET_MAX:
        return (
            f"the batch at byte {position} has offsets {header.base_offset} to {header.last_offset}, "
            f"{segment.next_offset} comes next"
        )
    try:
        verify_crc(segment.whole(position, header))
    except CorruptBatch:
        return f"the batch at byte {position} fails its checksum"
    return None


def _cut(segment: Segment, later: list[Segment], end: int, reason: str) -> Cut:
    lost_bytes = segment.size - end + sum(each.size for each in later)
    for each in reversed(later):
        each.remove()
    segment.cut(end)
    return Cut(f"{segment.stem}.log", segment.next_offset, lost_bytes, reason)
