"""Log lines of a running pipeline on standard error, and a progress line if standard error is a terminal.

Group events are written immediately. Batches may be published many times a second, so they are summarised at most every
SUMMARY_S seconds. If a summary is not due when a batch is published, a timer writes it later. So every batch is in a
summary.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TextIO

from tenure.pipeline.values.progress import LaneProgress, Progress, ProgressStep
from tenure.plural import format_count
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch
from tenure.spark.reporting.throughput import Throughput

if TYPE_CHECKING:
    from tenure.spark.reporting.terminal_line import TerminalLine

SUMMARY_S: Final = 10.0
"""Interval between two summaries of batches, in seconds."""

REPEAT_S: Final = 60.0
"""Seconds before the same problem is written again: an engine retries every few seconds."""

LANES_NAMED_MAX: Final = 10
"""Largest number of lanes in the list of a log line: more make the line longer than a screen is wide."""

PROBLEMS: Final = (ProgressStep.DROPPED, ProgressStep.WAITING)

WITH_LAG: Final = (ProgressStep.RECOVERED, ProgressStep.PLANNED, ProgressStep.IDLE)
"""Progress steps that report the lag of lanes that the member owns."""

NO_PARTITIONS: Final = "no partitions yet: other members own all of them, or have to release them first"

Schedule = Callable[[float, Callable[[], None]], None]
"""Function that calls its second argument after a number of seconds."""


@dataclass(slots=True)
class BatchTotals:
    """Numbers of published batches, of their records, rows and bad records."""

    batches: int = 0
    records: int = 0
    rows: int = 0
    bad_records: int = 0

    def add(self, progress: Progress) -> None:
        self.batches += 1
        self.records += progress.records
        self.rows += progress.rows
        self.bad_records += sum(lane.bad_records for lane in progress.lanes)

    def __str__(self) -> str:
        bad = f", {format_count(self.bad_records, 'bad record')} skipped" if self.bad_records else ""
        return (
            f"{format_count(self.records, 'record')} in {format_count(self.batches, 'batch', 'batches')},"
            f" {format_count(self.rows, 'row')} written{bad}"
        )


def start_timer(seconds: float, act: Callable[[], None]) -> None:
    """Call `act` after `seconds`, in a new thread."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


