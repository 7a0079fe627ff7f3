"""Loop of one member: take events, recover, plan, stage, commit, publish, sweep.

Only the engine changes which lanes the member owns (`OwnedLanes`) and which bundles run (`BundlesInFlight`). Each
helper of the engine does the computation and I/O of one step. The helpers get immutable values and return new ones.
Therefore a failed step changes neither the owned lanes nor the running bundles.

The engine uses only the interfaces GroupMembership, Log, Stager, Files and BackgroundTasks, so tests run it without
Spark. The engine sleeps only inside `GroupMembership.poll`, `StagingTask.wait` and `BackgroundTask.wait`. If a bundle
fails before its commit, the engine drops the bundle and recovers its lanes again. The sweep later removes the staged
files.

Several bundles are in flight at once. Each is planned, staged, committed and published independently of the others, so
a slow or failing lane delays only the lanes of its bundle. Long work runs outside of the engine's thread. The Stager
runs the tasks of bundles; BackgroundTasks publish batches and look up log ends.

The engine acknowledges a revocation when no revoked lane is being staged or published. Until then the group waits, and
accepts commits of the revoked lanes. After a quarter of the rebalance timeout, the engine drops the bundles that still
contain revoked lanes. Lanes that are not revoked continue during this time.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from tenure.limits.client import OPTIONAL_REQUEST_TIMEOUT_MS
from tenure.limits.pipeline import IDLE_POLL_S, POINTER_RECOMMIT_S, RUN_POLL_S, STOP_GRACE_S
from tenure.pipeline import failures
from tenure.pipeline.engine import commit, topic_changes
from tenure.pipeline.engine.background_tasks import FOREGROUND_TASKS, BackgroundTasks
from tenure.pipeline.engine.bundles_in_flight import BundleInFlight, BundlesInFlight
from tenure.pipeline.engine.commit_flow import CommitFlow
from tenure.pipeline.engine.lane_backoff import MEMBER, LaneBackoff
from tenure.pipeline.engine.lane_recovery import LaneRecovery
from tenure.pipeline.engine.owned_lanes import OwnedLane, OwnedLanes
from tenure.pipeline.engine.planner import Planner
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.engine.publications import Publications
from tenure.pipeline.engine.publish_flow import PublishFlow
from tenure.pipeline.engine.settings import EngineSettings, Until
from tenure.pipeline.errors import Code, PipelineStopped, SinkFailed
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import DIRECTORY, Publishers
from tenure.pipeline.output.transactions import OutputTransactions
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.values.lane_times import wall_ms
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.membership import (
    CommitAnswer,
    CommitOutcome,
    GroupMembership,
    Log,
    MemberFenced,
    Unreachable,
)
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import (
    LaneProgress,
    Observer,
    ProgressStep,
    committed_lane,
    ignore_progress,
    planned_lanes,
    staged_lane,
)
from tenure.pipeline.values.stager import DeadLetters, Failed, Result, Staged, Stager
from tenure.values import Assigned, Lost, Revoked, TopicPartition

__all__ = ["Engine", "EngineSettings", "Until"]


class Engine:
    """Engine of one group member. It runs in one thread; any thread may call `stop`, `pause` and `resume`."""

    def __init__(
        self,
        settings: EngineSettings,
        layout: Layout,
        membership: GroupMembership,
        log: Log,
        stager: Stager,
        files: Files,
        *,
        new_id: Callable[[], str],
        clock_s: Callable[[], float],
        now_ms: Callable[[], int] = wall_ms,
        observer: Observer = ignore_progress,
        dead_letters: DeadLetters | None = None,
        publishers: Publishers = DIRECTORY,
        transactions: OutputTransactions | None = None,
        lane_state: Callable[[Lane], LaneState] | None = None,
        background_tasks: BackgroundTasks = FOREGROUND_TASKS,
    ) -> None:
        self.settings = settings
        self.layout = layout
        self.membership = membership
        self.log = log
        self.stager = stager
        self.clock_s = clock_s
        self.owned_lanes = OwnedLanes(settings.topics)
        self.in_flight = BundlesInFlight(clock_s)
        self.idle = False
        """True if every owned lane had reached the end of its log at the last lookup."""
        self.paused = False
        """True if planning is paused. Running bundles finish, and the member stays in the group."""
        self.at_rest = False
        """True if the engine is paused without running bundles, and has reported it."""
        self._report = ProgressReporter(observer, membership, clock_s, layout.group)
        self._backoff = LaneBackoff(clock_s)
        self._planner = Planner(settings, log, background_tasks, new_id=new_id, clock_s=clock_s, now_ms=now_ms)
        self._publications = Publications(background_tasks, clock_s)
        self._background_tasks = background_tasks
        self._commit_flow = CommitFlow(layout, membership, clock_s, self._report, transactions)
        self._publish_flow = PublishFlow(
            layout, files, publishers, self._publications, dead_letters, clock_s, self._report
        )
        self._lane_recovery = LaneRecovery(
            settings, layout, membership, log, files, self._backoff, clock_s, transactions, lane_state
        )
        self._assigned_at_s = 0.0
        self._revocation_deadline_s: float | None = None
        """Deadline of the pending revocation; None if there is none."""
        self._next_lookup_s = 0.0
        """Time of the next log lookup. While bundles run, lookups are limited to a few per second."""
        self._checked_at_s = 0.0
        self._stop_at_s: float | None = None

    @property
    def writer(self) -> Writer | None:
        """Identity of this member in the group; None before it has joined."""
        return self.owned_lanes.writer

    def stop(self) -> None:
        """Make `run` end when all running bundles have ended. Bundles that still run after STOP_GRACE_S are dropped."""
        if self._stop_at_s is None:
            self._stop_at_s = self.clock_s() + STOP_GRACE_S

    def pause(self) -> None:
        """Plan no more bundles until `resume`. The member stays in the group."""
        self.paused = True

    def resume(self) -> None:
        self.paused = self.at_rest = False

    def run(self, until: Until = "stopped") -> None:
        """Run until `stop` is called or, with `until` "caught-up", until the logs have no more records.

        The caller closes the membership.

        Raises:
            PipelineStopped: The pipeline cannot continue.
        """
        pause_s = 0.0
        try:
            while self._stop_at_s is None or self.is_busy:
                pause_s = self.run_once(pause_s)
                if self.idle and until == "caught-up":
                    break
            self._abort_transactions()
        except Exception:
            self._publications.finish(STOP_GRACE_S)
            self._abort_transactions()
            raise
        finally:
            for one in self.in_flight:
                one.task.cancel()

    def _abort_transactions(self) -> None:
        """Abort this member's open transactions, because they would block readers of the topics.

        The wait is limited, because the broker aborts a transaction after its timeout anyway.
        """
        self._background_tasks.start(self._commit_flow.abort).wait(OPTIONAL_REQUEST_TIMEOUT_MS / 1000)

    @property
    def is_busy(self) -> bool:
        """True if a bundle is running, or is committed but not published."""
        return bool(self.in_flight or self._publications)

    def run_once(self, timeout_s: float) -> float:
        """Wait up to `timeout_s` for group events, then do all due work. Return `timeout_s` for the next call."""
        try:
            self._take_events(timeout_s)
            self._maybe_acknowledge_revocation()
            has_begun = self._maybe_begin()
            wait_s = RUN_POLL_S / max(len(self.in_flight) + len(self._publications), 1)
            has_finished = self._commit_staged(wait_s)
            has_finished |= self._collect_published(wait_s)
            self._check_deadlines()
        except MemberFenced as fenced:
            raise PipelineStopped(Code.FENCED, str(fenced)) from fenced
        if self.is_busy or has_begun or has_finished:
            return 0.0
        return min(IDLE_POLL_S, max(self._backoff.remaining_s(), RUN_POLL_S))

    # --- the group ----------------------------------------------------------------------------------------------------

    def _take_events(self, timeout_s: float) -> None:
        for event in self.membership.poll(timeout_s):
            match event:
                case Assigned(identity, partitions, added):
                    self._become_owner(Writer.of(identity), partitions, added)
                case Revoked(partitions):
                    self.owned_lanes.revoke(partitions)
                    self._revocation_deadline_s = self.clock_s() + self.settings.rebalance_timeout_s / 4
                case Lost():
                    self._drop_all_lanes(
                        "the member lost its partitions while the batch ran",
                        "the member's session expired or the group removed it",
                    )

    def _become_owner(
        self, writer: Writer, partitions: Collection[TopicPartition], added: Collection[TopicPartition]
    ) -> None:
        self.owned_lanes.assign(writer, partitions, added)
        self._assigned_at_s = self.clock_s()
        self._revocation_deadline_s = None
        for one in self.in_flight:
            if not self.owned_lanes.known.keys() >= one.lanes:
                self._cancel(one, "the member lost its partitions while the batch ran")
        self.idle = self.at_rest = False

    def _maybe_acknowledge_revocation(self) -> None:
        """Acknowledge the pending revocation once no revoked lane is being staged or published.

        After a quarter of the rebalance timeout, cancel the bundles that still contain revoked lanes, and acknowledge.
        """
        if self._revocation_deadline_s is None:
            return
        leaving = self.owned_lanes.leaving
        running = [one for one in self.in_flight if one.lanes & leaving]
        if (running or self._publications.lanes & leaving) and self.clock_s() <= self._revocation_deadline_s:
            return
        for one in running:
            self._cancel(
                one, "it did not end within a quarter of the rebalance timeout after its partitions were revoked"
            )
        self.owned_lanes.remove_revoked()
        self._revocation_deadline_s = None
        self.idle = False
        self._report(ProgressStep.REVOKED, self.writer, [LaneProgress(lane) for lane in sorted(leaving)])
        self.membership.acknowledge_revocation()

    def _drop_all_lanes(self, why_dropped: str, why_lost: str) -> None:
        """Cancel all bundles and drop all lanes.

        Args:
            why_dropped: Reason in the report of each cancelled bundle.
            why_lost: Reason in the report of the lost lanes.
        """
        for one in self.in_flight:
            self._cancel(one, why_dropped)
        lost = [LaneProgress(lane) for lane in self.owned_lanes.lanes]
        self.owned_lanes.remove_all()
        self._revocation_deadline_s = None
        self.idle = False
        self._report(ProgressStep.REVOKED, None, lost, reason=why_lost)

    # --- recover, plan, stage -----------------------------------------------------------------------------------------

    def _maybe_begin(self) -> bool:
        """Recover lanes, and plan and start bundles. Return False if there was nothing to do, or no broker answers."""
        writer = self.writer
        if writer is None or self._stop_at_s is not None or self._backoff.is_waiting(MEMBER):
            return False
        if self.is_busy and not self._planner.is_looking_up and self.clock_s() < self._next_lookup_s:
            return False
        if (
            self.owned_lanes.missing_partitions
            and self.clock_s() > self._assigned_at_s + self.settings.rebalance_timeout_s
        ):
            raise topic_changes.not_co_assigned(self.owned_lanes.missing_partitions)
        try:
            has_begun = self._recover(writer)
            if self.writer is writer:  # False if `_recover` has lost the lanes and rejoined the group.
                self._recommit_old_pointers(writer)
            if self.writer is writer:
                has_begun |= self._report_pause() if self.paused else self._plan(writer)
            if not self._planner.is_looking_up:
                self._backoff.reset(())
            return has_begun
        except Unreachable as error:
            self._backoff.record_broker_failure()
            self._report(ProgressStep.WAITING, self.writer, reason=str(error))
        except (OSError, SinkFailed) as error:
            self._record_storage_failure(error)
        return False

    def _recover(self, writer: Writer) -> bool:
        """Find the position of each newly assigned lane, and publish the last commit of its earlier owner.

        Return False if no lane was recovered.
        """
        publishing, known = self._publications.lanes, self.owned_lanes.known
        unrecovered = [lane for lane in self.owned_lanes.unrecovered if lane not in publishing]
        lanes = [lane for lane in unrecovered if not self._backoff.is_waiting(lane)]
        if not lanes:
            return False
        started_s = self.clock_s()
        found = self._lane_recovery.recover(lanes, known.values(), writer)
        if not found:
            return False
        self.owned_lanes.update(lane.owned for lane in found)
        lags = {lane.owned.lane: lane.lag for lane in found}
        now = [committed_lane(owned.position, lags.get(lane)) for lane, owned in sorted(self.owned_lanes.known.items())]
        self._report(ProgressStep.RECOVERED, writer, now, started_s=started_s)
        if unfinished := [lane.owned.position for lane in found if lane.publish]:
            self._publish_flow.roll_forward(unfinished, writer)
        self.idle = False
        if restored := [lane.owned for lane in found if lane.recommit]:
            self._commit_again(restored, writer)
        return True

    def _plan(self, writer: Writer) -> bool:
        """Plan bundles with the records of free lanes, and start them, until no task slot is free.

        Return True if a bundle was started, or if the lookup of the log ends still runs.
        """
        slots = self.settings.tasks - len(self.in_flight)
        if not slots:
            return False
        if not self._planner.is_looking_up and not self._start_lookup():
            self._maybe_become_idle(writer, all_seen=not self.owned_lanes.lanes)
            return False
        lookup = self._planner.poll_lookup(0.0 if self.is_busy else RUN_POLL_S)
        if lookup is None:
            return True
        self._lane_recovery.update_partition_count(lookup.partition_count, self.owned_lanes.known.values())
        free = {owned.lane: owned.position for owned in self._plannable_lanes()}
        seen = [position for position in lookup.positions if free.get(position.lane) is position]
        bundles = self._planner.bundles(lookup, seen, slots, writer)
        for bundle in bundles:
            self._start_staging(bundle, lookup.started_s)
        self._maybe_become_idle(writer, all_seen=len(seen) == len(self.owned_lanes.lanes))
        return bool(bundles)

    def _start_staging(self, planned: Bundle, started_s: float) -> None:
        """Begin the transactions of a bundle, and start its task.

        Each lane needs a transaction. If some lanes get none, do not start the task, and recover these lanes first.
        """
        bundle, failed_lanes = self._commit_flow.begin_transactions(planned)
        if failed_lanes:
            self.owned_lanes.forget(failed_lanes)
            return
        self._report(
            ProgressStep.PLANNED, bundle.writer, planned_lanes(bundle), run_id=bundle.run_id, started_s=started_s
        )
        self.in_flight.add(bundle, self.stager.start(bundle))

    def _start_lookup(self) -> bool:
        """Start a lookup of the log ends of the free lanes. Return False if no lane is free."""
        self._next_lookup_s = self.clock_s() + IDLE_POLL_S
        if free := self._plannable_lanes():
            self._planner.start_lookup([owned.position for owned in free])
        return bool(free)

    def _maybe_become_idle(self, writer: Writer, *, all_seen: bool) -> None:
        is_idle = all_seen and not (self.is_busy or self.owned_lanes.unrecovered or self.owned_lanes.missing_partitions)
        if is_idle and not self.idle:
            self._report(ProgressStep.IDLE, writer, [LaneProgress(lane, lag=0) for lane in self.owned_lanes.lanes])
        self.idle = is_idle

    def _plannable_lanes(self) -> list[OwnedLane]:
        """Return the recovered lanes that are not revoked, and are in no running bundle or publication."""
        busy = self.in_flight.lanes | self._publications.lanes | self.owned_lanes.leaving
        return [owned for lane, owned in self.owned_lanes.known.items() if lane not in busy]

    def _report_pause(self) -> bool:
        """Report PAUSED when the last bundle has ended, once for each pause.

        Always return False, because no bundle was started.
        """
        if not self.is_busy and not self.at_rest:
            self.at_rest = True
            self.idle = False
            self._report(ProgressStep.PAUSED, self.writer)
        return False

    def _recommit_old_pointers(self, writer: Writer) -> None:
        """Repeat commits that are older than POINTER_RECOMMIT_S seconds, so that the group's offsets do not expire."""
        old_s = self.clock_s() - POINTER_RECOMMIT_S
        old = [owned for owned in self._plannable_lanes() if owned.position.pointer and owned.committed_at_s < old_s]
        if old:
            self._commit_again(old, writer)

    # --- commit -------------------------------------------------------------------------------------------------------

    def _commit_staged(self, timeout_s: float) -> bool:
        """Commit the bundles whose tasks have ended. Return whether there were such bundles."""
        has_finished = False
        for one, results in self.in_flight.poll_ended(timeout_s):
            has_finished = True
            self._commit(one, results)
        return has_finished

    def _commit(self, one: BundleInFlight, results: Sequence[Result]) -> None:
        """Commit the staged lanes of a bundle and start to publish them.

        A failed lane stops the pipeline, or is recovered and retried later.
        """
        bundle = one.bundle
        staged: Sequence[Staged] = commit.staged_of(bundle, [each for each in results if isinstance(each, Staged)])
        failed = [result for result in results if isinstance(result, Failed)]
        answer, accepted = CommitAnswer(CommitOutcome.ACCEPTED), staged
        if staged:
            lanes = [staged_lane(one) for one in staged]
            self._report(ProgressStep.STAGED, bundle.writer, lanes, run_id=bundle.run_id, started_s=one.started_s)
            answer, accepted = self._commit_flow.commit(bundle, staged)
        self.in_flight.remove(one)
        if accepted:
            self._planner.costs.add_batch(accepted, self.clock_s() - one.started_s)
            self.owned_lanes.update(self._publish_flow.start(bundle, accepted, self.owned_lanes.known))
        if answer.outcome is not CommitOutcome.ACCEPTED:
            others = one.lanes - {one.lane for one in accepted}
            self._drop(bundle, others, answer.reason)
            self._not_accepted(answer, others)
            return
        for failure in failed:
            self._drop(bundle, {failure.lane}, failure.reason)
            failures.raise_unless_retriable(failure)
        if failed:
            first, of_failed = failed[0], [failure.lane for failure in failed]
            self._backoff.record_failure(first.code, f"lane {first.lane}: {first.reason}", of_failed, lane=first.lane)

    def _commit_again(self, lanes: Sequence[OwnedLane], writer: Writer) -> None:
        """Commit the positions of `lanes`: the group lacks them after a recovery, or their commits may expire soon."""
        answer = self._commit_flow.commit_again(lanes, writer)
        if answer.outcome is not CommitOutcome.ACCEPTED:
            self.owned_lanes.forget([owned.lane for owned in lanes])
            self._not_accepted(answer, [owned.lane for owned in lanes])
            return
        self.owned_lanes.update(replace(owned, committed_at_s=self.clock_s()) for owned in lanes)
        for owned in lanes:
            if owned.position.pointer is None:
                self._publish_flow.remove_heads_and_manifests(owned, writer)

    def _not_accepted(self, answer: CommitAnswer, lanes: Collection[Lane]) -> None:
        if answer.outcome is CommitOutcome.FENCED:
            raise PipelineStopped(Code.FENCED, answer.reason)
        if answer.outcome is CommitOutcome.UNKNOWN:
            why = "the outcome of {} commit of this member is unknown, so the member rejoins the group"
            self._drop_all_lanes(why.format("another"), why.format("a"))
            self.membership.rejoin_as_new_member()
            return
        self._backoff.record_failure(Code.COMMIT_REFUSED, answer.reason, lanes)

    # --- publish and sweep --------------------------------------------------------------------------------------------

    def _collect_published(self, timeout_s: float) -> bool:
        """Allow new plans for lanes whose publication and sweep have ended. Return whether there were such lanes."""
        has_finished = False
        for lanes, failure in self._publications.poll_ended(timeout_s):
            has_finished = True
            self._next_lookup_s = 0.0
            if failure is None:
                self._backoff.reset(lanes)
                continue
            self.owned_lanes.forget(lanes)  # The batch is committed, but not visible: the next recovery publishes it.
            self._record_storage_failure(failure, sorted(lanes))
        return has_finished

    # --- backoff ------------------------------------------------------------------------------------------------------

    def _cancel(self, one: BundleInFlight, reason: str) -> None:
        one.task.cancel()
        self.in_flight.remove(one)
        self._drop(one.bundle, one.lanes, reason)

    def _drop(self, bundle: Bundle, lanes: Collection[Lane], reason: str) -> None:
        """Give up the batches of these lanes. The next recovery of a lane lists the batch's files for the sweep."""
        self.owned_lanes.forget(lanes)
        self._next_lookup_s = 0.0
        dropped = [lane for lane in planned_lanes(bundle) if lane.lane in lanes]
        self._report(ProgressStep.DROPPED, bundle.writer, dropped, run_id=bundle.run_id, reason=reason)

    def _record_storage_failure(self, error: OSError | SinkFailed, lanes: Sequence[Lane | None] = (MEMBER,)) -> None:
        self._backoff.record_failure(*failures.storage_failure(error, self.layout), lanes)

    # --- deadlines ----------------------------------------------------------------------------------------------------

    def _check_deadlines(self) -> None:
        now_s = self.clock_s()
        self._extend_deadlines(now_s)
        if self._stop_at_s is not None and now_s > self._stop_at_s:
            for one in self.in_flight:
                self._cancel(one, "the pipeline was stopped")
            self._publications.abandon()
        for one in self.in_flight:
            if now_s > one.started_s + self.settings.batch_timeout_s:
                self._cancel(one, "it did not end in time")
                raise failures.batch_timed_out(self.settings.batch_timeout_s)
        if self._publications.longest_s() > self.settings.batch_timeout_s:
            raise failures.publishing_timed_out(self.settings.batch_timeout_s)

    def _extend_deadlines(self, now_s: float) -> None:
        """Extend deadlines by the time this process was suspended."""
        stood_s, self._checked_at_s = now_s - self._checked_at_s, now_s
        if stood_s > self.settings.standstill_s:
            for one in (*self.in_flight, *self._publications):
                one.started_s = min(one.started_s + stood_s, now_s)
