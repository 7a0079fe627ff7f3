"""Status of a running application: its members, their lanes, and the results of the last batches.

An observer updates it with each step, so that requests are answered from memory.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tenure.limits.spark import FAILURE_REASON_CHARACTERS_MAX, FAILURES_KEPT
from tenure.pipeline.values.progress import LaneProgress, Progress, ProgressStep
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch
from tenure.spark.reporting.throughput import Throughput

DOING: Final = {
    ProgressStep.RECOVERED: "working",
    ProgressStep.PLANNED: "working",
    ProgressStep.IDLE: "caught up",
    ProgressStep.PAUSED: "paused",
    ProgressStep.REVOKED: "rebalancing",
    ProgressStep.WAITING: "waiting for the broker",
}
"""Activity of a member after each of these progress steps. All other progress steps do not change the activity."""

NO_PARTITIONS: Final = "waiting for partitions"
"""Activity of a member that has joined the group and owns no partition."""


@dataclass(slots=True)
class LaneStatus:
    """Status of one lane."""

    lag: int = 0
    """Number of records in the log that were left for later batches when the last batch was planned. Before the first
    batch, the number of records that the previous owner has not processed."""
    state_rows: int | None = None
    state_bytes: int = 0
    offset: int | None = None
    """End offset of the last batch, in the first topic."""


@dataclass(slots=True)
class MemberStatus:
    """Status of one member."""

    name: str
    member_id: str = ""
    generation_id: int = -1
    doing: str = "joining"
    """Activity: "joining", a value of `DOING`, or `NO_PARTITIONS`."""
    trouble: str = ""
    """Reason why the last batch was dropped or the member waits; "" after the next plan, or when idle."""
    lanes: dict[str, LaneStatus] = field(default_factory=dict)
    standby_lanes: dict[str, int] = field(default_factory=dict)
    """Offset in the first topic up to which the state was computed, for each standby lane with a complete copy."""
    last_batch: FinishedBatch | None = None

    @property
    def has_joined(self) -> bool:
        return bool(self.lanes) or self.doing in (DOING[ProgressStep.IDLE], DOING[ProgressStep.PAUSED], NO_PARTITIONS)


@dataclass(slots=True)
class ApplicationTotals:
    """Numbers of batches, records, rows and rebalances since the application started."""

    batches: int = 0
    dropped: int = 0
    records: int = 0
    rows: int = 0
    bad_records: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    """Seconds of all batches by phase; `total` is from plan to publication."""
    lanes_gained: int = 0
    lanes_lost: int = 0
    rebalances: int = 0
    """Number of times that partitions were revoked from a member."""
    last_batch_ms: int = 0
    """Wall clock time of the last batch in ms since the epoch; 0 before the first batch."""


class ApplicationStatus:
    """Observer that stores the status of the application. Thread-safe."""

    def __init__(
        self,
        threads: int,
        *,
        clock_s: Callable[[], float] = time.monotonic,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._threads: Final = threads
        self._wall_ms: Final = wall_ms
        self._batches: Final = BatchCollector(self._batch, clock_s=clock_s)
        self.lock: Final = threading.Lock()
        self.members: Final[dict[str, MemberStatus]] = {}
        """Status by name of the member. A dynamic member that joins again has a new name; old names are dropped."""
        self.totals: Final = ApplicationTotals()
        self.throughput: Final = Throughput(clock_s)
        self.failures: Final[dict[tuple[str, str], int]] = {}
        """Wall clock time in ms at which batches were last dropped, by lanes and reason. The latest entry is last."""

    def __call__(self, progress: Progress) -> None:
        with self.lock:
            member = self._member(progress)
            member.doing = DOING.get(progress.step, member.doing)
            self._update_member(member, progress)
            self._batches(progress)

    def _member(self, progress: Progress) -> MemberStatus:
        member = self.members.get(progress.member)
        if member is None:
            member = self.members[progress.member] = MemberStatus(progress.member)
            if len(self.members) > self._threads:
                del self.members[next(iter(self.members))]
        if progress.member_id:
            member.member_id, member.generation_id = progress.member_id, progress.generation_id
        return member

    def _update_member(self, member: MemberStatus, progress: Progress) -> None:
        match progress.step:
            case ProgressStep.RECOVERED | ProgressStep.PLANNED | ProgressStep.STAGED:
                if not self.totals.lanes_gained:
                    self.throughput.start()
                self.totals.lanes_gained += sum(1 for lane in progress.lanes if str(lane.lane) not in member.lanes)
                for lane in progress.lanes:
                    self._update_lane(member, lane)
                member.trouble = ""
            case ProgressStep.IDLE:
                for status in member.lanes.values():
                    status.lag = 0
                if not member.lanes:
                    member.doing = NO_PARTITIONS
                member.trouble = ""
            case ProgressStep.REVOKED:
                for lane in progress.lanes:
                    self.totals.lanes_lost += member.lanes.pop(str(lane.lane), None) is not None
                self.totals.rebalances += 1
            case ProgressStep.DROPPED:
                self.totals.dropped += 1
                member.trouble = progress.reason
                self._record_failure(progress)
            case ProgressStep.WAITING:
                member.trouble = progress.reason
            case ProgressStep.COPIED:
                member.standby_lanes = {str(lane.lane): lane.ranges[0].end_offset for lane in progress.lanes}

    def _record_failure(self, progress: Progress) -> None:
        lanes = ",".join(str(lane.lane) for lane in progress.lanes)
        failure = lanes, progress.reason[:FAILURE_REASON_CHARACTERS_MAX]
        self.failures.pop(failure, None)
        self.failures[failure] = self._wall_ms()
        if len(self.failures) > FAILURES_KEPT:
            del self.failures[next(iter(self.failures))]

    def _update_lane(self, member: MemberStatus, lane: LaneProgress) -> None:
        status = member.lanes.setdefault(str(lane.lane), LaneStatus())
        if lane.lag is not None:
            status.lag = lane.lag
        if lane.state_rows is not None:
            status.state_rows, status.state_bytes = lane.state_rows, lane.state_bytes
        if lane.manifest_id is not None and lane.ranges:
            status.offset = lane.ranges[0].end_offset

    def _batch(self, batch: FinishedBatch) -> None:
        if batch.member in self.members:
            self.members[batch.member].last_batch = batch
        totals = self.totals
        totals.batches += 1
        totals.records += batch.records
        totals.rows += batch.rows
        totals.bad_records += batch.bad_records
        self.throughput.add(batch.records, batch.rows)
        totals.last_batch_ms = self._wall_ms()
        for phase, seconds in (*batch.seconds.items(), ("total", batch.total_s)):
            totals.seconds[phase] = totals.seconds.get(phase, 0.0) + seconds

    @property
    def joined(self) -> int:
        """Number of members that are in the group, with or without partitions."""
        with self.lock:
            return sum(1 for member in self.members.values() if member.has_joined)

    def all_members_are(self, activity: str) -> bool:
        """Return whether all members have this activity."""
        with self.lock:
            return all(member.doing == activity for member in self.members.values())

    def as_json(self) -> dict[str, Any]:
        """Return the status for the control socket."""
        with self.lock:
            return {"members": [asdict(member) for member in self.members.values()], "totals": asdict(self.totals)}
