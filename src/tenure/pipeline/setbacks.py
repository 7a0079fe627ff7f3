"""Setbacks: who has met with trouble, how often in a row, and how long they wait before they try again.

A lane that fails waits alone; the member's others go on. What meets the member before any lane of it does, such as a
broker that is away, holds up all of them.
"""

from collections.abc import Callable, Iterable
from math import inf
from typing import Final

from tenure.limits import SETBACK_PAUSE_MAX_S, SETBACK_PAUSE_S, SETBACKS_MAX
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.lanes import Lane

MEMBER: Final = None
"""In a lane's place: all of them."""


class Setbacks:
    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._in_a_row: dict[Lane | None, int] = {}
        self._until_s: dict[Lane | None, float] = {}

    def meet(
        self, code: Code, reason: str, whom: Iterable[Lane | None] = (MEMBER,), *, lane: Lane | None = None
    ) -> None:
        """Raises PipelineStopped where one has met so many that another attempt is no use; it names `lane`."""
        for one in whom:
            count = self._count(one)
            if count > SETBACKS_MAX:
                raise PipelineStopped(code, f"{reason} ({count} times in a row)", lane)

    def meet_patiently(self) -> None:
        """A broker may be away for as long as it likes."""
        self._in_a_row[MEMBER] = min(self._in_a_row.get(MEMBER, 0), SETBACKS_MAX)
        self._count(MEMBER)

    def overcome(self, lanes: Iterable[Lane]) -> None:
        for lane in (MEMBER, *lanes):
            self._in_a_row.pop(lane, None)
            self._until_s.pop(lane, None)

    def waits(self, whom: Lane | None = MEMBER) -> bool:
        return self._clock_s() < self._until_s.get(whom, 0.0)

    def left_s(self) -> float:
        """Until the first of them tries again; infinity where nobody waits."""
        now_s = self._clock_s()
        return min((until_s - now_s for until_s in self._until_s.values() if until_s > now_s), default=inf)

    def _count(self, whom: Lane | None) -> int:
        count = self._in_a_row.get(whom, 0) + 1
        self._in_a_row[whom] = count
        self._until_s[whom] = self._clock_s() + min(SETBACK_PAUSE_S * 2.0 ** (count - 1), SETBACK_PAUSE_MAX_S)
        return count