class ConsoleReporter:
    """Observer that writes log lines, for callers without an observer of their own. Thread-safe."""

    def __init__(
        self,
        out: TextIO | None = None,
        *,
        each_batch: bool = False,
        clock_s: Callable[[], float] = time.monotonic,
        schedule: Schedule = start_timer,
    ) -> None:
        """Create a reporter.

        Args:
            out: Stream for the lines; default standard error.
            each_batch: Write a line for each batch instead of summaries.
            clock_s: Monotonic clock in seconds.
            schedule: Function that calls a function after some seconds, to write a summary.
        """
        self.out = sys.stderr if out is None else out
        self.clock_s = clock_s
        self.schedule = schedule
        self.batches = BatchCollector(self.report_batch, clock_s=clock_s) if each_batch else None
        self.lock = threading.Lock()
        self.identities: dict[str, str] = {}
        """Member id of each member that has joined, as in its last log line."""
        self.lanes: dict[str, tuple[str, int]] = {}
        """Owner and lag of each owned lane. Replaced, never mutated, because the progress line's thread reads it."""
        self.idle: set[str] = set()
        self.idle_is_new = False
        self.unreported = BatchTotals()
        """Batches since the last summary."""
        self.total = BatchTotals()
        self.summary_is_due = False
        self.summed_up_s = -SUMMARY_S
        self.problems: dict[str, float] = {}
        self.stop_requested = False
        self.ended = False
        self.pipeline = ""
        self.throughput = Throughput(clock_s)
        self.line: TerminalLine | None = None

    # --- the application ----------------------------------------------------------------------------------------------

    def log_start(self, pipeline: str, topic: str, bootstrap_servers: str, sink: str) -> None:
        self.pipeline = pipeline
        if self.out.isatty() and os.environ.get("TERM") != "dumb":
            from tenure.spark.reporting.terminal_line import TerminalLine  # It imports rich, which takes time.

            self.line = TerminalLine(self.out, self.progress_text)
        self.write_line(f"pipeline {pipeline} reads {topic} at {bootstrap_servers} and writes to {sink}")

    def log_stopping(self) -> None:
        """Log that the application stops. Takes no lock, because a signal handler calls it."""
        self.stop_requested = True
        self.write_line("stopping: running batches are finished or dropped first")

    def standing_by(self, instance: str) -> None:
        self.write_line(f"standing by: this application takes over when application {instance} is gone")

    def takes_over(self, reason: str) -> None:
        self.write_line(f"taking over: {reason}")

    def pausing(self) -> None:
        self.write_line("pausing: running batches are finished first; the members keep their partitions")

    def log_resume(self) -> None:
        self.write_line("resumed")

    def serves_metrics_at(self, address: str) -> None:
        self.write_line(f"serving metrics and health checks at http://{address}/metrics, /healthz, /readyz")

    def shown_in_spark_at(self, url: str) -> None:
        self.write_line(f"Spark web UI: {url}")

    def unreachable(self, reason: str) -> None:
        self.write_line(f"`tenure pipeline` commands cannot find this application: {reason}")

    def log_stop(self) -> None:
        with self.lock:
            self.ended = True
        self.write_line(f"stopped: {self.total}")

    def close(self) -> None:
        """Remove the progress line. May be called more than once."""
        line, self.line = self.line, None
        if line is not None:
            line.close()

    # --- its members --------------------------------------------------------------------------------------------------

    def __call__(self, progress: Progress) -> None:
        """Report a progress step. Of the pipelines that repartition rows (`through`), only problems are reported."""
        with self.lock:
            if self.pipeline and progress.group not in ("", self.pipeline):
                if progress.step in PROBLEMS:
                    self.report(replace(progress, member=f"{progress.member} of {progress.group}"))
                return
            if progress.step is not ProgressStep.IDLE:
                self.idle.discard(progress.member)
            if self.batches is not None:
                self.batches(progress)
            self.report(progress)
            self.update_lag(progress)

    def report(self, progress: Progress) -> None:
        """Write the log line for a progress step, or remember it for the next summary."""
        member, reason = progress.member, progress.reason
        match progress.step:
            case ProgressStep.RECOVERED:
                self.report_assignment(progress)
            case ProgressStep.ROLLED_FORWARD:
                self.write_line(
                    f"{member}: published {format_count(len(progress.files), 'file')} of a batch that was committed but"
                    " not published"
                )
            case ProgressStep.PUBLISHED:
                self.unreported.add(progress)
                self.total.add(progress)
                self.throughput.add(progress.records, progress.rows)
                self.schedule_summary()
            case ProgressStep.IDLE:
                self.report_assignment(progress)
                self.idle.add(member)
                self.idle_is_new = True
                self.schedule_summary()
            case ProgressStep.PAUSED:
                self.report_assignment(progress)
                self.write_line(f"{member}: paused")
            case ProgressStep.DROPPED:
                lanes = ", ".join(str(lane.lane) for lane in progress.lanes)
                why = (
                    "" if self.stop_requested else f": {reason}"
                )  # After a stop by the user, the reason does not matter.
                self.write_problem(f"{member}: dropped the batch of {lanes}, nothing of it is committed{why}")
            case ProgressStep.REVOKED:
                self.report_loss(progress)
            case ProgressStep.WAITING:
                self.write_problem(f"{member}: waiting for the broker: {reason}")

    def report_assignment(self, progress: Progress) -> None:
        """Report that a member has joined. For later assignments, report the partitions that the member has gained."""
        member, owned = progress.member, self.lanes_of(progress.member)
        gained = [lane for lane in progress.lanes if str(lane.lane) not in owned]
        self.lanes = self.lanes | {str(lane.lane): (member, lane.lag or 0) for lane in gained}
        generation = f"(generation {progress.generation_id})"
        if self.identities.get(member) != progress.member_id:
            self.identities[member] = progress.member_id
            self.throughput.start()
            self.write_line(f"{member} joined {generation}: {lanes_text(progress.lanes) or NO_PARTITIONS}")
        elif gained:
            self.write_line(f"{member} gained {lanes_text(gained)} {generation}: {self.share_text(member)}")

    def report_loss(self, progress: Progress) -> None:
        """Report the partitions that a member has lost.

        If the member has lost all partitions or has left the group, its next assignment is reported as a join. A
        progress step with a reason means that the member has left the group.
        """
        member, lost = progress.member, {str(lane.lane) for lane in progress.lanes}
        self.lanes = {name: owner for name, owner in self.lanes.items() if name not in lost}
        if progress.reason or not self.lanes_of(member):
            self.identities.pop(member, None)
        why = progress.reason or "the group rebalances"
        names = names_text(sorted(lost)) or "no partition"
        self.write_line(f"{member} lost {names} ({why}): {self.share_text(member)}")

    def update_lag(self, progress: Progress) -> None:
        """Store the lag of each lane that the progress step reports. The progress line shows the sum of all lags."""
        if progress.step in WITH_LAG:
            lags = {str(lane.lane): (progress.member, lane.lag) for lane in progress.lanes if lane.lag is not None}
            self.lanes = self.lanes | lags

    def lanes_of(self, member: str) -> set[str]:
        return {name for name, (owner, _) in self.lanes.items() if owner == member}

    def share_text(self, member: str) -> str:
        return f"{format_count(len(self.lanes_of(member)), 'partition')} now"

    def progress_text(self) -> str:
        """Return the progress line. Does not take the reporter's lock: another thread may hold it while it prints."""
        lanes, rates = self.lanes, self.throughput.rates()
        if not lanes:
            return f"{self.pipeline}: {'waiting for partitions' if self.identities else 'starting'}"
        lag = sum(lag for _, lag in lanes.values())
        return f"{self.pipeline}: {format_count(len(lanes), 'partition')}, lag {lag:,}, {rates}"

    def report_batch(self, batch: FinishedBatch) -> None:
        """Write the line for a published batch. Called only with `each_batch`."""
        phases = ", ".join(f"{phase} {seconds:.3f}" for phase, seconds in batch.seconds.items())
        state = "" if batch.state_rows is None else f", state {format_count(batch.state_rows, 'key')}"
        work = f"{format_count(batch.records, 'record')}, {format_count(batch.rows, 'row')}, lag {batch.lag:,}{state}"
        self.write_line(f"{batch.member}: {', '.join(batch.lanes)}: {work}, {batch.total_s:.3f} s ({phases})")

    # --- summaries ----------------------------------------------------------------------------------------------------

    def schedule_summary(self) -> None:
        """Write a summary now if the last one is old enough, else later. Do nothing with `each_batch`."""
        if self.summary_is_due or self.batches is not None:
            return
        left_s = self.summed_up_s + SUMMARY_S - self.clock_s()
        if left_s <= 0:
            self.write_summary()
            return
        self.summary_is_due = True
        self.schedule(left_s, self.write_due_summary)

    def write_due_summary(self) -> None:
        """Write the summary that was scheduled for now."""
        with self.lock:
            self.summary_is_due = False
            if not self.ended:
                self.write_summary()

    def write_summary(self) -> None:
        """Write a summary of the batches since the last summary.

        If there was no batch, and the members have caught up with all partitions, report that once.
        """
        owners = {owner for owner, _ in self.lanes.values()}
        is_idle = bool(owners) and self.idle >= owners
        caught_up = f"caught up on {format_count(len(self.lanes), 'partition')}"
        if self.unreported.batches:
            lag = f"lag {sum(lag for _, lag in self.lanes.values()):,}"
            self.write_line(f"{self.unreported}; {self.throughput.rates()}; {caught_up if is_idle else lag}")
        elif is_idle and self.idle_is_new:
            self.write_line(f"{caught_up}, waiting for records")
        else:
            return
        self.unreported, self.idle_is_new, self.summed_up_s = BatchTotals(), False, self.clock_s()

    # --- lines --------------------------------------------------------------------------------------------------------

    def write_problem(self, line: str) -> None:
        """Write a line, unless the same line was written less than REPEAT_S seconds ago."""
        if self.clock_s() - self.problems.get(line, -REPEAT_S) >= REPEAT_S:
            self.problems = {line: self.clock_s()} | {
                old: written_s for old, written_s in self.problems.items() if self.clock_s() - written_s < REPEAT_S
            }
            self.write_line(line)

    def write_line(self, line: str) -> None:
        """Write a line that begins with the time of day."""
        text = f"{time.strftime('%H:%M:%S')} tenure: {line}"
        if self.line is not None:
            self.line.print_above(text)
            return
        self.out.write(f"{text}\n")
        self.out.flush()


def lanes_text(lanes: Sequence[LaneProgress]) -> str:
    """Return the names of the lanes, with their lag if it is known."""
    names = names_text([str(lane.lane) for lane in lanes])
    lags = [lane.lag for lane in lanes if lane.lag is not None]
    return f"{names}, lag {sum(lags):,}" if lags else names


def names_text(names: Sequence[str]) -> str:
    """Return the names of lanes as a list, or the first ones and the number of the others."""
    named = names if len(names) <= LANES_NAMED_MAX else names[: LANES_NAMED_MAX - 1]
    more = f" and {len(names) - len(named)} more" if len(named) < len(names) else ""
    return ", ".join(named) + more
