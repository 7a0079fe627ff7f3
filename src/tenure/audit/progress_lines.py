"""Log lines about the progress of a report."""

import time
from collections.abc import Callable
from typing import Final

from tenure.limits.audit import PICTURES_LINE_INTERVAL_S
from tenure.plural import format_count

LineWriter = Callable[[str], None]


def ignore_line(line: str) -> None:
    """Do nothing, for reports without log lines."""
    del line


class PictureLines:
    """Observer of pictures that writes a line before the first one, every few seconds, and after the last one."""

    def __init__(self, write_line: LineWriter, clock_s: Callable[[], float] = time.monotonic) -> None:
        self.write_line: Final = write_line
        self.clock_s: Final = clock_s
        self.written_s = clock_s()
        """Time at which the last line was written."""

    def __call__(self, drawn: int, total: int) -> None:
        """Write a line, if one is due."""
        if drawn == 0:
            self.write_line(f"drawing {format_count(total, 'picture')} (--no-pictures leaves them out)")
        elif drawn == total or self.clock_s() - self.written_s >= PICTURES_LINE_INTERVAL_S:
            self.write_line(f"{drawn:,} of {format_count(total, 'picture')} drawn")
        else:
            return
        self.written_s = self.clock_s()
