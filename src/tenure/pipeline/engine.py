"""The loop of one member: take events, recover, plan, stage, commit, publish, sweep.

It is written against four small protocols (Seat, Log, Stager, Files), so every rule in it runs without Spark. It sleeps
only inside `Seat.poll` and `Run.wait`. Whatever goes wrong on the way to a commit is answered by forgetting: the bundle
is dropped, its lanes are recovered anew, and what it staged is left to the sweep.

A revocation that arrives while a bundle runs is acknowledged when the bundle has ended, and at the latest after a
quarter of the rebalance timeout: then the bundle is dropped. Until it is acknowledged the group waits, and commits
pass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tenure.limits import (
    IDLE_POLL_S,
    POINTER_RECOMMIT_S,
    RUN_POLL_S,
    RUN_RECORDS,
    SETBACK_PAUSE_MAX_S,
    SETBACK_PAUSE_S,
    SETBACKS_MAX,
    STOP_GRACE_S,
)
from tenure.pipeline import commit, plan, sweep
from tenure.pipeline.errors import BadRecordFound, Code, PipelineStopped, SinkFailed
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane, TopicPartition, Writer
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, Pointer
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.progress import (
    LaneProgress,
    Observer,
    Progress,
    Step,
    nobody,
    planned_lane,
    staged_lane,
    standing,
)
from tenure.pipeline.publish import DIRECTORY, Publishers, publish
from tenure.pipeline.recover import OnDisagreement, Recovered, recover
from tenure.pipeline.seat import (
    Assigned,
    Bounds,
    Committed,
    Log,
    Lost,
    Outcome,
    Revoked,
    Seat,
    SeatEvent,
    SeatFenced,
    Unreachable,
)
from tenure.pipeline.stager import DeadLetters, Failed, Result, Run, Staged, Stager
from tenure.protocol.types import TopicName

Until = Literal["stopped", "caught-up"]


@dataclass(frozen=True, slots=True)
class Settings:
    topics: tuple[TopicName, ...]
    stateful: bool = False
    max_records: int = RUN_RECORDS
    """Of one plan of this member, over all its lanes."""
    tasks: int = 1
    """Bundles of one plan: Spark tasks that one member keeps busy at once."""
    on_disagreement: OnDisagreement = OnDisagreement.REFUSE
    rebalance_timeout_s: float = 300.0
    run_timeout_s: float = 300.0
    """As `max.poll.interval.ms`: a run that takes longer is taken to hang."""


@dataclass(slots=True)
class Held:
    """A lane that this member owns and knows the standing of."""

    position: Position
    listing: sweep.Listing | None
    """What lay there when the lane was recovered, until it is swept."""
    committed_at_s: float


class Engine:
    """Runs in one thread; `stop` may be called from any."""

    def __init__(
        self,
        settings: Settings,
        layout: Layout,
        seat: Seat,
        log: Log,
        stager: Stager,
        files: Files,
        *,
        new_id: Callable[[], str],
        clock_s: Callable[[], float],
        observer: Observer = nobody,
        dead_letters: DeadLetters | None = None,
        publishers: Publishers = DIRECTORY,
    ) -> None:
        self.settings = settings
        self.layout = layout
        self.seat = seat
        self.log = log
        self.stager = stager
        self.files = files
        self.new_id = new_id
        self.clock_s = clock_s
        self.observer = observer
        self.dead_letters = dead_letters
        self.publishers = publishers
        self.writer: Writer | None = None
        self.assigned: tuple[Lane, ...] = ()
        self.held: dict[Lane, Held] = {}
        """Invariant: of `assigned` lanes only, each recovered under `writer`."""
        self.partition_count = 0
        self._stop_at_s: float | None = None
        self.paused = False
        """Somebody wants nothing more to be planned. Seats are kept, and what runs is finished."""
        self.at_rest = False
        """Paused, and nothing is under way: told once."""
        self._setbacks = 0
        self._later: list[SeatEvent] = []
        self.idle = False
        """Every assigned lane has reached the end of its log, as far as was seen."""

    def stop(self) -> None:
        """End after the running bundle; drop that when it does not end in time."""
        if self._stop_at_s is None:
            self._stop_at_s = self.clock_s() + STOP_GRACE_S

    def pause(self) -> None:
        """Plan nothing more until `resume`. The seat stays taken."""
        self.paused = True

    def resume(self) -> None:
        self.paused = self.at_rest = False

    def run(self, until: Until = "stopped") -> None:
        """Returns when stopped or caught up. Raises PipelineStopped. The seat stays the caller's, to be closed by
        it."""
        pause_s = 0.0
        while self._stop_at_s is None:
            pause_s = self.turn(pause_s)
            if self.idle and until == "caught-up":
                return

    def turn(self, timeout_s: float) -> float:
        """Wait up to `timeout_s` for events of the group, do what can be done, and say how long to wait next."""
        try:
            self._take_events(timeout_s)
            return self._work()
        except SeatFenced as fenced:
            raise PipelineStopped(Code.FENCED, str(fenced)) from fenced

    def _work(self) -> float:
        if self.writer is None:
            return IDLE_POLL_S
        try:
            if not self._recover(self.writer):
                return self._pause_s()
            if self.paused:
                return self._hold()
            bundles = self._plan(self.writer)
            if not bundles:
                return self._rest()
            self.idle = False
            return 0.0 if self._run_bundles(bundles) else self._pause_s()
        except Unreachable as error:
            self._setbacks = min(self._setbacks + 1, SETBACKS_MAX)  # A broker may be away for as long as it likes.
            self._tell(Step.WAITING, reason=str(error))
        except SinkFailed as error:
            self.held.clear()  # Committed and not visible: it is published again when its lane is recovered again.
            self._set_back(Code.SINK_FAILED, str(error))
        except OSError as error:
            self.held.clear()  # What was committed is rolled forward when its lane is recovered again.
            self._set_back(
                Code.FILES_FAILED, f"{error}: see that {self.layout.sink} and {self.layout.state} are writable"
            )
        return self._pause_s()

    # --- the group ----------------------------------------------------------------------------------------------------

    def _take_events(self, timeout_s: float) -> None:
        """Between two runs: nothing of this member is under way."""
        events, self._later = self._later, []
        events += self.seat.poll(0.0 if events else timeout_s)
        for event in events:
            match event:
                case Assigned(writer, partitions):
                    self._become_owner(writer, partitions)
                case Revoked():
                    self._forget()
                    self._tell(Step.REVOKED)
                    self.seat.acknowledge_revocation()
                case Lost():
                    self._forget()
                    self._tell(Step.REVOKED, reason="the seat was lost")

    def _become_owner(self, writer: Writer, partitions: Sequence[TopicPartition]) -> None:
        self.held.clear()
        self.writer = writer
        self.assigned = tuple(Lane(self.settings.topics, at) for at in sorted({at.partition for at in partitions}))
        self.partition_count = 0
        self.idle = False

    def _forget(self) -> None:
        """Nothing is this member's until it is assigned again."""
        self.held.clear()
        self.assigned = ()
        self.writer = None
        self.idle = False

    # --- recover ------------------------------------------------------------------------------------------------------

    def _recover(self, writer: Writer) -> bool:
        """Learn where each assigned lane stands, and finish what was committed there. False: not now."""
        lanes = [lane for lane in self.assigned if lane not in self.held]
        if not lanes:
            return True
        started_s = self.clock_s()
        self.partition_count = self.log.partition_count(self.settings.topics[0])
        partitions = [partition for lane in lanes for partition in lane.partitions]
        bounds = self.log.bounds(partitions)
        committed = self.seat.committed(partitions)
        try:
            found = [self._recover_lane(lane, committed, bounds) for lane in lanes]
        except PipelineStopped as stopped:
            if stopped.code is not Code.STATE_MISSING or self.seat.committed(partitions) == committed:
                raise
            return False  # Another owner has gone on meanwhile: the next poll says so.
        if unfinished := [lane.position for lane in found if lane.publish]:
            self._publish(Step.ROLLED_FORWARD, unfinished, "")
        for position in (lane.position for lane in found):
            listing = sweep.list_lane(self.files, self.layout, position.lane, writer)
            self.held[position.lane] = Held(position, listing, self.clock_s())
        self._tell(Step.RECOVERED, [standing(lane.position) for lane in found], started_s=started_s)
        restore = [lane.position for lane in found if lane.recommit]
        return not restore or self._commit_again(restore, writer)

    def _recover_lane(
        self,
        lane: Lane,
        committed: Mapping[TopicPartition, Committed | None],
        bounds: Mapping[TopicPartition, Bounds],
    ) -> Recovered:
        at = {partition: committed.get(partition) for partition in lane.partitions}
        found = recover(self.files, self.layout, lane, at, bounds, self.settings.on_disagreement)
        plan.check_partition_count(found.position, self.partition_count, stateful=self.settings.stateful)
        return found

    # --- plan ---------------------------------------------------------------------------------------------------------

    def _plan(self, writer: Writer) -> list[Bundle]:
        started_s = self.clock_s()
        positions = [held.position for held in self.held.values()]
        bounds = self._bounds(positions)
        plans = plan.take(positions, bounds, self.partition_count, self.settings.max_records)
        bundles = plan.bundles(plans, writer, [self.new_id() for _ in range(self.settings.tasks)])
        for bundle in bundles:
            lanes = [planned_lane(lane) for lane in bundle.lanes]
            self._tell(Step.PLANNED, lanes, bundle, started_s=started_s)
        return bundles

    def _bounds(self, positions: Sequence[Position]) -> dict[TopicPartition, Bounds]:
        partitions = [partition for position in positions for partition in position.offsets]
        bounds = self.log.bounds(partitions) if partitions else {}
        for position in positions:
            plan.check_records_are_there(position, bounds)
        return bounds

    def _rest(self) -> float:
        """Everything is done."""
        if not self.idle:
            self.idle = True
            self._tell(Step.IDLE)
        return self._keep_pointers()

    def _hold(self) -> float:
        """Paused: as at rest, but nobody looks for records."""
        if not self.at_rest:
            self.at_rest = True
            self.idle = False
            self._tell(Step.PAUSED)
        return self._keep_pointers()

    def _keep_pointers(self) -> float:
        """Pointers that grow old are committed again."""
        old_s = self.clock_s() - POINTER_RECOMMIT_S
        old = [held.position for held in self.held.values() if held.committed_at_s < old_s and held.position.pointer]
        if old and self.writer is not None and not self._commit_again(old, self.writer):
            return self._pause_s()
        return IDLE_POLL_S

    # --- stage --------------------------------------------------------------------------------------------------------

    def _run_bundles(self, bundles: Sequence[Bundle]) -> bool:
        """Stage, commit and publish. False: there was a setback."""
        started_s = self.clock_s()
        runs = [self.stager.start(bundle) for bundle in bundles]
        results, reason = self._results(runs, started_s)
        if results is None:
            for run in runs:
                run.cancel()
            for bundle in bundles:
                self._drop(bundle, reason)
            if reason is TIMED_OUT:
                raise PipelineStopped(
                    Code.RUN_TIMED_OUT,
                    f"a run did not end within {self.settings.run_timeout_s:.0f} s and is taken to hang: look at its"
                    " tasks, lower max_records, or raise max_poll_interval_ms",
                )
            return True
        went_well = True
        for bundle in bundles:
            mine = {lane.lane for lane in bundle.lanes}
            went_well &= self._finish(bundle, [result for result in results if result.lane in mine], started_s)
        return went_well

    def _results(self, runs: Sequence[Run], started_s: float) -> tuple[Sequence[Result] | None, str]:
        """What the runs came to; or None, and why nobody waits for them any longer."""
        revoked_at_s: float | None = None
        ended: list[Result] = []
        waiting = list(runs)
        while True:
            results = waiting[0].wait(RUN_POLL_S)
            if results is not None:
                ended += results
                del waiting[0]
                if waiting:
                    continue
                return ended, ""
            events = self.seat.poll(0.0)
            self._later += events
            if any(isinstance(event, Lost | Assigned) for event in events):
                return None, "the seat was lost while it ran"
            if revoked_at_s is None and any(isinstance(event, Revoked) for event in events):
                revoked_at_s = self.clock_s()
            if revoked_at_s is not None and self.clock_s() > revoked_at_s + self.settings.rebalance_timeout_s / 4:
                return None, "its partitions were revoked, and a quarter of the rebalance timeout has passed"
            if self._stop_at_s is not None and self.clock_s() > self._stop_at_s:
                return None, "the pipeline was stopped"
            if self.clock_s() > started_s + self.settings.run_timeout_s:
                return None, TIMED_OUT

    # --- commit -------------------------------------------------------------------------------------------------------

    def _finish(self, bundle: Bundle, results: Sequence[Result], started_s: float) -> bool:
        """Commit what was staged of a bundle, publish it, and stop or try again where a lane failed."""
        staged = commit.fitting(bundle, [result for result in results if isinstance(result, Staged)])
        failed = [result for result in results if isinstance(result, Failed)]
        if staged:
            self._tell(Step.STAGED, [staged_lane(run) for run in staged], bundle, started_s=started_s)
            if self.writer != bundle.writer:
                self._drop(bundle, "the seat was lost before it was committed")
                return False
            if not self._commit(bundle, staged):
                return False
            self._settle(bundle, staged)
        for failure in failed:
            self._meet(bundle, failure)
        if failed:  # One setback, however many lanes it met: they share a task, and its worker's fate.
            self._set_back(failed[0].code, f"lane {failed[0].lane}: {failed[0].reason}", failed[0].lane)
        else:
            self._setbacks = 0
        return not failed

    def _commit(self, bundle: Bundle, staged: Sequence[Staged]) -> bool:
        started_s = self.clock_s()
        answer = self.seat.commit(commit.offsets_of(staged), bundle.writer)
        if answer.outcome is Outcome.ACCEPTED:
            self._tell(Step.COMMITTED, [staged_lane(run) for run in staged], bundle, started_s=started_s)
            return True
        self._drop(bundle, answer.reason)
        self._not_accepted(answer.outcome, answer.reason)
        return False

    def _not_accepted(self, outcome: Outcome, reason: str) -> None:
        if outcome is Outcome.FENCED:
            raise PipelineStopped(Code.FENCED, reason)
        if outcome is Outcome.UNKNOWN:
            self._forget()
            self.seat.rejoin_anew()
            return
        self._set_back(Code.COMMIT_REFUSED, reason)

    def _commit_again(self, positions: Sequence[Position], writer: Writer) -> bool:
        answer = self.seat.commit(commit.offsets_again(positions), writer)
        for position in positions:
            if answer.outcome is Outcome.ACCEPTED:
                self.held[position.lane].committed_at_s = self.clock_s()
            else:
                self.held.pop(position.lane, None)
        if answer.outcome is not Outcome.ACCEPTED:
            self._not_accepted(answer.outcome, answer.reason)
        return answer.outcome is Outcome.ACCEPTED

    # --- publish and sweep --------------------------------------------------------------------------------------------

    def _settle(self, bundle: Bundle, staged: Sequence[Staged]) -> None:
        positions = [commit.position_after(run) for run in staged]
        superseded = {run.lane: self.held[run.lane] for run in staged}
        for position in positions:
            self.held[position.lane] = Held(position, None, self.clock_s())
        self._publish(Step.PUBLISHED, positions, bundle.run_id)
        self._sweep(bundle, positions, superseded)

    def _publish(self, step: Step, positions: Sequence[Position], run_id: str) -> None:
        started_s = self.clock_s()
        visible: list[str] = []
        for position in positions:
            manifest, pointer = _committed(position)
            visible += publish(self.files, self.layout, manifest, pointer, self.dead_letters, self.publishers)
        lanes = [standing(position) for position in positions]
        self._tell(step, lanes, run_id=run_id, files=visible, started_s=started_s)

    def _sweep(self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, Held]) -> None:
        started_s = self.clock_s()
        removed: list[str] = []
        for position in positions:
            before = superseded[position.lane]
            manifest, _ = _committed(position)
            paths = sweep.removable(self.layout, manifest, before.position.manifest, before.listing)
            removed += sweep.remove(self.files, paths)
        lanes = [standing(position) for position in positions]
        self._tell(Step.SWEPT, lanes, bundle, files=removed, started_s=started_s)

    # --- setbacks -----------------------------------------------------------------------------------------------------

    def _drop(self, bundle: Bundle, reason: str) -> None:
        """The bundle will not be committed. Its lanes are recovered anew, which lists its orphans for the sweep."""
        for lane in bundle.lanes:
            self.held.pop(lane.lane, None)
        lanes = [planned_lane(lane) for lane in bundle.lanes]
        self._tell(Step.DROPPED, lanes, bundle, reason=reason)

    def _meet(self, bundle: Bundle, failure: Failed) -> None:
        """A lane failed: it will be tried again if that may help; else stop the pipeline and say where."""
        self.held.pop(failure.lane, None)
        lane = next(lane for lane in bundle.lanes if lane.lane == failure.lane)
        self._tell(Step.DROPPED, [planned_lane(lane)], bundle, reason=failure.reason)
        if failure.code is Code.BAD_RECORD and failure.topic is not None and failure.offset is not None:
            raise BadRecordFound(
                failure.lane, failure.topic, failure.offset, failure.reason, undecodable=failure.undecodable
            )
        if failure.code not in MAY_PASS:
            raise PipelineStopped(failure.code, failure.reason, failure.lane)

    def _set_back(self, code: Code, reason: str, lane: Lane | None = None) -> None:
        self._setbacks += 1
        if self._setbacks > SETBACKS_MAX:
            raise PipelineStopped(code, f"{reason} ({self._setbacks} times in a row)", lane)

    def _pause_s(self) -> float:
        return min(SETBACK_PAUSE_S * 2.0 ** max(self._setbacks - 1, 0), SETBACK_PAUSE_MAX_S)

    # --- telling ------------------------------------------------------------------------------------------------------

    def _tell(
        self,
        step: Step,
        lanes: Sequence[LaneProgress] = (),
        bundle: Bundle | None = None,
        *,
        run_id: str = "",
        files: Sequence[str] = (),
        reason: str = "",
        started_s: float | None = None,
    ) -> None:
        writer = self.writer if bundle is None else bundle.writer
        self.observer(
            Progress(
                step=step,
                member=self.seat.name,
                generation_id=-1 if writer is None else writer.generation_id,
                member_id="" if writer is None else writer.member_id,
                bundle=run_id if bundle is None else bundle.run_id,
                lanes=tuple(lanes),
                seconds=0.0 if started_s is None else self.clock_s() - started_s,
                files=tuple(files),
                reason=reason,
            )
        )


TIMED_OUT = "it did not end in time"

MAY_PASS = frozenset({Code.LANE_FAILED, Code.STATE_MISSING})
"""Brokers and disks come back. And state that was there when the run was planned is missing where another owner has
gone on and swept it meanwhile: then the next poll says that the seat was lost. If not, `recover` finds the true
reason."""


def _committed(position: Position) -> tuple[Manifest, Pointer]:
    """Of a lane that has run at least once."""
    assert position.manifest is not None
    assert position.pointer is not None
    return position.manifest, position.pointer
