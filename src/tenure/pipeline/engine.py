"""The loop of one member: take events, recover, plan, stage, commit, publish, sweep.

It is written against five small protocols (Seat, Log, Stager, Files, Errands), so every rule in it runs without Spark.
It sleeps only inside `Seat.poll`, `Run.wait` and `Errand.wait`. Whatever goes wrong on the way to a commit is answered
by forgetting: the bundle is dropped, its lanes are recovered anew, and what it staged is left to the sweep.

Several bundles are under way at once, each planned, staged, committed and published by itself, so a lane that is slow
or fails stalls nobody but those that share its bundle. A lane is in one bundle at a time. What may take long is done
beside this thread: tasks by the Stager, publishing and looks at the ends of logs as Errands.

A revocation is acknowledged when nothing that it names is under way any more, and at the latest after a quarter of the
rebalance timeout: then those bundles are dropped. Until it is acknowledged the group waits, and commits pass. What the
member keeps runs on.
"""

from collections.abc import Callable, Collection, Sequence

from tenure.limits import GOODBYE_TIMEOUT_MS, IDLE_POLL_S, POINTER_RECOMMIT_S, RUN_POLL_S, STOP_GRACE_S
from tenure.pipeline import commit, failures, topics
from tenure.pipeline.arrivals import Arrivals
from tenure.pipeline.errands import OWN_ERRANDS, Errands
from tenure.pipeline.errors import Code, PipelineStopped, SinkFailed
from tenure.pipeline.files import Files
from tenure.pipeline.holdings import Holdings
from tenure.pipeline.lanes import Lane, TopicPartition, Writer
from tenure.pipeline.layout import Layout
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.planning import Planning
from tenure.pipeline.progress import LaneProgress, Observer, Step, nobody, planned_lanes, staged_lane
from tenure.pipeline.publications import Publications
from tenure.pipeline.publish import DIRECTORY, Publishers
from tenure.pipeline.seat import Assigned, CommitAnswer, Log, Lost, Outcome, Revoked, Seat, SeatFenced, Unreachable
from tenure.pipeline.setbacks import MEMBER, Setbacks
from tenure.pipeline.settings import Settings, Until
from tenure.pipeline.settling import Settling
from tenure.pipeline.stager import DeadLetters, Failed, Result, Staged, Stager
from tenure.pipeline.telling import Telling
from tenure.pipeline.times import wall_ms
from tenure.pipeline.transactions import Transactions
from tenure.pipeline.under_way import UnderWay

__all__ = ["Engine", "Settings", "Until"]


