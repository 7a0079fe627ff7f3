"""Segments of one partition: the growing one, sealed ones, and those that are not durable yet.

The event loop appends and begins new segments, a thread of the sync pool seals, and the cleaner's thread replaces
segments by compacted ones. A reader takes the list of segments once, and may use it even if the partition changes.
"""

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

from tenure.storage.compaction import swap
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import Segment


class UnsyncedFiles(NamedTuple):
    """Files of a partition that have to be synced."""

    active: Segment
    active_bytes: int
    unsealed: list[Segment]
    names: bool
    """True if there are new files whose names are not durable."""


class Segments:
    def __init__(
        self, files: DataFiles, path: str, index_interval_bytes: int, opened: list[Segment], *, are_sealed: bool
    ) -> None:
        """Create the list from opened segments.

        With `are_sealed`, all segments except the last one are sealed and have durable names.
        """
        self.all = opened
        """Segments, ascending, at least one. Invariant: the list is never changed, but replaced."""
        self._files = files
        self._path = path
        self._index_interval_bytes = index_interval_bytes
        self._lock = Lock()
        """Lock that guards changes of `all` and of the two attributes below."""
        self._unsealed = [] if are_sealed else opened[:-1]
        self._names_unsynced = not are_sealed

    @property
    def active(self) -> Segment:
        return self.all[-1]

    @property
    def log_start_offset(self) -> int:
        return self.all[0].base_offset

    @property
    def size_bytes(self) -> int:
        return sum([segment.size for segment in self.all])

    def from_offset(self, offset: int) -> list[Segment]:
        """Return the segment that contains an offset, and all later ones."""
        segments = self.all
        return segments[bisect_right(segments, offset, key=lambda segment: segment.base_offset) - 1 :]

    # --- growth

    def roll(self, base_offset: int) -> None:
        """Begin a new segment. The next sync seals the previous one, because sealing may take long."""
        segment = Segment(self._files, self._path, base_offset, self._index_interval_bytes)
        with self._lock:
            self._names_unsynced = True
            self._unsealed.append(self.active)
            self.all = [*self.all, segment]

    @property
    def needs_seal(self) -> bool:
        return bool(self._unsealed)

    def take_unsynced(self) -> UnsyncedFiles:
        """Remove and return the files that have to be synced.

        If the caller cannot sync them, it must mark the partition as failed.
        """
        with self._lock:
            names_unsynced, self._names_unsynced = self._names_unsynced, False
            return UnsyncedFiles(self.active, self.active.size, list(self._unsealed), names_unsynced)

    def seal(self, segment: Segment) -> None:
        """Seal a synced segment.

        If its indexes cannot be written, the segment is scanned at the start after a crash.
        """
        with suppress(OSError):
            segment.write_indexes()
        with self._lock:
            self._unsealed.remove(segment)

    # --- removal

    def sealed(self) -> list[Segment]:
        """Return the segments that are synced and no longer change, oldest first."""
        with self._lock:
            count = len(self.all) - 1 - len(self._unsealed)
            return self.all[:count]

    def remove_oldest(self) -> None:
        with self._lock:
            oldest = self.all[0]
            self.all = self.all[1:]
            if oldest in self._unsealed:
                self._unsealed.remove(oldest)
        oldest.remove()

    def begin_replacement(self, base_offset: int) -> Segment:
        """Return an empty segment for a compaction. After filling it, call `replace`, or discard it."""
        return swap.begin(self._files, self._path, base_offset, self._index_interval_bytes)

    def discard_replacement(self, segment: Segment) -> None:
        swap.discard(self._files, self._path, segment.base_offset)

    def replace(self, old: Sequence[Segment], new: Segment) -> None:
        """Replace the adjacent sealed segments `old` by `new`, also on disk. Blocks.

        Raises `SwapUnfinished` if the disk has failed halfway. Only a restart or `Partition.restore` can then repair
        the log.
        """
        swap.replace(self._files, self._path, old, new)
        new.next_offset = old[-1].next_offset
        with self._lock:
            at = self.all.index(old[0])
            self.all = [*self.all[:at], new, *self.all[at + len(old) :]]

    def close(self) -> None:
        for segment in self.all:
            segment.close()
