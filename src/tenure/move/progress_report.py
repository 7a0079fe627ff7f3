"""Progress of a move on standard error: one line that is rewritten on a terminal, else a log line from time to time."""

import sys
import time
from collections.abc import Collection, Mapping
from typing import Final, TextIO

from tenure.client.values import TopicPartition
from tenure.limits.move import PROGRESS_INTERVAL_S, PROGRESS_LOG_INTERVAL_S
from tenure.move.partition_copy import PartitionCopy
from tenure.plural import format_count

CLEAR_LINE: Final = "\r\x1b[K"


class ProgressReport:
    """Printer of the progress of all copies. It prints nothing if `quiet` is true."""

    def __init__(self, copies: Collection[PartitionCopy], *, quiet: bool = False, out: TextIO = sys.stderr) -> None:
        self._copies: Final = copies
        self._quiet: Final = quiet
        self._out: Final = out
        self._on_terminal: Final = out.isatty()
        self._began_at_s: Final = time.monotonic()
        self._printed_at_s = time.monotonic()
        self._line_is_open = False

    def update(self, ends: Mapping[TopicPartition, int]) -> None:
        """Print the progress, unless it was printed a short time ago."""
        now_s = time.monotonic()
        interval_s = PROGRESS_INTERVAL_S if self._on_terminal else PROGRESS_LOG_INTERVAL_S
        if self._quiet or now_s - self._printed_at_s < interval_s:
            return
        self._printed_at_s = now_s
        text = f"move: {progress_text(self._copies, ends, now_s - self._began_at_s)}"
        if self._on_terminal:
            self._out.write(f"{CLEAR_LINE}{text}")
            self._line_is_open = True
        else:
            self._out.write(f"tenure: {text}\n")
        self._out.flush()

    def end_line(self) -> None:
        """Clear the progress line on a terminal."""
        if self._line_is_open:
            self._out.write(CLEAR_LINE)
            self._line_is_open = False


def progress_text(copies: Collection[PartitionCopy], ends: Mapping[TopicPartition, int], elapsed_s: float) -> str:
    """Return a text with the number of copied records, the rate, and the remaining time at this rate."""
    behind = {copy: max(0, ends[copy.partition] - copy.progress.source_next) for copy in copies}
    records, size = sum(copy.written_records for copy in copies), sum(copy.written_bytes for copy in copies)
    rate = records / elapsed_s if elapsed_s else 0.0
    done = sum(not left for left in behind.values())
    partitions = f"{done} of {format_count(len(behind), 'partition')} complete"
    text = f"{format_count(records, 'record')}, {size / elapsed_s / 1e6:.1f} MB/s, {partitions}"
    left = sum(behind.values())
    return f"{text}, {format_count(left, 'offset')} left" + (f" ({left / rate:,.0f} s)" if rate and left else "")
