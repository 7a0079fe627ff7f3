"""Run of many lives, and their totals. A run with too few events fails, even without a broken invariant."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import ClassVar, Final, NamedTuple

from tests.simulation.broken import Broken
from tests.simulation.faults import WEIGHTS
from tests.simulation.life import Life

MUST_HAPPEN: Final = (
    *WEIGHTS,
    *("Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Assigning", "Reconciling"),
    *("commit accepted", "commit accepted at an older epoch", "fetch", "Synced", "HeartbeatAnswered"),
    *("commit refused: ILLEGAL_GENERATION", "commit refused: UNKNOWN_MEMBER_ID", "commit refused: STALE_MEMBER_EPOCH"),
    *("UNKNOWN_MEMBER_ID", "FENCED_INSTANCE_ID", "UNRELEASED_INSTANCE_ID", "ILLEGAL_GENERATION"),
    *("MEMBER_ID_REQUIRED", "REBALANCE_IN_PROGRESS", "NOT_COORDINATOR", "COORDINATOR_LOAD_IN_PROGRESS"),
    *("restarted as classic", "restarted as consumer", "became a classic group", "became a consumer group"),
    "ResolveRegex",
    *("member ended: FENCED_INSTANCE_ID", "static bounce", "rejoins as a new member"),
    *("load", "compaction", "compaction while loading", "append failed", "sync failed", "records lost"),
    *("slow message", "connection broken", "connection silent", "answer lost", "request twice", "request timed out"),
)
"""Events that must occur in HOURS_MIN hours together: every fault, every state, and rare coincidences."""
HOURS_MIN: Final = 14
COMMITS_PER_HOUR_MIN: Final = 100
STEPS_SHOWN: Final = 60


class Failure(NamedTuple):
    """Failure of a life. `broken` may also be a bug of the simulation, or an unexpected exception."""

    seed: int
    broken: Exception
    drawn: dict[str, object]
    hours: float
    steps: list[str]


class Run:
    """Totals of several lives."""

    command: ClassVar[str] = "python -m tests.simulation"
    kind: ClassVar[type[Life]] = Life
    must_happen: ClassVar[tuple[str, ...]] = MUST_HAPPEN

    def __init__(self, first_seed: int) -> None:
        self.first_seed: Final = first_seed
        self.lives = 0
        self.hours = 0.0
        self.cpu_s = 0.0
        self.did: Counter[str] = Counter()
        self.digests: list[str] = []
        self.failure: Failure | None = None

    @property
    def last_seed(self) -> int:
        return self.first_seed + self.lives - 1

    @property
    def hours_per_core_minute(self) -> float:
        return 60 * self.hours / self.cpu_s if self.cpu_s else 0.0

    @property
    def lacks(self) -> list[str]:
        """Reasons why the run had too few events; empty if it had enough."""
        never = [what for what in self.must_happen if not self.did[what]]
        lacks = [f"never saw {', '.join(never)}"] if never else []
        return lacks + [f"only {there_was}" for there_was in self.too_few()]

    def too_few(self) -> Iterator[str]:
        """Yield the counts that are too low."""
        if self.hours < HOURS_MIN:
            yield f"{self.hours:.1f} simulated hours"
        if self.did["commit accepted"] < COMMITS_PER_HOUR_MIN * self.hours:
            yield f"{self.did['commit accepted']} commits were accepted"

    def run_life(self, seed: int) -> bool:
        """Run one life; return False if an invariant was broken."""
        life = self.kind(seed)
        began_s = time.process_time()
        try:
            life.run()
        except Exception as broken:
            trace = life.cluster.trace
            self.failure = Failure(seed, broken, life.drawn, life.hours, trace.last(STEPS_SHOWN))
        self.cpu_s += time.process_time() - began_s
        self.lives += 1
        self.hours += life.hours
        self.did += life.cluster.trace.did
        self.digests.append(life.cluster.trace.digest())
        return self.failure is None


def run(first_seed: int, goes_on: Callable[[Run], bool], lives_max: int | None = None, kind: type[Run] = Run) -> Run:
    """Run lives one after another, as long as `goes_on` returns True and no invariant is violated."""
    result = kind(first_seed)
    seeds: Iterator[int] = count(first_seed)
    while goes_on(result) and (lives_max is None or result.lives < lives_max) and result.run_life(next(seeds)):
        pass
    return result


def report(result: Run) -> Iterator[str]:
    """Yield the lines of the report."""
    failure = result.failure
    if failure is not None:
        yield from (*failure.steps, "", f"seed {failure.seed} drew {failure.drawn}", "")
        kind = "" if isinstance(failure.broken, Broken) else f"{type(failure.broken).__name__}: "
        yield f"after {failure.hours:.3f} simulated hours: {kind}{failure.broken}"
        yield f"to see it again: {result.command} --seed {failure.seed}"
        yield ""
    yield "how often:"
    widest = max([len(what) for what in result.did], default=0)
    for what, times in sorted(result.did.items()):
        yield f"  {what:<{widest}}  {times:>9,}"
    yield f"seeds {result.first_seed} to {result.last_seed}: {result.hours:.1f} simulated hours in {result.cpu_s:.1f} s"
    yield f"simulated hours per core-minute: {result.hours_per_core_minute:.0f}"
