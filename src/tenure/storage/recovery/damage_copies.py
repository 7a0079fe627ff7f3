"""Setting aside of damaged bytes: they are copied to another file, and the segment is rewritten without them.

The copy is in the directory of the segment, with the name

    <base offset>.log.damaged-<position>-<first missing offset>-<next offset>

`position` is the position of the bytes in the segment's file. Records after the damage keep their offsets, so readers
see a gap, as after a compaction. The copy is synced before the segment is replaced, and the replacement is atomic (see
`swap`). So after a crash either the damage or the copy exists. Kafka ignores files with such names.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from tenure.protocol.batches import Batch
from tenure.storage.compaction import swap
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import SCAN_BYTES, Segment
from tenure.storage.recovery.damage import Damage

_ASIDE: Final = re.compile(r"(\d{20})\.log\.damaged-(\d+)-(\d+)-(\d+)")


class DamageCopy(NamedTuple):
    """Copy of damaged bytes, as the name of its file describes it."""

    name: str
    position: int
    first_offset: int
    next_offset: int


def damage_copies(files: DataFiles, directory: str) -> list[DamageCopy]:
    """Return the copies of damaged bytes in a partition's directory."""
    found = [match for name in files.listdir(directory) if (match := _ASIDE.fullmatch(name))]
    return [DamageCopy(match[0], int(match[2]), int(match[3]), int(match[4])) for match in found]


def set_damage_aside(
    files: DataFiles, directory: str, segment: Segment, damages: Sequence[Damage], index_interval_bytes: int
) -> Segment:
    """Copy the damaged bytes of a segment to other files, and return the segment that replaces it.

    Blocks until the copies and the new segment are synced. After OSError, the damage is still in the segment.
    """
    for damage in damages:
        _copy_aside(files, segment, damage)
    files.sync_directory(directory)
    if not any(damage.size_bytes for damage in damages):
        return segment
    new = swap.begin(files, directory, segment.base_offset, index_interval_bytes)
    try:
        position = 0
        for damage in damages:
            _copy_batches(segment, position, damage.position, new)
            position = damage.end
        _copy_batches(segment, position, segment.size, new)
    except OSError:
        swap.discard(files, directory, segment.base_offset)
        raise
    new.aborted[:] = segment.aborted
    swap.replace(files, directory, [segment], new)
    return new


def _copy_aside(files: DataFiles, segment: Segment, damage: Damage) -> None:
    copy = files.open(damage.copy_path)
    try:
        copy.truncate(0)  # remove the copy of an attempt that a crash interrupted
        for at in range(damage.position, damage.end, SCAN_BYTES):
            copy.append(segment.bytes_at(at, min(SCAN_BYTES, damage.end - at)))
        copy.sync()
    finally:
        copy.close()


def _copy_batches(segment: Segment, position: int, end: int, new: Segment) -> None:
    """Append the valid batches between two positions of `segment` to the segment `new`."""
    data, batches = bytearray(), list[Batch]()
    for at, header in segment.headers(position, end=end):
        data += segment.whole(at, header).raw
        batches.append(header)
        if len(data) >= SCAN_BYTES:
            new.append(data, batches)
            data, batches = bytearray(), []
    new.append(data, batches)
