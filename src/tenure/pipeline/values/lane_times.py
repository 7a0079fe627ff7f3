"""Event times and timers of a lane. They are committed with the lane's position.

A *watermark* is a lower bound for the event times of later records: the highest event time of a topic so far, minus the
delay that the topic declares. The watermark after a record depends only on the records up to this one. It does not
depend on batches, and it depends on the clock only if the topic sets an idle timeout. Therefore every row can carry its
own watermark (`_watermark`), and results that depend on watermarks do not depend on how the log is cut into batches.
"""

import time
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Times:
    """Progress of a lane in record timestamps and event times, and the times of its next timers.

    The values belong to the lane's committed position. Each tuple has one value for each topic of the lane, and is
    empty before the first batch.
    """

    order_ms: tuple[int, ...] = ()
    """Highest record timestamp so far, in ms. The records of all topics of a lane are merged in timestamp order."""
    event_us: tuple[int | None, ...] = ()
    """Highest event time so far, in µs; None before the first row."""
    wake_ms: int | None = None
    """Time of the next processing-time timer, in ms. The lane gets a batch then, even without records."""

    idle_at_ms: int | None = None
    """Processing time in ms from which the lane is idle, and its watermark follows the clock. The lane gets a batch
    then, even without records. None if the topics set no idle timeout, or the lane has no state."""

    def is_due(self, now_ms: int) -> bool:
        return any(at_ms is not None and at_ms <= now_ms for at_ms in (self.wake_ms, self.idle_at_ms))


NEVER: Final = Times()
"""Times of a lane that has had no batch so far."""


def wall_ms() -> int:
    """Return the present wall clock time in ms since 1970, which batches use as their processing time."""
    return time.time_ns() // 1_000_000
