"""What a lane knows of time. It is committed with the lane's position, so it moves with the lane and is as exact.

A *watermark* is a bound that event time has passed: the highest event time seen of a topic, less the delay that its
declaration allows for. It is a function of the records up to one, and of nothing else: not of batches, not of clocks.
Therefore every row can carry the watermark as of itself (`_watermark`), and whatever follows from watermarks is the
same however the log is cut into batches.
"""

import time
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Times:
    """As of a lane's committed position. Of each topic in the order of the lane's; empty before the first run."""

    order_ms: tuple[int, ...] = ()
    """The highest timestamp of a record so far; by it the topics of a lane are read in step."""
    event_us: tuple[int | None, ...] = ()
    """The highest event time of a row so far; None before the first."""
    wake_ms: int | None = None
    """When the next timer of processing time is due; the lane has something to do then, even without records."""

    def is_due(self, now_ms: int) -> bool:
        return self.wake_ms is not None and self.wake_ms <= now_ms


NEVER: Final = Times()
"""Of a lane that has not run yet."""


def wall_ms() -> int:
    """Processing time."""
    return time.time_ns() // 1_000_000
