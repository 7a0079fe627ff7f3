"""The kinds of windows. Tumbling and sliding ones stand still: where they begin follows from a row's time alone, and
they are aligned to 1970-01-01 UTC, as Spark's are. A session begins with a row and ends a gap after its last one."""

from dataclasses import dataclass
from typing import Any

import numpy

from tenure.limits import WINDOWS_PER_ROW_MAX
from tenure.pipeline.durations import Duration, microseconds
from tenure.pipeline.errors import PipelineConfigError


@dataclass(frozen=True, slots=True)
class Sliding:
    """Windows of `size_us`, one beginning every `slide_us`. Tumbling where both are the same."""

    size_us: int
    slide_us: int
    start_us: int = 0

    def of(self, times_us: Any) -> tuple[Any, Any]:
        """The windows of each time: the numbers of the times, and where the windows start, latest window first."""
        latest = times_us - (times_us - self.start_us) % self.slide_us
        count = -(-self.size_us // self.slide_us)
        rows = numpy.repeat(numpy.arange(len(times_us)), count)
        starts = (latest[:, None] - numpy.arange(count) * self.slide_us).ravel()
        inside = starts + self.size_us > times_us[rows]
        return rows[inside], starts[inside]


@dataclass(frozen=True, slots=True)
class Session:
    """Rows of a key that are less than `gap_us` apart."""

    gap_us: int


def tumbling(size: Duration, *, start: Duration = "0 seconds") -> Sliding:
    """Windows of one size that follow each other without gaps: `tumbling("1 hour")`.

    They are aligned to 1970-01-01 UTC, later by `start`.
    """
    size_us = microseconds(size, "The size of tumbling windows")
    return Sliding(size_us, size_us, microseconds(start, "The start of tumbling windows", least_us=0))


def sliding(size: Duration, *, every: Duration, start: Duration = "0 seconds") -> Sliding:
    """Windows that overlap: `sliding("1 hour", every="10 minutes")`. A row is in several."""
    size_us, slide_us = microseconds(size, "The size of sliding windows"), microseconds(every, "Their slide")
    if slide_us > size_us:
        raise PipelineConfigError(f"Sliding windows of {size} that begin every {every} leave gaps: slide by less.")
    if size_us > slide_us * WINDOWS_PER_ROW_MAX:
        raise PipelineConfigError(
            f"Sliding windows of {size} that begin every {every} put each row into more than {WINDOWS_PER_ROW_MAX}"
            " windows: slide by more."
        )
    return Sliding(size_us, slide_us, microseconds(start, "The start of sliding windows", least_us=0))


def session(gap: Duration) -> Session:
    """A window lasts as long as rows of its key come, and ends `gap` after the last: `session("30 minutes")`."""
    return Session(microseconds(gap, "The gap of session windows"))
