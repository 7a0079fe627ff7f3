"""Search of a segment, or of a whole log, for damage, which is bytes that are not valid batches.

A batch is valid if its header is plausible, its checksum is right, and its offsets follow those of the batch before.
After damage, the search continues at the next valid batch, so later records keep their offsets.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from tenure.protocol.batches import HEADER, MAGIC, Batch, CorruptBatch, verify_crc
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import RELATIVE_OFFSET_MAX, SCAN_BYTES, Segment
from tenure.storage.recovery.inventory_check import INDEX_INTERVAL_BYTES
from tenure.storage.recovery.last_stop import base_offsets

_HIGH_BYTES: Final = 4
"""Size in bytes of the upper half of a 64-bit offset. Within a segment, this half has at most two values."""
_MAGIC_END: Final = 17


class Damage(NamedTuple):
    """Bytes of a segment that are not valid batches, and the offsets of the records in them."""

    path: str
    """Path of the segment's log file."""
    position: int
    """Position of the first damaged byte."""
    size_bytes: int
    """Number of damaged bytes; 0 if whole batches are missing."""
    first_offset: int
    next_offset: int
    """First offset after the damage. Equal to `first_offset` if no record is missing."""
    reason: str
    may_be_torn: bool = True
    """True if a crash during an append can leave such bytes. False if they contain a complete batch."""
    is_end_unknown: bool = False
    """True if the damage is at the end of a log whose end offset is unknown."""

    @property
    def end(self) -> int:
        return self.position + self.size_bytes

    @property
    def copy_path(self) -> str:
        """Path of the file to which the bytes are copied when they are set aside (see `set_damage_aside`)."""
        return f"{self.path}.damaged-{self.position}-{self.first_offset}-{self.next_offset}"

    def __str__(self) -> str:
        missing = describe_missing(self.first_offset, self.next_offset)
        if self.is_end_unknown:
            missing = f"offsets from {self.first_offset} on are missing"
        return f"{self.path} is damaged at byte {self.position}: {self.reason}; {self.size_bytes} bytes, {missing}"


def describe_missing(first_offset: int, next_offset: int) -> str:
    if first_offset == next_offset:
        return "no offset is missing"
    if first_offset + 1 == next_offset:
        return f"offset {first_offset} is missing"
    return f"offsets {first_offset} to {next_offset - 1} are missing"


def find_damage(segment: Segment, limit: int | None, *, trust_index: bool) -> list[Damage]:
    """Verify the part of a segment that its index does not prove. Return the damages in it, by position.

    Also sets `next_offset` and the indexes of the segment, from the valid batches. `limit` is the base offset of the
    next segment; None for the last segment. If a damage extends to the end of the file, its `next_offset` equals its
    `first_offset`.
    """
    end_offset = segment.base_offset + RELATIVE_OFFSET_MAX + 1 if limit is None else limit
    if not trust_index or segment.proven_position == 0 or not _index_holds(segment, end_offset):
        segment.drop_indexes()
    found: list[Damage] = []
    position = segment.proven_position
    while position < segment.size:
        position, reason = _walk(segment, position, end_offset)
        if reason is None:
            break
        behind = _next_batch(segment, position, end_offset)
        header = segment.header_at(behind)
        next_offset = segment.next_offset if header is None or behind == segment.size else header.base_offset
        may_be_torn = not _has_whole_batch(segment, position)
        found.append(
            Damage(
                f"{segment.stem}.log",
                position,
                behind - position,
                segment.next_offset,
                next_offset,
                reason,
                may_be_torn,
            )
        )
        position = behind
    return found


def find_log_damage(files: DataFiles, directory: str, *, was_clean: bool) -> list[Damage]:
    """Return all damage of a log except a torn tail, which a crash leaves and the next start truncates.

    `directory` is the path of the partition's directory in a data directory that is not open. Reads every batch.
    """
    return [damage for _, damages in damaged_segments(files, directory, was_clean=was_clean) for damage in damages]


def damaged_segments(files: DataFiles, directory: str, *, was_clean: bool) -> Iterator[tuple[Segment, list[Damage]]]:
    """Yield each damaged segment with its damages. The caller may use the segment until the next one is requested."""
    bases = base_offsets(files, directory) if files.exists(directory) else []
    for base_offset, limit in zip(bases, [*bases[1:], None][: len(bases)], strict=True):
        segment = Segment(files, directory, base_offset, INDEX_INTERVAL_BYTES)
        damages = find_damage(segment, limit, trust_index=False)
        if damages and limit is None and not was_clean and damages[-1].end == segment.size and damages[-1].may_be_torn:
            damages.pop()
        if damages:
            yield segment, damages
        segment.close()


def _walk(segment: Segment, position: int, end_offset: int) -> tuple[int, str | None]:
    """Add batches to the indexes, up to the first invalid one. Return its position, and why it is invalid.

    If all batches are valid, return the end of the file and None.
    """
    try:
        for at, header in segment.headers(position):
            reason = _why_invalid(segment, at, header, end_offset)
            if reason is not None:
                return at, reason
            segment.add_to_indexes(header, at)
            position = at + header.size
    except CorruptBatch:
        return position, f"no batch begins at byte {position}"
    return position, "the file ends in the middle of a batch" if position < segment.size else None


