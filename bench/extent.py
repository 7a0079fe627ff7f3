"""Number and duration of the runs of a benchmark: to try it, to check its goals, or to record its figures."""

from __future__ import annotations

from typing import Final, NamedTuple

from bench.load import QUICK_S


class Extent(NamedTuple):
    """Runs of each side. A warm-up round before the `rounds` is not counted."""

    rounds: int
    seconds: float
    """Duration of a load, without its warm-up."""
    records: float
    """Records of a run, as a share of those of a full benchmark."""
    is_quick: bool = False
    """True if the run only tries whether the benchmark works: Java compiles less, and no broker is warmed up."""

    @property
    def turns(self) -> range:
        """Numbers of the rounds. Round 0 is the warm-up."""
        return range(1 if self.is_quick else 0, self.rounds + 1)


QUICK: Final = Extent(1, QUICK_S, 0.1, is_quick=True)
SHORT: Final = Extent(3, 1.0, 0.5)
"""For the goals: all of them in about twenty minutes. With fewer records, most of the time is the start of clients."""
FULL: Final = Extent(5, 3.0, 1.0)
