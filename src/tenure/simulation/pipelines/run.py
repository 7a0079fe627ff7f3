"""Many lives of pipelines, and what they add up to. Those that did too little have failed, whatever they found."""

from typing import ClassVar, Final

from tenure.simulation.life import Life
from tenure.simulation.pipelines.faults import PIPELINE_WEIGHTS
from tenure.simulation.pipelines.life import PipelineLife
from tenure.simulation.run import Run

MUST_HAPPEN: Final = (
    *PIPELINE_WEIGHTS,
    *(f"pipeline {step}" for step in ("recovered", "rolled-forward", "planned", "staged", "committed", "published")),
    *(f"pipeline {step}" for step in ("swept", "dropped", "revoked", "idle")),
    *("commit accepted", "commit refused", "commit unknown", "commit fenced"),
    *("bundle lane committed", "file swept", "died at an arrow", "task outlives its driver", "task failed"),
    *("snapshot written", "snapshot used", "file grown"),
    *("stopped FENCED", "rejoins anew", "load", "became a classic group", "became a consumer group"),
)
"""In so many lives together: every fault, every step, every outcome of a commit."""

LIVES_MIN: Final = 8
COMMITS_MIN: Final = 400
"""Of lanes."""


class PipelineRun(Run):
    command: ClassVar[str] = "python -m tenure.simulation.pipelines"
    kind: ClassVar[type[Life]] = PipelineLife

    @property
    def lacks(self) -> list[str]:
        never = [what for what in MUST_HAPPEN if not self.did[what]]
        lacks = [f"never saw {', '.join(never)}"] if never else []
        if self.lives < LIVES_MIN:
            lacks.append(f"only {self.lives} lives")
        if self.did["bundle lane committed"] < COMMITS_MIN:
            lacks.append(f"only {self.did['bundle lane committed']} lanes were committed")
        return lacks