def _index_holds(segment: Segment, end_offset: int) -> bool:
    """Return whether the batch at the last index entry is valid, and has the offset in the entry."""
    position = segment.proven_position
    if position == 0:
        return True
    header = segment.header_at(position)
    return (
        header is not None
        and _why_invalid(segment, position, header, end_offset) is None
        and header.last_offset == segment.proven_offset
    )


def _why_invalid(segment: Segment, position: int, header: Batch, end_offset: int) -> str | None:
    if header.magic != MAGIC:
        return f"record format {header.magic} at byte {position}"
    if not HEADER.size <= header.size <= segment.size - position:
        return f"the batch at byte {position} is cut off"
    if not segment.next_offset <= header.base_offset <= header.last_offset < end_offset or _has_wrong_base_offset(
        segment, position, header
    ):
        return (
            f"the batch at byte {position} has offsets {header.base_offset} to {header.last_offset}, "
            f"expected {segment.next_offset}"
        )
    try:
        verify_crc(segment.whole(position, header))
    except CorruptBatch:
        return f"the batch at byte {position} fails its checksum"
    return None


def _has_wrong_base_offset(segment: Segment, position: int, header: Batch) -> bool:
    """Return whether the base offset of a batch is damaged. The checksum does not cover the base offset.

    A greater base offset than expected looks like a gap before the batch. If the following batches have the offsets of
    this gap, there is no gap, and the base offset is wrong.
    """
    if header.base_offset == segment.next_offset:
        return False
    behind: list[int] = []
    with suppress(CorruptBatch):
        following = segment.headers(position + header.size, HEADER.size)
        behind = [batch.base_offset for _, batch in islice(following, 2) if batch.magic == MAGIC]
    against = [base_offset for base_offset in behind if segment.next_offset <= base_offset <= header.last_offset]
    without_gap = segment.next_offset + header.last_offset_delta + 1
    return len(against) == 2 or (bool(against) and behind[0] == without_gap)


def _has_whole_batch(segment: Segment, position: int) -> bool:
    header = segment.header_at(position)
    if header is None or not HEADER.size <= header.size <= segment.size - position:
        return False
    try:
        verify_crc(segment.whole(position, header))
    except CorruptBatch:
        return False
    return True


def _next_batch(segment: Segment, position: int, end_offset: int) -> int:
    """Return the position of the first valid batch after damage; the segment's size if there is none.

    If the length field of the damaged batch leads to a valid batch with the right offset, the result is the position of
    that batch. Otherwise, every later byte is tried as the start of a batch. If the value of a record contains bytes in
    the form of a batch, this search may find them.
    """
    damaged = segment.header_at(position)
    if damaged is not None and damaged.size >= HEADER.size:
        behind = position + damaged.size
        header = segment.header_at(behind)
        if header is None:
            is_confirmed = behind == segment.size and damaged.last_offset + 1 == end_offset
        else:
            is_confirmed = (
                header.base_offset == damaged.last_offset + 1
                and _why_invalid(segment, behind, header, end_offset) is None
            )
        if is_confirmed:
            return behind
    for candidate, header in _candidates(segment, position + 1, end_offset):
        is_valid = _why_invalid(segment, candidate, header, end_offset) is None
        if is_valid and not _is_misplaced(segment, candidate, header, end_offset):
            return candidate
    return segment.size


def _is_misplaced(segment: Segment, position: int, header: Batch, end_offset: int) -> bool:
    """Return whether the base offset of a valid batch after damage may be wrong. The checksum does not cover it.

    Example: offset 10 is expected. After the damaged bytes come a batch with offsets 10 to 14, and a batch that begins
    at 20. If this is right, the damaged bytes contained no records, and offsets 15 to 19 are missing. More likely, the
    damaged bytes contained offsets 10 to 14, and the batch after them has 15 to 19.
    """
    behind = position + header.size
    following = segment.header_at(behind)
    return (
        header.base_offset == segment.next_offset
        and following is not None
        and following.base_offset > header.last_offset + 1
        and _why_invalid(segment, behind, following, end_offset) is None
    )


def _candidates(segment: Segment, position: int, end_offset: int) -> Iterator[tuple[int, Batch]]:
    """Yield positions where a batch may begin: the upper half of its base offset and its magic byte are plausible."""
    offsets = (segment.next_offset, end_offset - 1)
    prefixes = {re.escape(offset.to_bytes(8, "big")[:_HIGH_BYTES]) for offset in offsets}
    pattern = re.compile(b"(?=(?:%s)(?s:.{12})\\x02)" % b"|".join(sorted(prefixes)))
    while position < segment.size:
        chunk = segment.bytes_at(position, SCAN_BYTES + _MAGIC_END - 1)
        for found in pattern.finditer(chunk):
            header = segment.header_at(position + found.start())
            if header is not None:
                yield position + found.start(), header
        position += SCAN_BYTES
