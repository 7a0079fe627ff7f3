"""Damage of a whole log, found without opening the data directory."""

from collections.abc import Iterator

from tenure.storage.files import DataFiles
from tenure.storage.log.segment import Segment
from tenure.storage.recovery.damage import Damage, find_damage
from tenure.storage.recovery.inventory_check import INDEX_INTERVAL_BYTES
from tenure.storage.recovery.last_stop import base_offsets


def find_log_damage(files: DataFiles, directory: str, *, was_clean: bool) -> list[Damage]:
    """Return all damage except a torn tail, which a crash leaves and the next start truncates.

    `directory` is the path of a partition's directory. Reads every batch.
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