class Engine:
    """Runs in one thread; `stop`, `pause` and `resume` may be called from any."""

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
        now_ms: Callable[[], int] = wall_ms,
        observer: Observer = nobody,
        dead_letters: DeadLetters | None = None,
        publishers: Publishers = DIRECTORY,
        transactions: Transactions | None = None,
        errands: Errands = OWN_ERRANDS,
    ) -> None:
        self.settings = settings
        self.layout = layout
        self.seat = seat
        self.log = log
        self.stager = stager
        self.clock_s = clock_s
        self.holdings = Holdings(settings.topics)
        self.under_way: list[UnderWay] = []
        self.idle = False
        """Every assigned lane has reached the end of its log, as far as was seen."""
        self.paused = False
        """Somebody wants nothing more to be planned. Seats are kept, and what runs is finished."""
        self.at_rest = False
        """Paused, and nothing is under way: told once."""
        self._tell = Telling(observer, seat, clock_s, layout.group)
        self._setbacks = Setbacks(clock_s)
        self._planning = Planning(settings, log, errands, new_id=new_id, clock_s=clock_s, now_ms=now_ms)
        self._publications = Publications(errands, clock_s)
        self._errands = errands
        self._settling = Settling(
            layout, seat, files, self.holdings, publishers, self._publications, dead_letters, clock_s, self._tell,
            transactions,
        )  # fmt: skip
        self._arrivals = Arrivals(
            settings, layout, seat, log, files, self.holdings, self._setbacks, self._settling, clock_s, self._tell
        )
        self._assigned_at_s = 0.0
        self._give_up_by_s: float | None = None
        """Of a revocation that is not acknowledged."""
        self._look_again_s = 0.0
        """While something is under way, the ends of logs are looked at a few times a second only."""
        self._checked_at_s = 0.0
        self._stop_at_s: float | None = None

    @property
    def writer(self) -> Writer | None:
        """Who this member is to its group; None while it has no seat."""
        return self.holdings.writer

    def stop(self) -> None:
        """End after the running bundles; drop those that do not end in time."""
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
        try:
            while self._stop_at_s is None or self.is_busy:
                pause_s = self.turn(pause_s)
                if self.idle and until == "caught-up":
                    break
            self._part()
        except Exception:
            self._publications.finish(STOP_GRACE_S)
            self._part()
            raise
        finally:
            for one in self.under_way:
                one.run.cancel()

    def _part(self) -> None:
        """From the lanes' transactions: what is open would hold up the topic's readers. As far as it is done in time,
        for nothing depends on it."""
        self._errands.start(self._settling.abort).wait(GOODBYE_TIMEOUT_MS / 1000)

    @property
    def is_busy(self) -> bool:
        """Bundles are under way, or committed and not published yet."""
        return bool(self.under_way or self._publications)

    def turn(self, timeout_s: float) -> float:
        """Wait up to `timeout_s` for events of the group, do what can be done, and say how long to wait next."""
        try:
            self._take_events(timeout_s)
            has_begun = self._maybe_begin()
            has_finished = self._collect()
        except SeatFenced as fenced:
            raise PipelineStopped(Code.FENCED, str(fenced)) from fenced
        if self.is_busy or has_begun or has_finished:
            return 0.0
        return min(IDLE_POLL_S, max(self._setbacks.left_s(), RUN_POLL_S))

    # --- the group ----------------------------------------------------------------------------------------------------

    def _take_events(self, timeout_s: float) -> None:
        for event in self.seat.poll(timeout_s):
            match event:
                case Assigned(writer, partitions, added):
                    self._become_owner(writer, partitions, partitions if added is None else added)
                case Revoked(partitions):
                    self.holdings.revoke(partitions)
                    self._give_up_by_s = self.clock_s() + self.settings.rebalance_timeout_s / 4
                case Lost():
                    lost = [LaneProgress(lane) for lane in self.holdings.lanes]
                    self._lose("the seat was lost while it ran")
                    self._tell(Step.REVOKED, None, lost, reason="the seat was lost")
        self._maybe_give_up()

    def _become_owner(
        self, writer: Writer, partitions: Collection[TopicPartition], added: Collection[TopicPartition]
    ) -> None:
        self.holdings.assign(writer, partitions, added)
        self._assigned_at_s = self.clock_s()
        self._give_up_by_s = None
        for one in list(self.under_way):
            if not self.holdings.held.keys() >= one.lanes:
                self._cancel(one, "the seat was lost while it ran")
        self.idle = self.at_rest = False

    def _maybe_give_up(self) -> None:
        """Acknowledge what was revoked, once nothing of it is under way."""
        if self._give_up_by_s is None:
            return
        leaving = self.holdings.leaving
        running = [one for one in self.under_way if one.lanes & leaving]
        if (running or self._publications.lanes & leaving) and self.clock_s() <= self._give_up_by_s:
            return
        for one in running:
            self._cancel(one, "its partitions were revoked, and a quarter of the rebalance timeout has passed")
        self.holdings.give_up()
        self._give_up_by_s = None
        self.idle = False
        self._tell(Step.REVOKED, self.writer, [LaneProgress(lane) for lane in sorted(leaving)])
        self.seat.acknowledge_revocation()

    def _lose(self, reason: str) -> None:
        """Nothing is this member's until it is assigned again."""
        for one in list(self.under_way):
            self._cancel(one, reason)
        self.holdings.lose()
        self._give_up_by_s = None
        self.idle = False

    # --- begin --------------------------------------------------------------------------------------------------------

    def _maybe_begin(self) -> bool:
        """Recover lanes, plan bundles and start them. False: there was nothing to be begun."""
        writer = self.writer
        if writer is None or self._stop_at_s is not None or self._setbacks.waits(MEMBER):
            return False
        if self.is_busy and not self._planning.is_looking and self.clock_s() < self._look_again_s:
            return False
        if self.holdings.lacking and self.clock_s() > self._assigned_at_s + self.settings.rebalance_timeout_s:
            raise topics.not_co_assigned(self.holdings.lacking)
        try:
            has_begun = self._recover(writer)
            if self.writer is writer:  # Nothing that was found out has cost the seat.
                self._keep_pointers(writer)
            if self.writer is writer:
                has_begun |= self._rest_paused() if self.paused else self._plan(writer)
            if not self._planning.is_looking:
                self._setbacks.overcome(())
            return has_begun
        except Unreachable as error:
            self._setbacks.meet_patiently()
            self._tell(Step.WAITING, self.writer, reason=str(error))
        except (OSError, SinkFailed) as error:
            self._set_back_by_a_store(error)
        return False

    def _recover(self, writer: Writer) -> bool:
        """Learn where each lane stands that the member has come to have."""
        found = self._arrivals.recover(writer)
        if not found:
            return False
        self.idle = False
        if restore := [lane.position for lane in found if lane.recommit]:
            self._commit_again(restore, writer)
        return True

    def _plan(self, writer: Writer) -> bool:
        """Start bundles of what is there, for lanes and tasks that are free."""
        slots = self.settings.tasks - len(self.under_way)
        if not slots:
            return False
        if not self._planning.is_looking and not self._look():
            self._maybe_become_idle(writer, all_seen=not self.holdings.lanes)
            return False
        look = self._planning.seen(0.0 if self.is_busy else RUN_POLL_S)
        if look is None:
            return True
        self._arrivals.note_count(look.partition_count)
        free = {position.lane: position for position in self._free()}
        seen = [position for position in look.positions if free.get(position.lane) is position]
        bundles = self._planning.bundles(look, seen, slots, writer)
        for bundle in filter(None, map(self._settling.lend, bundles)):
            self._tell(Step.PLANNED, writer, planned_lanes(bundle), run_id=bundle.run_id, started_s=look.started_s)
            self.under_way.append(UnderWay(bundle, self.stager.start(bundle), self.clock_s()))
        self._maybe_become_idle(writer, all_seen=len(seen) == len(self.holdings.lanes))
        return bool(bundles)

    def _look(self) -> bool:
        """Where the logs of free lanes end. False: there are none."""
        self._look_again_s = self.clock_s() + IDLE_POLL_S
        if free := self._free():
            self._planning.look(free)
        return bool(free)

    def _maybe_become_idle(self, writer: Writer, *, all_seen: bool) -> None:
        is_idle = all_seen and not (self.is_busy or self.holdings.unknown or self.holdings.lacking)
        if is_idle and not self.idle:
            self._tell(Step.IDLE, writer, [LaneProgress(lane, lag=0) for lane in self.holdings.lanes])
        self.idle = is_idle

    def _free(self) -> list[Position]:
        """Of lanes for which something can be planned."""
        busy = {lane for one in self.under_way for lane in one.lanes} | self._publications.lanes | self.holdings.leaving
        return [held.position for lane, held in self.holdings.held.items() if lane not in busy]

    def _rest_paused(self) -> bool:
        """Nobody looks for records."""
        if not self.is_busy and not self.at_rest:
            self.at_rest = True
            self.idle = False
            self._tell(Step.PAUSED, self.writer)
        return False

    def _keep_pointers(self, writer: Writer) -> None:
        """Pointers that grow old are committed again."""
        old_s = self.clock_s() - POINTER_RECOMMIT_S
        free = [position for position in self._free() if position.pointer]
        if old := [at for at in free if self.holdings.held[at.lane].committed_at_s < old_s]:
            self._commit_again(old, writer)

    # --- finish -------------------------------------------------------------------------------------------------------

    def _collect(self) -> bool:
        """Wait for a moment, and finish the bundles that are staged, or published. False: there were none."""
        has_finished = False
        patience_s = RUN_POLL_S / max(len(self.under_way) + len(self._publications), 1)
        for one in list(self.under_way):
            results = one.run.wait(patience_s) if one in self.under_way else None
            if results is not None:
                has_finished = True
                self._finish(one, results)
        has_finished |= self._collect_published(patience_s)
        self._check_time()
        return has_finished

    def _collect_published(self, patience_s: float) -> bool:
        has_finished = False
        for lanes, failure in self._publications.over(patience_s):
            has_finished = True
            self._look_again_s = 0.0
            if failure is None:
                self._setbacks.overcome(lanes)
                continue
            for lane in lanes:  # Committed and not visible: rolled forward when it is recovered again.
                self.holdings.held.pop(lane, None)
            self._set_back_by_a_store(failure, sorted(lanes))
        return has_finished

    def _check_time(self) -> None:
        now_s = self.clock_s()
        self._forgive(now_s)
        if self._stop_at_s is not None and now_s > self._stop_at_s:
            for one in list(self.under_way):
                self._cancel(one, "the pipeline was stopped")
            self._publications.abandon()
        for one in list(self.under_way):
            if now_s > one.started_s + self.settings.run_timeout_s:
                self._cancel(one, "it did not end in time")
                raise failures.run_timed_out(self.settings.run_timeout_s)
        if self._publications.longest_s() > self.settings.run_timeout_s:
            raise failures.publishing_timed_out(self.settings.run_timeout_s)

    def _forgive(self, now_s: float) -> None:
        """Time in which this thread stood still, perhaps with its process or its machine, is held against nobody."""
        stood_s, self._checked_at_s = now_s - self._checked_at_s, now_s
        if stood_s > self.settings.standstill_s:
            for one in (*self.under_way, *self._publications):
                one.started_s = min(one.started_s + stood_s, now_s)

    def _finish(self, one: UnderWay, results: Sequence[Result]) -> None:
        """Commit what was staged of a bundle, publish it, and stop or try again where a lane failed."""
        bundle = one.bundle
        staged: Sequence[Staged] = commit.fitting(bundle, [each for each in results if isinstance(each, Staged)])
        failed = [result for result in results if isinstance(result, Failed)]
        answer, accepted = CommitAnswer(Outcome.ACCEPTED), staged
        if staged:
            lanes = [staged_lane(run) for run in staged]
            self._tell(Step.STAGED, bundle.writer, lanes, run_id=bundle.run_id, started_s=one.started_s)
            answer, accepted = self._settling.commit(bundle, staged)
        self.under_way.remove(one)
        if accepted:
            self._planning.paces.learn(accepted, self.clock_s() - one.started_s)
            self._settling.finish(bundle, accepted)
        if answer.outcome is not Outcome.ACCEPTED:
            others = one.lanes - {run.lane for run in accepted}
            self._give_up_on(bundle, others, answer.reason)
            self._not_accepted(answer, others)
            return
        for failure in failed:
            self._give_up_on(bundle, {failure.lane}, failure.reason)
            failures.check_may_pass(failure)
        if failed:
            first, whom = failed[0], [failure.lane for failure in failed]
            self._setbacks.meet(first.code, f"lane {first.lane}: {first.reason}", whom, lane=first.lane)

    def _commit_again(self, positions: Sequence[Position], writer: Writer) -> None:
        answer = self._settling.commit_again(positions, writer)
        if answer.outcome is not Outcome.ACCEPTED:
            self._not_accepted(answer, [position.lane for position in positions])

    def _not_accepted(self, answer: CommitAnswer, lanes: Collection[Lane]) -> None:
        if answer.outcome is Outcome.FENCED:
            raise PipelineStopped(Code.FENCED, answer.reason)
        if answer.outcome is Outcome.UNKNOWN:
            self._lose("another commit of this member has no answer, so its seat is taken anew")
            self.seat.rejoin_anew()
            return
        self._setbacks.meet(Code.COMMIT_REFUSED, answer.reason, lanes)

    # --- setbacks -----------------------------------------------------------------------------------------------------

    def _cancel(self, one: UnderWay, reason: str) -> None:
        one.run.cancel()
        self.under_way.remove(one)
        self._give_up_on(one.bundle, one.lanes, reason)

    def _give_up_on(self, bundle: Bundle, lanes: Collection[Lane], reason: str) -> None:
        """They will not be committed. They are recovered anew, which lists their orphans for the sweep."""
        for lane in lanes:
            self.holdings.held.pop(lane, None)
        self._look_again_s = 0.0
        dropped = [lane for lane in planned_lanes(bundle) if lane.lane in lanes]
        self._tell(Step.DROPPED, bundle.writer, dropped, run_id=bundle.run_id, reason=reason)

    def _set_back_by_a_store(self, error: OSError | SinkFailed, lanes: Sequence[Lane | None] = (MEMBER,)) -> None:
        self._setbacks.meet(*failures.of_a_store(error, self.layout), lanes)
