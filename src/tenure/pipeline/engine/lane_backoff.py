"""Pauses after failures of one lane or of the whole member.

A failure of a lane pauses only this lane. A failure of the member, such as an unreachable broker, pauses all its lanes.
"""

from collections.abc import Callable, Iterable
from math import inf
from typing import Final

from tenure.backoff import LANE, Backoff
from tenure.limits.pipeline import FAILURES_IN_A_ROW_MAX
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.lanes import Lane

MEMBER: Final = None
"""Key of the pause of the whole member, used in place of a lane."""


class LaneBackoff:
    """Exponential backoff for each lane and for the member. The pause doubles with each failure in a row."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._backoffs: dict[Lane | None, Backoff] = {}
        self._until_s: dict[Lane | None, float] = {}

    def record_failure(
        self, code: Code, reason: str, lanes: Iterable[Lane | None] = (MEMBER,), *, lane: Lane | None = None
    ) -> None:
        """Count a failure of lanes or of the whole member, and pause them.

        Args:
            code: Code of the error that is raised after too many failures.
            reason: Message of this error.
            lanes: Lanes that failed; MEMBER stands for the whole member.
            lane: Lane that this error names, if any.

        Raises:
            PipelineStopped: One of `lanes` has failed more than FAILURES_IN_A_ROW_MAX times in a row.
        """
        for one in lanes:
            count = self._count(one)
            if count > FAILURES_IN_A_ROW_MAX:
                raise PipelineStopped(code, f"{reason} ({count} times in a row)", lane)

    def record_broker_failure(self) -> None:
        """Pause the member. The number of such failures has no limit, because a broker may be down for any time."""
        self._count(MEMBER)
        self._backoffs[MEMBER].retries = min(self._backoffs[MEMBER].retries, FAILURES_IN_A_ROW_MAX)

    def reset(self, lanes: Iterable[Lane]) -> None:
        """End the pauses of these lanes and of the member after a success, and set their failure counts to 0."""
        for lane in (MEMBER, *lanes):
            self._backoffs.pop(lane, None)
            self._until_s.pop(lane, None)

    def is_waiting(self, lane: Lane | None = MEMBER) -> bool:
        """Return whether this lane is paused now; with MEMBER, whether the whole member is paused."""
        return self._clock_s() < self._until_s.get(lane, 0.0)

    def remaining_s(self) -> float:
        """Return the seconds until the first pause ends; infinity if nothing is paused."""
        now_s = self._clock_s()
        return min((until_s - now_s for until_s in self._until_s.values() if until_s > now_s), default=inf)

    def _count(self, lane: Lane | None) -> int:
        backoff = self._backoffs.setdefault(lane, Backoff(LANE))
        self._until_s[lane] = self._clock_s() + backoff.next_s()
        return backoff.retries
