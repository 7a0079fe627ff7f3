"""Kinds of windows.

The row's time alone determines its tumbling and sliding windows, which are aligned to 1970-01-01 UTC, as in Spark. A
session window starts with a row. It ends when the key has had no row for the given gap.
"""

from dataclasses import dataclass
from typing import Any

import numpy

from tenure.limits.pipeline import WINDOWS_PER_ROW_MAX
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.values.durations import Duration, microseconds


@dataclass(frozen=True, slots=True)
class Sliding:
    """Windows of length `size_us` that start every `slide_us`. For tumbling windows both values are the same."""

    size_us: int
    slide_us: int
    start_us: int = 0

    def of(self, times_us: Any) -> tuple[Any, Any]:
        """Return the windows that contain each time, as two arrays: index into `times_us`, and start of the window.

        The windows of one time are contiguous in the arrays, the latest first.
        """
        latest = times_us - (times_us - self.start_us) % self.slide_us
        count = -(-self.size_us // self.slide_us)
        rows = numpy.repeat(numpy.arange(len(times_us)), count)
        starts = (latest[:, None] - numpy.arange(count) * self.slide_us).ravel()
        inside = starts + self.size_us > times_us[rows]
        return rows[inside], starts[inside]


@dataclass(frozen=True, slots=True)
class Session:
    """Session windows. Two rows of a key are in one session if less than `gap_us` lies between them."""

    gap_us: int


def tumbling(size: Duration, *, start: Duration = "0 seconds") -> Sliding:
    """Return windows of one size without gaps or overlap, such as `tumbling("1 hour")`.

    Args:
        size: Size of a window.
        start: Offset of the window starts from 1970-01-01 UTC.
    """
    size_us = microseconds(size, "The size of tumbling windows")
    return Sliding(size_us, size_us, microseconds(start, "The start of tumbling windows", least_us=0))


def sliding(size: Duration, *, every: Duration, start: Duration = "0 seconds") -> Sliding:
    """Return overlapping windows, such as `sliding("1 hour", every="10 minutes")`.

    Args:
        size: Size of a window.
        every: Distance between the starts of two windows.
        start: Offset of the window starts from 1970-01-01 UTC.

    Raises:
        PipelineConfigError: The windows leave gaps, or a row would be in too many windows.
    """
    size_us, slide_us = (
        microseconds(size, "The size of sliding windows"),
        microseconds(every, "The slide of sliding windows"),
    )
    if slide_us > size_us:
        raise PipelineConfigError(
            f"Sliding windows of {size} that start every {every} leave gaps: set a shorter every=."
        )
    if size_us > slide_us * WINDOWS_PER_ROW_MAX:
        raise PipelineConfigError(
            f"Sliding windows of {size} that start every {every} put each row into more than {WINDOWS_PER_ROW_MAX}"
            " windows: set a longer every=."
        )
    return Sliding(size_us, slide_us, microseconds(start, "The start of sliding windows", least_us=0))


def session(gap: Duration) -> Session:
    """Return windows that end when a key has no row for `gap`, such as `session("30 minutes")`."""
    return Session(microseconds(gap, "The gap of session windows"))
