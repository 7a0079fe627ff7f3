"""Many lives of pipelines, and their totals. A life that did too little fails, even without a broken invariant."""

from collections.abc import Iterator
from typing import ClassVar, Final

from tests.simulation.life import Life
from tests.simulation.pipelines.faults import PIPELINE_WEIGHTS
from tests.simulation.pipelines.life import PipelineLife
from tests.simulation.run import Run

MUST_HAPPEN: Final = (
    *PIPELINE_WEIGHTS,
    *(f"pipeline {step}" for step in ("recovered", "rolled-forward", "planned", "staged", "committed", "published")),
    *(f"pipeline {step}" for step in ("swept", "dropped", "revoked", "idle")),
    *("commit accepted", "commit refused", "commit unknown", "commit fenced"),
    *("bundle lane committed", "file swept", "died in an operation of the store"),
    *("task outlives its driver", "task failed"),
    *("snapshot written", "snapshot used", "file grown"),
    *("rows written to a topic", "rows for a topic refused", "transaction accepted", "transaction refused"),
    *("stopped FENCED", "rejoins as a new member", "load", "became a classic group", "became a consumer group"),
)
"""Events that must occur in LIVES_MIN lives together: every fault, every step, every outcome of a commit."""

LIVES_MIN: Final = 8
COMMITS_MIN: Final = 400
"""Number of commits of lanes."""


class PipelineRun(Run):
    command: ClassVar[str] = "python -m tests.simulation.pipelines"
    kind: ClassVar[type[Life]] = PipelineLife
    must_happen: ClassVar[tuple[str, ...]] = MUST_HAPPEN

    def too_few(self) -> Iterator[str]:
        if self.lives < LIVES_MIN:
            yield f"{self.lives} lives"
        if self.did["bundle lane committed"] < COMMITS_MIN:
            yield f"{self.did['bundle lane committed']} lanes were committed"
