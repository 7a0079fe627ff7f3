"""Publications under way: what is committed becomes visible beside the member's thread.

So a sink that is slow holds up the lanes of its bundle and nobody else's. They are planned, or recovered, again only
when their own last publication is over. One that goes on after its lanes have moved away does no harm: it does what its
manifests say, and nothing where their new owner has done it before.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from tenure.limits import PUBLICATIONS_AT_ONCE, RUN_POLL_S
from tenure.pipeline.errands import Errand, Errands
from tenure.pipeline.errors import SinkFailed
from tenure.pipeline.lanes import Lane


@dataclass(slots=True, eq=False)
class Publication:
    """Of the lanes of one bundle, or of those that were recovered together."""

    lanes: frozenset[Lane]
    work: Callable[[], None]
    errand: Errand | None = None
    """None: as many as may be are under way before it."""
    started_s: float = 0.0


class Publications:
    def __init__(self, errands: Errands, clock_s: Callable[[], float]) -> None:
        self._errands = errands
        self._clock_s = clock_s
        self._all: list[Publication] = []
        """Invariant: a lane is in one of them at most, and the first PUBLICATIONS_AT_ONCE have begun."""

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

    def over(self, patience_s: float) -> Iterator[tuple[frozenset[Lane], OSError | SinkFailed | None]]:
        """The lanes of each that has ended, and what may pass that it failed by. Raises what will not. Waits for each
        of them for so long."""
        for one in list(self._all):
            if one.errand is None:
                continue
            is_over, failure = True, None
            try:
                is_over = one.errand.wait(patience_s)
            except (OSError, SinkFailed) as error:
                failure = error
            finally:
                if is_over:
                    self._all.remove(one)
                    self._begin()
            if is_over:
                yield one.lanes, failure

    def finish(self, within_s: float) -> None:
        """As far as they end well in time: whoever runs the pipeline again rolls the others forward. Raises nothing, as
        something else has ended the pipeline."""
        until_s = self._clock_s() + within_s
        while self._all and self._clock_s() < until_s:
            with suppress(Exception):
                deque(self.over(RUN_POLL_S), maxlen=0)

    def abandon(self) -> None:
        """What is under way may end, and nobody waits for it: its lanes' owner rolls them forward."""
        self._all.clear()

    def longest_s(self) -> float:
        """How long the oldest has been under way."""
        return max((self._clock_s() - one.started_s for one in self._all if one.errand is not None), default=0.0)

    def _begin(self) -> None:
        for one in self._all[:PUBLICATIONS_AT_ONCE]:
            if one.errand is None:
                one.started_s = self._clock_s()
                one.errand = self._errands.start(one.work)
