"""Summaries of batches, collected from the progress that the engine reports for each batch."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tenure.pipeline.values.progress import LaneProgress, Progress, ProgressStep


@dataclass(slots=True)
class FinishedBatch:
    """One published batch of a member."""

    member: str
    generation_id: int
    bundle: str
    lanes: tuple[str, ...] = ()
    """Lanes of the batch that were committed."""
    records: int = 0
    rows: int = 0
    bad_records: int = 0
    lag: int = 0
    """Number of records of the batch's lanes that were left for later batches when this batch was planned."""
    state_rows: int | None = None
    """Number of keys in the state of the batch's lanes after the batch; None without state."""
    state_bytes: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    """Seconds by phase: plan, stage, fetch, decode, load, process, write, commit, publish.

    The phases from fetch to write happen in the task; stage includes them and Spark's own time. The seconds of several
    lanes are added, because a task works on one lane after the other.
    """
    total_s: float = 0.0
    """Seconds from plan to publication."""
    group: str = ""
    """Group of the member."""


class BatchCollector:
    """Observer that calls a function with each finished batch. Call it from one thread at a time."""

    def __init__(self, then: Callable[[FinishedBatch], None], *, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._then: Final = then
        self._clock_s: Final = clock_s
        self._begun: Final[dict[str, tuple[FinishedBatch, float]]] = {}
        """Batches in progress, by bundle and not by member: a member that joins again may have a new name."""

    def __call__(self, progress: Progress) -> None:
        key = progress.bundle
        match progress.step:
            case ProgressStep.PLANNED:
                batch = FinishedBatch(progress.member, progress.generation_id, progress.bundle, group=progress.group)
                batch.lag = sum(lane.lag or 0 for lane in progress.lanes)
                batch.seconds["plan"] = progress.seconds
                self._begun[key] = batch, self._clock_s() - progress.seconds
            case ProgressStep.STAGED if key in self._begun:
                self._begun[key][0].seconds["stage"] = progress.seconds
            case ProgressStep.COMMITTED if key in self._begun:
                self._record_commit(self._begun[key][0], progress)
            case ProgressStep.PUBLISHED if key in self._begun:
                batch, begun_s = self._begun.pop(key)
                batch.seconds["publish"] = progress.seconds
                batch.total_s = self._clock_s() - begun_s
                self._then(batch)
            case ProgressStep.DROPPED if key in self._begun and not self._begun[key][0].lanes:
                del self._begun[key]

    def _record_commit(self, batch: FinishedBatch, progress: Progress) -> None:
        """Store the counts and durations of the committed lanes. Dropped lanes are left out."""
        batch.lanes = tuple(str(lane.lane) for lane in progress.lanes)
        batch.records, batch.rows = progress.records, progress.rows
        batch.bad_records = sum(lane.bad_records for lane in progress.lanes)
        batch.state_rows = sum_state_rows(progress.lanes)
        batch.state_bytes = sum(lane.state_bytes for lane in progress.lanes)
        for lane in progress.lanes:
            for phase, seconds in lane.seconds.items():
                batch.seconds[phase] = batch.seconds.get(phase, 0.0) + seconds
        batch.seconds["commit"] = progress.seconds


def sum_state_rows(lanes: tuple[LaneProgress, ...]) -> int | None:
    """Return the number of keys in the state of the lanes; None if the lanes have no state."""
    known = [lane.state_rows for lane in lanes if lane.state_rows is not None]
    return sum(known) if known else None
