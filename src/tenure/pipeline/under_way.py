"""A bundle between its plan and its commit."""

from dataclasses import dataclass

from tenure.pipeline.lanes import Lane
from tenure.pipeline.plan import Bundle
from tenure.pipeline.stager import Run


@dataclass(slots=True, eq=False)
class UnderWay:
    """Invariant: its lanes are held, and in no other one."""

    bundle: Bundle
    run: Run
    started_s: float

    @property
    def lanes(self) -> frozenset[Lane]:
        return frozenset(lane.lane for lane in self.bundle.lanes)
