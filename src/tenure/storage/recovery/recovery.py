"""Recovery of a partition's segments at a start.

A torn tail is damage at the end of the last segment, with no valid batch after it: the rest of an append that a crash
has interrupted. It is truncated, as in Kafka. All other damage is set aside (see `set_damage_aside`): the bytes are
copied to another file, and later records keep their offsets.

After a power failure, a segment that is not sealed may lack its end, although later segments have records. These
records were never durable, so the log is truncated before them, and the later segments are set aside.

The search for damage begins at the last batch that an index proves (see `index`), so it takes as long for a long log as
for a short one.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from tenure.storage.compaction import swap
from tenure.storage.errors import LogDamaged
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import INDEXES, Segment
from tenure.storage.recovery.damage import Damage, find_damage
from tenure.storage.recovery.damage_copies import damage_copies, set_damage_aside
from tenure.storage.recovery.inventory import Extent

REPAIR: Final = "run `tenure storage repair` to set the damaged bytes aside; nothing was changed yet"
"""Part of an error message: what the operator has to do about damage that prevents a start."""


BeforeShrinking: TypeAlias = "Callable[[int, Sequence[Damage]], None]"


class Truncation(NamedTuple):
    """Truncation of a log by recovery: the removed bytes at its end."""

    path: str
    offset: int
    """End offset of the log after the truncation."""
    lost_bytes: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path} was truncated to offset {self.offset}, {self.lost_bytes} bytes are lost: {self.reason}"


class Evidence(NamedTuple):
    """Facts about a log that do not come from its segments. They limit what a crash can have done to the log."""

    was_clean: bool
    """True if the log was closed, so that all bytes were durable and there is no torn tail."""
    may_be_unsynced: bool = False
    """True if the machine may have stopped, so that unsynced bytes may be lost."""
    may_lack_segments: bool = False
    """True if the inventory was damaged, so that segments may be missing unnoticed."""
    distrusted: Container[int] = ()
    """Base offsets of segments with known damage. They are verified completely, whatever their indexes prove."""
    may_set_aside: bool = True
    """True if damaged bytes may be set aside. If False, damage raises `LogDamaged`, and files are not changed."""
    epoch_starts: Container[int] = ()
    """Start offsets of leader epochs, before which a gap is no damage."""
    closed_at_offset: int = 0
    """End offset of the log when it was closed; 0 if it is unknown."""
    extents: Mapping[int, Extent | None] = MappingProxyType({})
    """Synced extents of the segments in the inventory, by base offset."""
    leader_epoch: int = 0
    """Leader epoch in the inventory; the log may have begun a later one."""
    epochs_checksum: int | None = None
    """CRC-32 of the leader epoch checkpoint; None if it is not known."""


class RecoveredSegments(NamedTuple):
    segments: list[Segment]
    """Segments, ascending, at least one. The last one can be appended to."""
    truncation: Truncation | None
    damages: list[Damage]
    """Damages that this recovery has set aside."""
    unproven_from: int | None
    """Base offset of the first segment with a possibly incomplete list of aborted transactions; None if all are
    complete."""


def open_segments(
    files: DataFiles,
    directory: str,
    index_interval_bytes: int,
    evidence: Evidence,
    before_shrinking: BeforeShrinking = lambda _, __: None,
) -> RecoveredSegments:
    """Open all segments of a partition, after recovery. Raises OSError and `LogDamaged`.

    `before_shrinking` is called with the base offset of a segment, and the damages to be set aside, before its file
    is truncated or replaced.
    """
    swap.finish(files, directory, index_interval_bytes)
    bases = _base_offsets(files, directory)
    segments = [Segment(files, directory, base, index_interval_bytes) for base in bases or [0]]
    for segment in segments:
        extent = evidence.extents.get(segment.base_offset)
        if extent is not None:
            segment.indexes_checksum, segment.aborted_checksum = extent.indexes_checksum, extent.aborted_checksum
    # The index is written after the segment was synced.
    sealed = [files.exists(f"{segment.stem}.index") for segment in segments]
    unproven_from = _unproven_from(segments, sealed, evidence)
    found = _Search(files, directory, segments, sealed, evidence)
    if found.damages and not evidence.may_set_aside:
        raise LogDamaged(f"{found.damages[0]}: {REPAIR}")
    truncation = found.truncate(before_shrinking)
    for i, segment in enumerate(found.segments):
        damages = [damage for damage in found.damages if damage.path == f"{segment.stem}.log"]
        if damages:
            before_shrinking(segment.base_offset, damages)
            found.segments[i] = set_damage_aside(files, directory, segment, damages, index_interval_bytes)
            if unproven_from is not None and segment.base_offset >= unproven_from:
                found.segments[i].unseal()  # its list of aborted transactions is incomplete
    if found.segments[-1].next_offset < found.end_offset:
        found.segments.append(Segment(files, directory, found.end_offset, index_interval_bytes))
    found.segments[-1].unseal()
    return RecoveredSegments(found.segments, truncation, found.damages, unproven_from)


class _Search:
    """Search of all segments for damage, and the decision how to repair it. Only `truncate` changes files."""

    def __init__(
        self, files: DataFiles, directory: str, segments: list[Segment], sealed: list[bool], evidence: Evidence
    ) -> None:
        self._files = files
        self._directory = directory
        self._evidence = evidence
        self.segments = segments
        """Segments, without those that are cut off."""
        self.damages: list[Damage] = []
        self.end_offset = 0
        """Offset of the next record; greater than the end of the last segment if records before it are missing."""
        self._known_gaps = {(aside.first_offset, aside.next_offset) for aside in damage_copies(files, directory)}
        self._cut_off: list[Segment] = []
        self._torn: Damage | None = None
        for i, segment in enumerate(segments):
            if i + 1 == len(segments):
                self._search_last(segment)
            elif evidence.was_clean and not evidence.may_lack_segments:
                segment.next_offset = segments[i + 1].base_offset
            elif self._has_lost_its_end(segment, segments[i + 1].base_offset, is_sealed=sealed[i]):
                self._cut_off = segments[i + 1 :]
                del segments[i + 1 :]
                break

    def _has_lost_its_end(self, segment: Segment, limit: int, *, is_sealed: bool) -> bool:
        """Return whether a power failure has removed the end of a segment that is not the last one."""
        damages, tail = self._find_damages(segment, limit)
        self.damages += damages
        first_offset = segment.next_offset
        is_gap = first_offset < limit and not self._is_known_gap(first_offset, limit)
        if is_gap and self._evidence.may_be_unsynced and not self._evidence.was_clean and not is_sealed:
            self._torn = tail or _missing(segment, first_offset, f"the next segment begins at {limit}")
            return True
        if tail is not None:
            self.damages.append(tail._replace(next_offset=limit))
        elif is_gap:
            why = f"the next segment begins at {limit} instead of {first_offset}"
            self.damages.append(_missing(segment, limit, why))
        return False

    def _search_last(self, segment: Segment) -> None:
        damages, tail = self._find_damages(segment, None)
        self.damages += damages
        first_offset, closed_at_offset = segment.next_offset, self._evidence.closed_at_offset
        self.end_offset = max(first_offset, closed_at_offset)
        if tail is not None and tail.may_be_torn and not self._evidence.was_clean:
            self._torn = tail
        elif tail is not None:
            is_end_unknown = not closed_at_offset
            self.damages.append(tail._replace(next_offset=self.end_offset, is_end_unknown=is_end_unknown))
        elif first_offset < closed_at_offset:
            why = f"the log ended at {closed_at_offset} when it was closed, but now ends at {first_offset}"
            self.damages.append(_missing(segment, closed_at_offset, why))

    def _find_damages(self, segment: Segment, limit: int | None) -> tuple[list[Damage], Damage | None]:
        """Return two results: the damages before the last valid batch, and the damage after it, or None."""
        trust_index = segment.base_offset not in self._evidence.distrusted
        damages = find_damage(segment, limit, trust_index=trust_index)
        tail = damages.pop() if damages and damages[-1].end == segment.size else None
        return damages, tail

    def _is_known_gap(self, first_offset: int, limit: int) -> bool:
        return limit in self._evidence.epoch_starts or (first_offset, limit) in self._known_gaps

    def truncate(self, before_shrinking: BeforeShrinking) -> Truncation | None:
        """Truncate the last segment at the start of its torn tail, and set aside the segments that come after it.

        Return None, and change nothing, if there is no torn tail.
        """
        torn = self._torn
        if torn is None:
            return None
        last = self.segments[-1]
        lost_bytes = last.size - torn.position + sum(each.size for each in self._cut_off)
        for each in (last, *self._cut_off):
            before_shrinking(each.base_offset, ())
        for each in reversed(self._cut_off):
            if each.size:
                cut_off = Damage(f"{each.stem}.log", 0, each.size, each.base_offset, each.base_offset, torn.reason)
                self._files.rename(cut_off.path, cut_off.copy_path)
                each.close()
            else:
                each.remove()
        last.truncate(torn.position)
        self.end_offset = last.next_offset
        return Truncation(torn.path, last.next_offset, lost_bytes, torn.reason)


def _missing(segment: Segment, next_offset: int, why: str) -> Damage:
    """Return the damage of a segment that lacks whole batches at its end."""
    return Damage(f"{segment.stem}.log", segment.size, 0, segment.next_offset, next_offset, why)


def _unproven_from(segments: Sequence[Segment], sealed: Sequence[bool], evidence: Evidence) -> int | None:
    """Return the base offset of the first segment with a possibly incomplete list of aborted transactions, or None."""
    were_written = [True] * len(segments) if evidence.was_clean else [*sealed[:-1], False]
    for segment, was_written in zip(segments, were_written, strict=True):
        if not (was_written and segment.has_complete_aborted):
            return segment.base_offset
    return None


def _base_offsets(files: DataFiles, directory: str) -> list[int]:
    """Return the base offsets of all segments, after removing index files without a log."""
    names = files.listdir(directory)
    bases = [int(name[:-4]) for name in names if name.endswith(".log") and name[:-4].isdigit()]
    for name in names:
        stem, dot, suffix = name.partition(".")
        if dot + suffix in INDEXES and stem.isdigit() and int(stem) not in bases:
            files.remove(f"{directory}/{name}")
    return bases
