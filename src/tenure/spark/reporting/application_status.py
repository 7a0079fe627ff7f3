"""What an application knows of itself: of each member its lanes, what it is doing, and what its last batch came to.

Kept up by observing, so that a question is answered from memory and holds nobody up.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tenure.pipeline.values.progress import LaneProgress, Progress, Step
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch

DOING: Final = {
    Step.RECOVERED: "working",
    Step.PLANNED: "working",
    Step.IDLE: "caught up",
    Step.PAUSED: "paused",
    Step.REVOKED: "rebalancing",
    Step.WAITING: "waiting for the broker",
}
"""The other steps belong to a bundle, and say nothing new."""


@dataclass(slots=True)
class LaneStatus:
    lag: int = 0
    """When it was last planned, or found as another member left it."""
    state_rows: int | None = None
    state_bytes: int = 0
    offset: int | None = None
    """The end of its last batch of its first topic."""


@dataclass(slots=True)
class MemberStatus:
    name: str
    member_id: str = ""
    generation_id: int = -1
    doing: str = "joining"
    trouble: str = ""
    lanes: dict[str, LaneStatus] = field(default_factory=dict)
    last_batch: FinishedBatch | None = None

    @property
    def has_joined(self) -> bool:
        return bool(self.lanes) or self.doing in (DOING[Step.IDLE], DOING[Step.PAUSED])


@dataclass(slots=True)
class ApplicationTotals:
    """Since the application began."""

    batches: int = 0
    dropped: int = 0
    records: int = 0
    rows: int = 0
    bad_records: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    """By phase, of all batches; `total` from plan to visible."""
    rebalances: int = 0
    """Of its members: each time that one had to give up its partitions."""
    last_batch_ms: int = 0
    """Wall clock; 0: none yet."""


class ApplicationStatus:
    """An observer. Its members report from threads of their own, and whoever asks comes from another."""

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
        """By name. That of a dynamic member is its member id, and changes: of those, the latest are kept."""
        self.totals: Final = ApplicationTotals()

    def __call__(self, progress: Progress) -> None:
        with self.lock:
            member = self._member(progress)
            member.doing = DOING.get(progress.step, member.doing)
            self._note(member, progress)
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

    def _note(self, member: MemberStatus, progress: Progress) -> None:
        match progress.step:
            case Step.RECOVERED | Step.PLANNED | Step.STAGED:
                for lane in progress.lanes:
                    self._note_lane(member, lane)
                member.trouble = ""
            case Step.IDLE:
                for standing in member.lanes.values():
                    standing.lag = 0
                member.trouble = ""
            case Step.REVOKED:
                for lane in progress.lanes:
                    member.lanes.pop(str(lane.lane), None)
                self.totals.rebalances += 1
            case Step.DROPPED:
                self.totals.dropped += 1
                member.trouble = progress.reason
            case Step.WAITING:
                member.trouble = progress.reason

    def _note_lane(self, member: MemberStatus, lane: LaneProgress) -> None:
        standing = member.lanes.setdefault(str(lane.lane), LaneStatus())
        if lane.lag is not None:
            standing.lag = lane.lag
        if lane.state_rows is not None:
            standing.state_rows, standing.state_bytes = lane.state_rows, lane.state_bytes
        if lane.manifest_id is not None and lane.ranges:
            standing.offset = lane.ranges[0].end_offset

    def _batch(self, batch: FinishedBatch) -> None:
        if batch.member in self.members:
            self.members[batch.member].last_batch = batch
        totals = self.totals
        totals.batches += 1
        totals.records += batch.records
        totals.rows += batch.rows
        totals.bad_records += batch.bad_records
        totals.last_batch_ms = self._wall_ms()
        for phase, seconds in (*batch.seconds.items(), ("total", batch.total_s)):
            totals.seconds[phase] = totals.seconds.get(phase, 0.0) + seconds

    @property
    def joined(self) -> int:
        """Members that have a seat, if one without partitions."""
        with self.lock:
            return sum(1 for member in self.members.values() if member.has_joined)

    def all_are(self, doing: str) -> bool:
        with self.lock:
            return all(member.doing == doing for member in self.members.values())

    def as_json(self) -> dict[str, Any]:
        with self.lock:
            return {"members": [asdict(member) for member in self.members.values()], "totals": asdict(self.totals)}
