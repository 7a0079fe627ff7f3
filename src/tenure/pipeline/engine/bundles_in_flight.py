"""Bundles of a member that are planned and not committed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.stager import Result, StagingTask


@dataclass(slots=True, eq=False)
class BundleInFlight:
    """Planned bundle with its running task."""

    bundle: Bundle
    task: StagingTask
    started_s: float

    @property
    def lanes(self) -> frozenset[Lane]:
        return frozenset(lane.lane for lane in self.bundle.lanes)


class BundlesInFlight:
    """Bundles whose tasks run. Each lane is in at most one of them."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._all: list[BundleInFlight] = []

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[BundleInFlight]:
        """Iterate over a copy, so that the caller may remove bundles."""
        return iter(list(self._all))

    @property
    def lanes(self) -> frozenset[Lane]:
        return frozenset(lane for one in self._all for lane in one.lanes)

    def add(self, bundle: Bundle, task: StagingTask) -> None:
        self._all.append(BundleInFlight(bundle, task, self._clock_s()))

    def remove(self, one: BundleInFlight) -> None:
        self._all.remove(one)

    def poll_ended(self, timeout_s: float) -> Iterator[tuple[BundleInFlight, Sequence[Result]]]:
        """Yield each bundle whose task has ended, with its results. Waits up to `timeout_s` seconds for each task."""
        for one in self:
            results = one.task.wait(timeout_s) if one in self._all else None
            if results is not None:
                yield one, results
