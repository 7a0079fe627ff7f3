"""Byte ranges of a segment whose batches were checked since it was opened."""

from typing import NamedTuple


class VerifiedRange(NamedTuple):
    begin: int
    end: int
    next_offset: int
    """The offset behind the last batch of the range."""


class VerifiedRanges:
    """Any thread may use it. A range that two threads add at once may be lost: it is then checked again."""

    __slots__ = ("_ranges",)

    def __init__(self) -> None:
        self._ranges: tuple[VerifiedRange, ...] = ()
        """Invariant: by rising position, neither overlapping nor adjacent."""

    def add(self, begin: int, end: int, next_offset: int) -> None:
        ranges = self._ranges
        if ranges and ranges[-1].end == begin:  # an append
            self._ranges = (*ranges[:-1], VerifiedRange(ranges[-1].begin, end, next_offset))
            return
        before = [each for each in ranges if each.end < begin]
        behind = [each for each in ranges if each.begin > end]
        touching = ranges[len(before) : len(ranges) - len(behind)]
        if touching and touching[-1].end > end:
            end, next_offset = touching[-1].end, touching[-1].next_offset
        begin = min([begin, *(each.begin for each in touching)])
        self._ranges = (*before, VerifiedRange(begin, end, next_offset), *behind)

    def end_of(self, position: int) -> int:
        """Return up to where everything from `position` on was checked; `position` itself where nothing was."""
        for begin, end, _ in self._ranges:
            if begin <= position <= end:
                return end
        return position

    def next_offset_at(self, position: int) -> int | None:
        """Return the offset behind the batch that ends at `position`, if that batch was checked as a range's last."""
        return next((each.next_offset for each in self._ranges if each.end == position), None)
