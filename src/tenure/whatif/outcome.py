"""Cost of restarts: the effects on a simulated group."""

from dataclasses import dataclass, field
from math import ceil
from typing import Any

from tenure.client.values import TopicPartition
from tenure.whatif.timeline import Pause, Timeline


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cost of restarts in one simulated group."""

    rebalances: int
    """Number of rebalances: new generations of a classic group, new epochs of a consumer group."""
    moved: int
    """Number of times that a partition got another owner."""
    fenced: int
    """Number of members that ended because another member took their instance id."""
    span_ms: int
    """Time from the first restart until the group is stable again."""
    pause_ms: dict[TopicPartition, int] = field(repr=False)
    """Time in which no member worked on a partition, in ms, by partition."""
    pauses: list[Pause] = field(repr=False)
    rebalance_rows: list[dict[str, Any]] = field(repr=False)
    """Rebalances as rows of the audit's table; times in ms from the first restart."""
    is_stable: bool = True
    """False if the group was not stable again within fifteen minutes."""

    @property
    def median_pause_ms(self) -> int:
        """Median over the partitions of the time that each of them paused."""
        return percentile(sorted(self.pause_ms.values()), 50)

    @property
    def p99_pause_ms(self) -> int:
        """99th percentile over the partitions of the time that each of them paused."""
        return percentile(sorted(self.pause_ms.values()), 99)

    @property
    def longest_pause_ms(self) -> int:
        """Longest single pause of a partition."""
        return max((pause.length_ms for pause in self.pauses), default=0)

    @property
    def total_pause_ms(self) -> int:
        """Sum of all pauses."""
        return sum(self.pause_ms.values())

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        return {
            "rebalances": self.rebalances,
            "partitions_moved": self.moved,
            "median_pause_ms": self.median_pause_ms,
            "p99_pause_ms": self.p99_pause_ms,
            "longest_pause_ms": self.longest_pause_ms,
            "total_pause_ms": self.total_pause_ms,
            "fenced_members": self.fenced,
            "span_ms": self.span_ms,
            "stable": self.is_stable,
        }


def percentile(ordered: list[int], percent: int) -> int:
    """Return the nearest-rank percentile of values in ascending order; 0 for no values."""
    return ordered[max(ceil(len(ordered) * percent / 100) - 1, 0)] if ordered else 0


def outcome_of(timeline: Timeline, partitions: list[TopicPartition], now_ms: int, *, is_stable: bool) -> Outcome:
    """Compute the outcome from the timeline of a simulated group. Times are relative to the start of the timeline."""
    pauses = timeline.pauses()
    pause_ms = dict.fromkeys(partitions, 0)
    for pause in pauses:
        pause_ms[pause.partition] += pause.length_ms
    rows = timeline.rebalances
    return Outcome(
        rebalances=len(rows) + sum(row["missed_epochs"] or 0 for row in rows),
        moved=sum(row["moved"] for row in timeline.assignments),
        fenced=len(timeline.fenced),
        span_ms=now_ms - timeline.began_ms,
        pause_ms=pause_ms,
        pauses=[Pause(of, begin - timeline.began_ms, end - timeline.began_ms) for of, begin, end in pauses],
        rebalance_rows=[{**row, "time": row["time"] - timeline.began_ms} for row in rows],
        is_stable=is_stable,
    )
