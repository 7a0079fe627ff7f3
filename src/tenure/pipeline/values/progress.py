"""Progress of an engine as data for observers: log lines, metrics, tests and benchmarks."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from tenure.pipeline.values.lanes import Lane, Range
from tenure.pipeline.values.manifest import Manifest
from tenure.pipeline.values.plan import Bundle, Position
from tenure.pipeline.values.stager import Staged


class ProgressStep(Enum):
    """Event in the progress of an engine.

    A bundle has the steps PLANNED, STAGED, COMMITTED, PUBLISHED and SWEPT, in this order.
    """

    RECOVERED = "recovered"
    """A lane was assigned, and its committed position and state were found."""
    ROLLED_FORWARD = "rolled-forward"
    """This member published the last batch of an earlier owner, which had committed but not published it."""
    PLANNED = "planned"
    STAGED = "staged"
    COMMITTED = "committed"
    PUBLISHED = "published"
    SWEPT = "swept"
    DROPPED = "dropped"
    """The commit of these lanes was refused, or their batch was cancelled or failed. See `reason`."""
    REVOKED = "revoked"
    WAITING = "waiting"
    """No broker answers. See `reason`."""
    IDLE = "idle"
    """All lanes have reached the end of their logs."""
    PAUSED = "paused"
    """The engine is paused: no batch runs, and the member stays in the group."""
    COPIED = "copied"
    """The copies of standby lanes have changed. `lanes` are all lanes with complete copies of their states."""


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
    """Number of keys; None for a lane without state."""
    state_bytes: int = 0
    """Size of the files of the lane's state."""
    lag: int | None = None
    """Records in the log that are not planned yet."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Seconds of a staged lane by phase: fetch, decode, load, process, write."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: ProgressStep
    member: str
    generation_id: int
    member_id: str
    bundle: str
    """Id of the bundle, the same in all of its steps; empty if the step concerns no bundle."""
    lanes: tuple[LaneProgress, ...]
    seconds: float = 0.0
    """Duration of the step."""
    files: tuple[str, ...] = ()
    """Published files (PUBLISHED, ROLLED_FORWARD) or removed files (SWEPT)."""
    reason: str = ""
    group: str = ""
    """Group of the member: the pipeline's own group, or the group of a pipeline that fills a topic of `through`."""

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


def committed_lane(position: Position, lag: int | None = None) -> LaneProgress:
    """Return the progress of a lane without a running batch, with the results of its last batch."""
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


def ignore_progress(progress: Progress) -> None:
    """Do nothing. This is the default observer."""
    del progress
