"""Publications of committed batches, which run in the background.

A slow sink delays only the lanes of one bundle: a lane is planned or recovered again after its own publication has
ended. A publication may continue after the member has lost its lanes. This is safe: the publication only publishes the
output that its manifests list, and it skips output that the new owner has already published.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from tenure.limits.pipeline import PUBLICATIONS_AT_ONCE, RUN_POLL_S
from tenure.pipeline.engine.background_tasks import BackgroundTask, BackgroundTasks
from tenure.pipeline.errors import SinkFailed
from tenure.pipeline.values.lanes import Lane


@dataclass(slots=True, eq=False)
class Publication:
    """Publication of the lanes of one bundle, or of lanes that were recovered together.

    It runs, or waits until fewer than PUBLICATIONS_AT_ONCE publications run.
    """

    lanes: frozenset[Lane]
    work: Callable[[], None]
    task: BackgroundTask | None = None
    """Running task; None while the publication waits for others to end."""
    started_s: float = 0.0


class Publications:
    def __init__(self, background_tasks: BackgroundTasks, clock_s: Callable[[], float]) -> None:
        self._background_tasks = background_tasks
        self._clock_s = clock_s
        self._all: list[Publication] = []
        """Publications in the order of their start. Invariant: each lane is in at most one of them, and only the first
        PUBLICATIONS_AT_ONCE have begun."""

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Publication]:
        return iter(self._all)

    @property
    def lanes(self) -> frozenset[Lane]:
        return frozenset(lane for one in self._all for lane in one.lanes)

    def add(self, lanes: frozenset[Lane], work: Callable[[], None]) -> None:
        self._all.append(Publication(lanes, work))
        self._begin()

    def poll_ended(self, timeout_s: float) -> Iterator[tuple[frozenset[Lane], OSError | SinkFailed | None]]:
        """Yield the lanes of each publication that has ended, with its retriable error or None.

        Waits up to `timeout_s` seconds for each publication. Raises errors that are not retriable.
        """
        for one in list(self._all):
            if one.task is None:
                continue
            is_over, failure = True, None
            try:
                is_over = one.task.wait(timeout_s)
            except (OSError, SinkFailed) as error:
                failure = error
            finally:
                if is_over:
                    self._all.remove(one)
                    self._begin()
            if is_over:
                yield one.lanes, failure

    def finish(self, within_s: float) -> None:
        """Wait up to `within_s` seconds for all publications. The next owner of a lane repeats the unfinished ones.

        Errors of publications are ignored, because another error has already stopped the pipeline.
        """
        until_s = self._clock_s() + within_s
        while self._all and self._clock_s() < until_s:
            with suppress(Exception):
                deque(self.poll_ended(RUN_POLL_S), maxlen=0)

    def abandon(self) -> None:
        """Stop waiting for the running publications. The next owner of the lanes repeats them."""
        self._all.clear()

    def longest_s(self) -> float:
        """Return the age of the oldest running publication in seconds."""
        return max((self._clock_s() - one.started_s for one in self._all if one.task is not None), default=0.0)

    def _begin(self) -> None:
        for one in self._all[:PUBLICATIONS_AT_ONCE]:
            if one.task is None:
                one.started_s = self._clock_s()
                one.task = self._background_tasks.start(one.work)
