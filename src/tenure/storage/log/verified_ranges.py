"""Byte ranges of a segment whose batches were verified since the segment was opened."""

from typing import TypeAlias

VerifiedRange: TypeAlias = tuple[int, int, int]
"""(begin, end, offset after the last batch). It is a plain tuple, because each append creates one."""


class VerifiedRanges:
    """Verified byte ranges of a segment.

    Any thread may use it. If two threads add a range at the same time, one range may be lost, and is verified again.
    """

    __slots__ = ("_ranges",)

    def __init__(self) -> None:
        self._ranges: tuple[VerifiedRange, ...] = ()
        """Verified ranges of the log file. Invariant: ascending, and no two ranges overlap or touch."""

    def add(self, begin: int, end: int, next_offset: int) -> None:
        ranges = self._ranges
        if ranges:
            first, last, _ = ranges[-1]
            if last == begin:  # bytes were appended
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
        """Return the end of the verified range that contains `position`; `position` itself if there is none."""
        for begin, end, _ in self._ranges:
            if begin <= position <= end:
                return end
        return position

    def next_offset_at(self, position: int) -> int | None:
        """Return the offset after the batch that ends at `position`, if a verified range ends there; else None."""
        return next((next_offset for _, end, next_offset in self._ranges if end == position), None)
