"""Offsets of copied records: the offset at the target of each record of the source.

A run is a range of the source, and the range of the target that has the same records. A run is exact if its records
have adjacent offsets at both clusters; an offset is then translated by a subtraction. Transaction markers and
compaction leave gaps at the source, and a new run begins after each gap. The number of runs is bounded: at the limit,
the two adjacent runs that are shortest together become one inexact run. To translate an offset within it, its records
have to be read.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tenure.limits.move import RUNS_MAX


class CopiedRun(NamedTuple):
    """Range of offsets at the source, and the range with the same records at the target. Ends are exclusive."""

    source_start: int
    source_end: int
    target_start: int
    target_end: int
    is_exact: bool

    def followed_by(self, later: "CopiedRun") -> "CopiedRun":
        """Return an inexact run from the start of this run to the end of a later one."""
        return CopiedRun(self.source_start, later.source_end, self.target_start, later.target_end, is_exact=False)


class CopiedRuns:
    """All runs of copied records of one partition, in the order of their offsets."""

    def __init__(self, runs: Iterable[CopiedRun] = ()) -> None:
        self._runs = list(runs)

    def __iter__(self) -> Iterator[CopiedRun]:
        return iter(self._runs)

    @property
    def target_end(self) -> int | None:
        """Offset at the target after the last copied record; None if no record was copied."""
        return self._runs[-1].target_end if self._runs else None

    def add(self, source_offset: int, target_offset: int, count: int) -> None:
        """Add `count` records with adjacent offsets at source and target. They must follow all records added so far."""
        added = CopiedRun(source_offset, source_offset + count, target_offset, target_offset + count, is_exact=True)
        last = self._runs[-1] if self._runs else None
        if last and last.is_exact and (last.source_end, last.target_end) == (source_offset, target_offset):
            self._runs[-1] = last._replace(source_end=added.source_end, target_end=added.target_end)
            return
        self._runs.append(added)
        if len(self._runs) > RUNS_MAX:
            self._join_shortest()

    def _join_shortest(self) -> None:
        """Join the two adjacent runs that are shortest together. The last run, which still grows, is never joined."""
        spans = [self._runs[at + 1].source_end - self._runs[at].source_start for at in range(len(self._runs) - 2)]
        at = spans.index(min(spans))
        self._runs[at : at + 2] = [self._runs[at].followed_by(self._runs[at + 1])]

    def run_of(self, source_offset: int) -> CopiedRun | None:
        """Return the first run that ends after an offset of the source; None if the offset is after all runs."""
        return next((run for run in self._runs if run.source_end > source_offset), None)

    def run_at_target(self, target_offset: int) -> CopiedRun | None:
        """Return the first run whose copies end after an offset of the target; None if the offset is after all runs."""
        return next((run for run in self._runs if run.target_end > target_offset), None)


def encode_runs(runs: CopiedRuns) -> str:
    """Return runs as text: `source:target+count` for an exact run, `start-end:start-end` for an inexact one."""
    return " ".join(
        f"{run.source_start}:{run.target_start}+{run.source_end - run.source_start}"
        if run.is_exact
        else f"{run.source_start}-{run.source_end}:{run.target_start}-{run.target_end}"
        for run in runs
    )


def decode_runs(words: Iterable[str]) -> CopiedRuns:
    """Parse the result of `encode_runs`, divided into words. Raises ValueError."""
    return CopiedRuns(map(_decode_run, words))


def _decode_run(word: str) -> CopiedRun:
    source, target = word.split(":")
    if "+" in target:
        target_start, count = map(int, target.split("+"))
        return CopiedRun(int(source), int(source) + count, target_start, target_start + count, is_exact=True)
    (source_start, source_end), (target_start, target_end) = map(int, source.split("-")), map(int, target.split("-"))
    return CopiedRun(source_start, source_end, target_start, target_end, is_exact=False)
