"""What an observer is told. Progress is data: the command line prints it, tests kill a run at it, bench adds it up."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from tenure.pipeline.lanes import Lane, Range
from tenure.pipeline.manifest import Manifest
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.stager import Staged


class Step(Enum):
    """The steps of a bundle, in order: PLANNED, STAGED, COMMITTED, PUBLISHED, SWEPT. The others stand between
    bundles."""

    RECOVERED = "recovered"
    """A lane was assigned, its pointer resolved, its state found."""
    ROLLED_FORWARD = "rolled-forward"
    """What an earlier owner committed and did not publish is visible now."""
    PLANNED = "planned"
    STAGED = "staged"
    COMMITTED = "committed"
    PUBLISHED = "published"
    SWEPT = "swept"
    DROPPED = "dropped"
    """These lanes of the bundle will never be committed: refused, cancelled or failed. `reason` says why."""
    REVOKED = "revoked"
    WAITING = "waiting"
    """No broker answers; `reason` says which."""
    IDLE = "idle"
    """Nothing to do: every lane has reached the end of its log."""
    PAUSED = "paused"
    """Somebody asked for it: nothing is under way, nothing is planned, and the seat is kept."""


@dataclass(frozen=True, slots=True)
class LaneProgress:
    lane: Lane
    ranges: tuple[Range, ...] = ()
    manifest_id: str | None = None
    sequence: int = 0
    records: int = 0
    rows: int = 0
    bad_records: int = 0
    state_rows: int | None = None
    """Keys; None of a lane without state."""
    state_bytes: int = 0
    """Of the files that the lane's state is in."""
    lag: int | None = None
    """Of a planned lane: records that were there and are left for later batches. Of one that was just recovered: all
    that were there."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Of a staged lane: fetch, decode, load, process, write."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: Step
    member: str
    generation_id: int
    member_id: str
    bundle: str
    """The run's id: what the same bundle carries through all its steps; empty where no bundle is meant."""
    lanes: tuple[LaneProgress, ...]
    seconds: float = 0.0
    """How long this step took."""
    files: tuple[str, ...] = ()
    """PUBLISHED, ROLLED_FORWARD: what became visible. SWEPT: what was removed."""
    reason: str = ""
    group: str = ""
    """Of the member: the pipeline's, or that of a stage before it, which fills a topic that it reads `through`."""

    @property
    def records(self) -> int:
        return sum(lane.records for lane in self.lanes)

    @property
    def rows(self) -> int:
        return sum(lane.rows for lane in self.lanes)


def planned_lanes(bundle: Bundle) -> list[LaneProgress]:
    return [LaneProgress(plan.lane, plan.ranges, sequence=plan.sequence, lag=plan.lag) for plan in bundle.lanes]


def staged_lane(staged: Staged) -> LaneProgress:
    return replace(of_manifest(staged.manifest), seconds=staged.seconds)


def standing(position: Position, lag: int | None = None) -> LaneProgress:
    """A lane at rest: what its last run came to, if there was one."""
    manifest = position.manifest
    return replace(LaneProgress(position.lane) if manifest is None else of_manifest(manifest), lag=lag)


def of_manifest(manifest: Manifest) -> LaneProgress:
    return LaneProgress(
        lane=manifest.lane,
        ranges=manifest.ranges,
        manifest_id=manifest.id,
        sequence=manifest.sequence,
        records=manifest.records,
        rows=manifest.rows,
        bad_records=manifest.bad_records,
        state_rows=manifest.state.rows,
        state_bytes=manifest.state.size_bytes,
    )


Observer = Callable[[Progress], None]


def nobody(progress: Progress) -> None:
    """The observer that looks away."""
    del progress
