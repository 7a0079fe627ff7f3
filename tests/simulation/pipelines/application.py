"""Application in virtual time: a real membership, a real engine, and tasks that may outlive it."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.client.group.memberships.membership_outputs import FatalError
from tenure.client.values import Assigned, Event, TopicPartition
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.membership import Unreachable
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.pipeline.values.stager import Result
from tenure.protocol.message import Message
from tenure.protocol.types import TopicId
from tests.simulation.pipelines.cooperative_thread import Killed, Wake, Worker, this_worker
from tests.simulation.pipelines.counting import STATE, Numbers, counted
from tests.simulation.pipelines.files import SlowFiles
from tests.simulation.pipelines.invariants import manifests_of
from tests.simulation.pipelines.model import TOPIC, PipelineModel
from tests.simulation.pipelines.simulated_membership import Ended, SimulatedLog, SimulatedMembership, fetched
from tests.simulation.pipelines.transactions import SIDE, SimulatedTransactions, TaskWriter, to_topics
from tests.simulation.process import Process

if TYPE_CHECKING:
    from tests.simulation.pipelines.life import PipelineCluster

BATCH_RECORDS: Final = 20
ALLOWED_CODES: Final = (
    Code.FENCED, Code.RUN_TIMED_OUT, Code.LANE_FAILED, Code.FILES_FAILED, Code.SINK_FAILED, Code.COMMIT_REFUSED
)  # fmt: skip
"""Codes with which a pipeline may stop under faults. Every other code means that state, output or position are wrong.
If an application was suspended many times, its run or publication also counts as hung."""


class Application(Process):
    """Application; `cluster` has what all applications share."""

    def __init__(self, cluster: "PipelineCluster", *process: object) -> None:
        self.cluster: Final = cluster
        self.model: Final[PipelineModel] = cluster.model
        self.doom: int | None = None
        """Number of operations on its store after which the process dies."""
        self.tasks: Final[list[Worker]] = []
        self.runs: Final[set[str]] = set()
        self.background_workers: Final[list[Worker]] = []
        """Threads besides that of the engine."""
        self.wakes: Final[list[Callable[[], None]]] = []
        """Wake-ups of its threads that wait until the suspended application continues."""
        super().__init__(*process)  # type: ignore[arg-type]

    def _new_work(self) -> "EngineWork":
        self.engine_work = EngineWork(self)
        return self.engine_work

    @property
    def engine_worker(self) -> Worker:
        return self.engine_work.worker

    @property
    def engine(self) -> Engine:
        return self.engine_work.engine

    def did(self, what: str) -> None:
        self._network.trace.did[what] += 1

    def delay_ms(self) -> int:
        return self._network.delay_ms()

    # --- start and end ------------------------------------------------------------------------------------------------

    def kill(self) -> None:
        super().kill()
        self._abandon_tasks()

    def close(self, *, leave: bool | None = None) -> None:
        """Close without waiting for running tasks."""
        super().close(leave=leave)
        self._abandon_tasks()

    def tell(self, happened: Callable[[int], object]) -> None:
        if self.ended is None:
            super().tell(happened)

    def waits(self, then: Callable[[], None]) -> bool:
        if self._is_paused and not self.is_gone:
            self.wakes.append(then)
        return self._is_paused or self.is_gone

    def resume(self) -> None:
        super().resume()
        wakes = list(self.wakes)
        self.wakes.clear()
        for then in wakes:
            then()

    def _end(self, ended: FatalError) -> None:
        """End the membership; the engine learns of it with its next call."""
        super()._end(ended)
        self.is_gone = False
        self.soon(self.engine_work.membership.wake)

    def _abandon_tasks(self) -> None:
        """Kill some of the tasks. The others survive their driver, because each task is a process of its own."""
        for run_id in self.runs:
            self.model.under_way.pop(run_id, None)
        self._network.agenda.after(0, self._end_engine)
        for task in self.tasks:
            if self._random.random() < 0.5:
                self._network.agenda.after(0, task.kill)
            else:
                self.did("task outlives its driver")

    def _end_engine(self) -> None:
        for thread in (self.engine_worker, *self.background_workers):
            if not thread.is_over:
                thread.kill()

    def end_tasks(self) -> None:
        """End all tasks, as in a power failure."""
        for task in self.tasks:
            task.kill()

    def end_for_good(self) -> None:
        """End all threads at the end of the life."""
        for worker in (*self.tasks, *self.background_workers, self.engine_worker):
            worker.kill()

    # --- time ---------------------------------------------------------------------------------------------------------

    def soon(self, then: Callable[[], None]) -> None:
        self.after(0, then)

    def after(self, delay_ms: int, then: Callable[[], None]) -> None:
        """Call `then` later.

        If the application is suspended by then, call it when it continues; if it has ended, never.
        """

        def happen() -> None:
            if not self.waits(lambda: self.soon(then)):
                then()

        self._network.agenda.after(delay_ms, happen)

    def sleep(self, delay_ms: int) -> None:
        """Let the calling thread sleep."""
        this_worker().sleep(lambda wake: self.after(delay_ms, wake))

    def ask(self, request: Message) -> Message | None:
        """Send a request and let the calling thread wait; return the answer, or None if there will be none."""
        answers: list[Message | None] = []

        def arm(wake: Wake) -> None:
            def then(response: Message | None) -> None:
                answers.append(response)
                self.soon(wake)

            self.send(request, then)

        this_worker().sleep(arm)
        return answers[0]

    def note(self, *what: object) -> None:
        self._network.trace.note(self.name, *what)

    def clock_s(self) -> float:
        return self._now_ms() / 1_000

    def pass_time(self, what: str) -> None:
        """Wait for the duration of an operation of the store. The process may die in the meantime."""
        self.sleep(self.cluster.store_delay_ms())
        if self.doom is not None:
            self.doom -= 1
            if self.doom < 0:
                self._network.trace.note(self.name, "dies at:", what)
                self.did("died in an operation of the store")
                self.kill()
                raise Killed

    # --- runs ---------------------------------------------------------------------------------------------------------

    def observe(self, progress: Progress) -> None:
        self.did(f"pipeline {progress.step.value}")
        self._network.trace.note(self.name, progress.step.value, progress.bundle, progress.reason)
        if progress.step in (ProgressStep.COMMITTED, ProgressStep.DROPPED):
            self.model.under_way.pop(progress.bundle, None)

    def commit_sent(self, manifest_ids: Iterable[str]) -> None:
        for run_id in self._runs_of(manifest_ids):
            self.model.commit_sent(run_id)

    def commit_answered(self, manifest_ids: Iterable[str]) -> None:
        """Forget a commit that was answered: no copy of it is on its way."""
        for run_id in self._runs_of(manifest_ids):
            self.model.sent.pop(run_id, None)

    def _runs_of(self, manifest_ids: Iterable[str]) -> set[str]:
        wanted = set(manifest_ids)
        there = [each for lane in self.model.lanes for each in manifests_of(self.model.store, self.model.layout, lane)]
        return {manifest.run_id for manifest in there if manifest.id in wanted}

    def run_engine(self) -> None:
        """Run the engine; this is the body of its thread."""
        try:
            self.engine.run()
        except PipelineStopped as stopped:
            self.did(f"stopped {stopped.code.value}")
            self._network.trace.note(self.name, "stops:", stopped)
            if stopped.code not in ALLOWED_CODES:
                raise
        except Ended as ended:
            self._network.trace.note(self.name, "has ended:", ended)
        if self.ended is None and not self.is_gone:
            Process.close(self)
        self.is_gone = True
        for run_id in self.runs:
            self.model.under_way.pop(run_id, None)


class EngineWork:
    """The `Worker` of a `Process`: an engine in a thread of its own."""

    def __init__(self, application: Application) -> None:
        self.topic_ids: dict[TopicPartition, TopicId] = {}
        self._application: Final = application
        self.worker: Final = Worker(application.run_engine)
        self.membership: Final = SimulatedMembership(application)
        cluster, model = application.cluster, application.model
        self.engine: Final = Engine(
            EngineSettings(
                topics=(TOPIC,),
                stateful=True,
                max_records=BATCH_RECORDS,
                tasks=cluster.tasks,
                rebalance_timeout_s=application.settings.rebalance_timeout_ms / 1_000,
                batch_timeout_s=application.settings.max_poll_interval_ms / 1_000,
            ),
            model.layout,
            self.membership,
            SimulatedLog(application, model.records),
            SimulatedStager(application),
            SlowFiles(model.store, application.pass_time),
            new_id=cluster.new_id,
            clock_s=application.clock_s,
            observer=application.observe,
            transactions=SimulatedTransactions(application) if cluster.to_topic else None,
            background_tasks=SimulatedBackgroundTasks(application),
        )

    def schedule_work(self) -> None:
        self._application.soon(lambda: begin(self.worker))

    def handle_event(self, event: Event) -> None:
        if isinstance(event, Assigned):
            ids = self._application.membership.topic_ids
            self.topic_ids.update({added: ids[added.topic] for added in event.added if added.topic in ids})
        self.membership.handle_event(event)


def counted_for_two(rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
    """Count records. Rows of every second lane also go to a topic, so these lanes commit in a transaction."""
    counts = counted(rows, state)
    return {MAIN: counts, SIDE: counts.filter(pc.equal(pc.bit_wise_and(counts["partition"], 1), 0))}


class SimulatedBackgroundTasks:
    def __init__(self, application: Application) -> None:
        self._application: Final = application

    def start(self, work: Callable[[], None]) -> "SimulatedBackgroundTask":
        return SimulatedBackgroundTask(self._application, work)


class SimulatedBackgroundTask:
    """Background thread of the application: it is suspended and dies with it."""

    def __init__(self, application: Application, work: Callable[[], None]) -> None:
        self._application: Final = application
        self._failure: Exception | None = None
        self._is_over = False
        self._done: Wake = lambda: None
        self._body: Final = work
        self._worker: Final = Worker(self._work)
        application.background_workers.append(self._worker)
        application.soon(lambda: begin(self._worker))

    def _work(self) -> None:
        try:
            self._body()
        except (OSError, PipelineStopped, Unreachable) as error:
            self._failure = error
        self._is_over = True
        self._application.background_workers.remove(self._worker)
        self._application.soon(self._wake)

    def _wake(self) -> None:
        self._done()

    def wait(self, timeout_s: float) -> bool:
        if not self._is_over:

            def arm(wake: Wake) -> None:
                self._done = wake
                self._application.after(round(timeout_s * 1_000), wake)

            self._application.engine_worker.sleep(arm)
        if self._failure is not None:
            raise self._failure
        return self._is_over


class SimulatedStager:
    def __init__(self, application: Application) -> None:
        self._application: Final = application

    def start(self, bundle: Bundle) -> "SimulatedRun":
        self._application.model.under_way[bundle.run_id] = bundle
        self._application.runs.add(bundle.run_id)
        return SimulatedRun(self._application, bundle)


class SimulatedRun:
    """Task: a process of its own, which is neither suspended nor killed with its driver."""

    def __init__(self, application: Application, bundle: Bundle) -> None:
        self._application: Final = application
        self._bundle: Final = bundle
        self._results: Sequence[Result] | None = None
        self._done: Wake = lambda: None
        cluster = application.cluster
        self._files: Final = SlowFiles(application.model.store, self._pass_time)
        self._job: Final = Job(
            application.model.layout,
            Numbers(),
            counted_for_two if cluster.to_topic else counted,
            fetched(application.model.records, cluster.maybe_fail_task),
            state=STATE,
            sinks={MAIN: ParquetFiles(grow_to_bytes=cluster.grow_to_bytes)},
            to_topics=to_topics() if cluster.to_topic else {},
            write=TaskWriter(cluster, f"{application.name}-task"),
            in_background=self._do_in_background,
        )
        self._worker: Final = Worker(self._work)
        application.tasks.append(self._worker)
        cluster.agenda.after(1 + cluster.random.randrange(cluster.task_takes_ms), lambda: begin(self._worker))

    def _pass_time(self, _: str) -> None:
        cluster = self._application.cluster
        this_worker().sleep(lambda wake: cluster.agenda.after(cluster.store_delay_ms(), wake))

    def _do_in_background(self, work: Callable[[], None]) -> None:
        """Write a snapshot some time later; it may never be written."""

        def body() -> None:
            with suppress(OSError, PipelineStopped):
                work()
                self._application.did("snapshot written")

        worker = Worker(body)
        self._application.tasks.append(worker)
        cluster = self._application.cluster
        cluster.agenda.after(1 + cluster.random.randrange(cluster.task_takes_ms), lambda: begin(worker))

    def _work(self) -> None:
        results = run_bundle(self._job, self._bundle, self._files, self._application.cluster.new_id)

        def tell() -> None:
            self._results = results
            self._done()

        self._application.tasks.remove(self._worker)
        self._application.after(1, tell)

    def wait(self, timeout_s: float) -> Sequence[Result] | None:
        if self._results is None:

            def arm(wake: Wake) -> None:
                self._done = wake
                self._application.after(round(timeout_s * 1_000), wake)

            self._application.engine_worker.sleep(arm)
        return self._results

    def cancel(self) -> None:
        """Cancel the task; some tasks learn of it too late."""
        if self._worker in self._application.tasks and self._application.cluster.random.random() < 0.7:
            self._application.cluster.agenda.after(0, self._worker.kill)


def begin(worker: Worker) -> None:
    """Start the worker, unless it was killed before."""
    if not worker.is_over:
        worker.start()
