"""History of a group for a replay: the starts and ends of its processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from tenure.admin.times import duration_text
from tenure.plural import format_count
from tenure.whatif.situation import GroupSeat


class StepKind(Enum):
    """Kinds of steps in a history: a process starts, is closed or is killed."""

    START = "start"
    CLOSE = "close"
    KILL = "kill"


class HistoryStep(NamedTuple):
    """Start or end of the process of one member, with the time and the member's seat in the group."""

    at_ms: int
    kind: StepKind
    seat: GroupSeat


@dataclass(frozen=True, slots=True)
class History:
    """Starts and ends of processes in the order of time. Processes of the given seats run from the beginning."""

    steps: Sequence[HistoryStep]
    left_out: int = 0
    """Number of earlier steps that are not replayed."""

    @property
    def description(self) -> str:
        """Description of the history for a reader."""
        starts = sum(step.kind is StepKind.START for step in self.steps)
        span_ms = self.steps[-1].at_ms - self.steps[0].at_ms if self.steps else 0
        return (
            f"{format_count(starts, 'start')} and {format_count(len(self.steps) - starts, 'end')} of members within"
            f" {duration_text(span_ms)}"
        )
