"""Events of the main job, in order.

Two applications with two threads each: four members of one group, eight partitions, two to each. While records are
produced, application A is stopped and started, B is killed in the middle of a batch and started again, and the broker
is restarted. Then everything is read to the end, and the output is compared with the expected rows.
"""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from examples.flights_data import PARTITIONS, TOPIC
from examples.main_job.application import Application, wait_until
from examples.main_job.crash import Crash, crash_in_a_batch
from examples.main_job.flow import Flow
from examples.main_job.history import History, read_history
from examples.main_job.picture import Mark
from examples.main_job.processes import Child, Children
from examples.main_job.state import read_state
from examples.main_job.verdict import Verdict, judge
from tenure.admin import Admin

GROUP: Final = "flight-delays"
THREADS: Final = 2
READY: Final = "tenure: ready at "

BREATH_SECONDS: Final = 3.0
"""Pause between two disturbances, so that the picture shows them separately."""


@dataclass(frozen=True, slots=True)
class Options:
    directory: Path
    static: bool
    flights: int | None
    bootstrap_servers: str | None
    """Address of an existing broker, which is not restarted; None to start one."""


@dataclass(frozen=True, slots=True)
class Told:
    """Facts for the report and the picture."""

    history: History
    marks: list[Mark]
    crash: Crash
    verdict: Verdict
    start_ms: int
    end_ms: int
    batches: int
    rows_per_s: float


class Story:
    """Story of one run. `stage` is called with the present event, `produced` and `read` with the progress."""

    def __init__(
        self,
        options: Options,
        stage: Callable[[str], None],
        produced: Callable[[int], None],
        read: Callable[[int], None],
    ) -> None:
        self._options = options
        self._stage = stage
        self._produced = produced
        self._read = read
        self._marks: list[Mark] = []

    def tell(self) -> Told:
        options = self._options
        shutil.rmtree(options.directory, ignore_errors=True)
        with Children() as children:
            self._children = children
            if options.bootstrap_servers is None:
                self._stage("the broker starts, its data on disk")
            self._checks = [children.check]
            self._start_broker()
            with Admin(self._bootstrap) as admin:
                admin.create_topics([TOPIC], partitions=PARTITIONS)
            self._applications = tuple(
                Application(name, options.directory, self._bootstrap, threads=THREADS, static=options.static)
                for name in ("host-a", "host-b")
            )
            with Flow(self._bootstrap, options.flights, self._produced) as flow:
                self._checks.append(flow.check)
                self._settle()
                self._stop_and_start_a()
                crash = self._kill_and_start_b()
                self._restart_broker()
                start_ms, end_ms = self._marks[0].start_ms, self._marks[-1].end_ms
                self._stage("everything is read to its end")
                flow.finish()
            self._drain(flow.produced)
            return self._judge(crash, start_ms, end_ms)

    # --- what happens -----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        self._stage("two applications join: four members, eight partitions")
        for application in self._applications:
            application.start(self._children)
        self._wait(lambda: all(self._working(a) for a in self._applications), "all four members to commit")

    def _stop_and_start_a(self) -> None:
        a, _ = self._applications
        with self._mark("A stopped and started", a.seats):
            self._stage("application A is stopped, and started again")
            a.stop(self._children)
            a.start(self._children)
            self._wait(lambda: self._working(a), "application A to commit again")

    def _kill_and_start_b(self) -> Crash:
        _, b = self._applications
        with self._mark("B killed (-9), started", b.seats):
            self._stage("application B is killed in the middle of a batch, and started again")
            crash = crash_in_a_batch(b, self._children, self._options.directory / "flights", self._bootstrap, GROUP)
            b.start(self._children)
            self._wait(lambda: self._working(b), "application B to commit again")
        return crash

    def _restart_broker(self) -> None:
        if self._options.bootstrap_servers is not None:
            return
        with self._mark("broker restarted", ()):
            self._stage("the broker is restarted")
            self._broker.stop()
            self._children.forget(self._broker)
            self._start_broker()
            since = _now_ms()
            self._wait(
                lambda: all(_members_since(a, since) >= THREADS for a in self._applications),
                "all members to commit again",
            )

    def _drain(self, produced: int) -> None:
        with Admin(self._bootstrap) as admin:

            def caught_up() -> bool:
                read = sum(position.offset for position in admin.committed_offsets(GROUP).values())
                self._read(read)
                return read >= produced

            self._wait(caught_up, "the group to read everything", pause_s=0.3)
        for application in self._applications:
            application.stop(self._children)

    # --- what came of it --------------------------------------------------------------------------------------------

    def _judge(self, crash: Crash, start_ms: int, end_ms: int) -> Told:
        self._stage("what came out is compared with what should have")
        sink = self._options.directory / "flights"
        history = read_history(self._bootstrap, GROUP, TOPIC)
        verdict = judge(sink, read_state(str(sink)), self._options.flights)
        commits = [step for a in self._applications for step in a.steps if step["step"] == "committed"]
        first, last = history.commits[0].at_ms, history.commits[-1].at_ms
        return Told(
            history=history,
            marks=self._marks,
            crash=crash,
            verdict=verdict,
            start_ms=start_ms,
            end_ms=end_ms,
            batches=len(commits),
            rows_per_s=verdict.rows_out / max((last - first) / 1000, 0.001),
        )

    # --- the small print --------------------------------------------------------------------------------------------

    def _start_broker(self) -> None:
        if self._options.bootstrap_servers is not None:
            self._bootstrap = self._options.bootstrap_servers
            return
        directory = self._options.directory
        listen = getattr(self, "_bootstrap", "127.0.0.1:0")
        command = [sys.executable, "-m", "tenure", "serve", str(directory / "broker"), "--listen", listen]
        self._broker = self._children.start(Child("the broker", command, directory / "logs" / "broker.log"))
        ready: list[str] = []

        def said() -> bool:
            while not self._broker.lines.empty():
                ready.append(self._broker.lines.get())
            return any(line.startswith(READY) for line in ready)

        self._wait(said, "the broker to be ready", pause_s=0.02)
        self._bootstrap = ready[-1].removeprefix(READY)

    @contextmanager
    def _mark(self, label: str, seats: tuple[str, ...]) -> Iterator[None]:
        time.sleep(BREATH_SECONDS)
        self._check()
        start_ms = _now_ms()
        yield
        self._marks.append(Mark(label, start_ms, _now_ms(), seats))

    def _working(self, application: Application) -> bool:
        return application.working_members() >= THREADS

    def _wait(self, happened: Callable[[], bool], what: str, *, pause_s: float = 0.1) -> None:
        wait_until(happened, what, self._check, pause_s=pause_s)

    def _check(self) -> None:
        """Raise an error if a child or the flow has ended too early."""
        for check in self._checks:
            check()


def _members_since(application: Application, since_ms: int) -> int:
    news = application.news()
    return len({step["member_id"] for step in news if step["step"] == "committed" and step["time_ms"] >= since_ms})


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
