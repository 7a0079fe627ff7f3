"""Random schedules of faults, then a run without faults, and checks of the result.

At each step of each bundle a fault may happen: the process crashes, the machine loses power, another process takes over
the instance id, the session expires, a commit or its answer is lost or arrives late, more records arrive, or the broker
restarts. `Harness` checks all the time that committed files are durable and complete, and that no file is swept that a
commit may still name.
"""

import pytest
from hypothesis import HealthCheck, currently_in_test_context, event, given, note, settings
from hypothesis import strategies as st

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.progress import Progress
from tests.pipeline.coordinator import SESSION_MS
from tests.pipeline.harness import Harness, Killed, Process

NOTHING = "nothing"
FAULTS = (
    NOTHING,
    "dies",
    "loses power",
    "is taken over",
    "sleeps over its session",
    "answer lost",
    "request lost",
    "comes late",
    "delivered",
    "more records",
    "broker restarts",
    "another turns",
)
INSTANCE_IDS = ("a", "b", None)
TURNS_MAX = 60


class FaultyRun:
    """Processes of a pipeline. At each step of any process, the next fault of a schedule happens."""

    def __init__(self, harness: Harness, schedule: list[tuple[str, int]], tasks: int, slow_s: int) -> None:
        self.harness = harness
        self.tasks = tasks
        self.slow_s = slow_s
        """Duration of the first lane's bundles, while others continue."""
        self.schedule = schedule
        self.processes: list[Process] = []
        self.busy: list[Process] = []
        """Processes in the middle of a turn, at a step of which a fault happens."""

    def start(self, instance_id: str | None) -> None:
        process: list[Process] = []
        new = self.harness.start(instance_id, observer=lambda told: self.at(process[0], told), tasks=self.tasks)
        new.stager.slow_lanes_s = {0: self.slow_s}
        process.append(new)
        self.processes.append(new)

    def turn(self, process: Process) -> None:
        """Run a turn. A process that ended is started again by its supervisor, unless it was fenced."""
        if process not in self.processes or process in self.busy:
            return
        self.busy.append(process)
        try:
            process.turn()
        except Killed:
            self.end(process)
            self.start(process.membership.instance_id)
        except PipelineStopped as stopped:
            if stopped.code is not Code.FENCED:
                raise
            self.end(process)
        finally:
            self.busy.remove(process)

    def end(self, process: Process) -> None:
        process.die()
        if process in self.processes:
            self.processes.remove(process)

    def at(self, process: Process, progress: Progress) -> None:
        fault, number = self.schedule.pop(0) if self.schedule else (NOTHING, 0)
        if currently_in_test_context():
            note(f"{progress.member} {progress.step.value}: {fault} {number}")
            event(fault)
        match fault:
            case "dies":
                raise Killed
            case "loses power":
                self.harness.files.crash(self.harness.random if number % 2 else None)
                for other in [other for other in self.processes if other is not process]:
                    self.end(other)
                    self.start(other.membership.instance_id)
                raise Killed
            case "is taken over":
                self.start(process.membership.instance_id)
                successor = self.processes[-1]
                for _ in range(number):
                    self.turn(successor)
            case "sleeps over its session":
                self.harness.coordinator.advance(SESSION_MS + 1)
            case "answer lost" | "request lost" | "comes late":
                commit_faults = {"answer lost": "lost-answer", "request lost": "lost-request", "comes late": "late"}
                process.membership.commit_faults.append(commit_faults[fault])
            case "delivered":
                for other in self.processes:
                    other.membership.deliver_late_commits()
            case "more records":
                self.harness.produce(number)
            case "broker restarts":
                self.harness.coordinator.restart()
            case "another turns":
                for other in self.processes[: number % 3]:
                    self.turn(other)


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    instance_ids=st.lists(st.sampled_from(INSTANCE_IDS), min_size=1, max_size=2, unique=True),
    schedule=st.lists(st.tuples(st.sampled_from(FAULTS), st.integers(1, 8)), max_size=40),
    partitions=st.integers(1, 3),
    seed=st.integers(0, 2**16),
    tasks=st.integers(1, 3),
    slow_s=st.integers(0, 3),
)
def test_random_schedule__crashes_takeovers_and_lost_answers__exactly_once(
    instance_ids: list[str | None], schedule: list[tuple[str, int]], partitions: int, seed: int, tasks: int, slow_s: int
) -> None:
    harness = Harness(partitions, seed)
    harness.produce(30)
    faulty_run = FaultyRun(harness, schedule, tasks, slow_s)
    for instance_id in instance_ids:
        faulty_run.start(instance_id)
    for _ in range(TURNS_MAX):
        for process in list(faulty_run.processes):
            faulty_run.turn(process)
    converge(harness, faulty_run)
    harness.check()


def converge(harness: Harness, faulty_run: FaultyRun) -> None:
    """Let all processes run without further faults until all records are processed, and for two more rounds."""
    faulty_run.schedule.clear()
    for process in faulty_run.processes:
        process.membership.commit_faults.clear()
    if not faulty_run.processes:
        faulty_run.start("a")
    for _ in range(400):
        harness.coordinator.advance(500)
        for process in list(faulty_run.processes):
            faulty_run.turn(process)
        if faulty_run.processes and all(process.engine.idle for process in faulty_run.processes) and ended(harness):
            return
    raise AssertionError(f"no convergence: {[process.steps[-1] for process in faulty_run.processes]}")


def ended(harness: Harness) -> bool:
    manifests = harness.committed_manifests()
    return all(
        lane in manifests and manifests[lane].end == {lane.partitions[0]: len(harness.log.partitions[lane.partition])}
        for lane in harness.lanes()
    )
