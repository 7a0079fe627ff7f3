"""A bundle between its plan and its commit."""

from dataclasses import dataclass

from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import StagingRun


@dataclass(slots=True, eq=False)
class BundleInFlight:
    """A planned bundle whose task runs.

    Invariant: this member owns its lanes, and no other bundle in flight has them.
    """

    bundle: Bundle
    run: StagingRun
    started_s: float

    @property
    def lanes(self) -> frozenset[Lane]:
        return frozenset(lane.lane for lane in self.bundle.lanes)
