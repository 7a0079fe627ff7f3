"""Byte ranges of a segment whose batches were checked since it was opened."""

from typing import TypeAlias

VerifiedRange: TypeAlias = tuple[int, int, int]
"""(begin, end, offset after the last batch). A plain tuple: each append makes one."""


class VerifiedRanges:
    """Checked byte ranges of a segment.

    For any thread: a range that two add at once may be lost, and is checked again.
    """

    __slots__ = ("_ranges",)

    def __init__(self) -> None:
        self._ranges: tuple[VerifiedRange, ...] = ()
        """Invariant: by rising position, neither overlapping nor adjacent."""

    def add(self, begin: int, end: int, next_offset: int) -> None:
        ranges = self._ranges
        if ranges:
            first, last, _ = ranges[-1]
            if last == begin:  # an append
                self._ranges = (*ranges[:-1], (first, end, next_offset))
                return
        before = [each for each in ranges if each[1] < begin]
        behind = [each for each in ranges if each[0] > end]
        touching = ranges[len(before) : len(ranges) - len(behind)]
        if touching:
            begin = min(begin, touching[0][0])
            _, last, its_next_offset = touching[-1]
            if last > end:
                end, next_offset = last, its_next_offset
        self._ranges = (*before, (begin, end, next_offset), *behind)

    def end_of(self, position: int) -> int:
        """Return the position up to which everything from `position` on was checked.

        It is `position` itself if nothing was.
        """
        for begin, end, _ in self._ranges:
            if begin <= position <= end:
                return end
        return position

    def next_offset_at(self, position: int) -> int | None:
        """Return the offset after the batch that ends at `position`, if that batch was checked as a range's last."""
        return next((next_offset for _, end, next_offset in self._ranges if end == position), None)
