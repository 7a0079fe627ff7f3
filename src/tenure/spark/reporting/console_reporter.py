"""What a running pipeline tells people, in short lines on standard error.

The group's doings are told as they happen. Batches and rests may come many times a second, so they are summed up, at
most once in SUMMARY_S; what cannot be told at once is told by a timer, so the last line always is the latest.
"""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TextIO

from tenure.pipeline.values.progress import Progress, Step
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch

SUMMARY_S: Final = 10.0
"""Between two lines about batches."""

REPEAT_S: Final = 60.0
"""Before a sentence about the same trouble is told again: an engine tries every few seconds."""

TROUBLES: Final = (Step.DROPPED, Step.WAITING)

Schedule = Callable[[float, Callable[[], None]], None]
"""(seconds, what to do then)"""


@dataclass(slots=True)
class BatchTotals:
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
        bad = f", {counted(self.bad_records, 'bad record')} skipped" if self.bad_records else ""
        return (
            f"{counted(self.records, 'record')} in {counted(self.batches, 'batch', 'batches')},"
            f" {counted(self.rows, 'row')} written{bad}"
        )


def start_timer(seconds: float, act: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


class ConsoleReporter:
    """The observer of an application whose caller named none. Members may report from threads of their own."""

    def __init__(
        self,
        out: TextIO | None = None,
        *,
        each_batch: bool = False,
        clock_s: Callable[[], float] = time.monotonic,
        later: Schedule = start_timer,
    ) -> None:
        """With `each_batch`, each has a line of its own, and there are no summaries."""
        self.out = sys.stderr if out is None else out
        self.clock_s = clock_s
        self.later = later
        self.batches = BatchCollector(self.tell_batch, clock_s=clock_s) if each_batch else None
        self.lock = threading.Lock()
        self.seats: dict[str, tuple[str, int]] = {}
        """Of each member that is in the group: member id and generation, as it was told last."""
        self.resting: set[str] = set()
        self.rest_is_news = False
        self.since = BatchTotals()
        """Of what was not told yet."""
        self.total = BatchTotals()
        self.summary_is_due = False
        self.summed_up_s = -SUMMARY_S
        self.troubles: dict[str, float] = {}
        self.stop_asked = False
        self.ended = False
        self.pipeline = ""

    # --- the application ----------------------------------------------------------------------------------------------

    def started(self, pipeline: str, topic: str, bootstrap_servers: str, sink: str) -> None:
        self.pipeline = pipeline
        self.say(f"pipeline {pipeline} reads {topic} at {bootstrap_servers} and writes to {sink}")

    def stopping(self) -> None:
        """Takes no lock: a signal's handler calls it."""
        self.stop_asked = True
        self.say("stopping: running batches are finished or dropped first")

    def standing_by(self, instance: str) -> None:
        self.say(f"standing by for application {instance}")

    def takes_over(self, reason: str) -> None:
        self.say(f"taking over: {reason}")

    def pausing(self) -> None:
        self.say("pausing: running batches are finished first; the members keep their partitions")

    def resumed(self) -> None:
        self.say("resumed")

    def watched_at(self, address: str) -> None:
        self.say(f"serving metrics and health checks at http://{address}/metrics, /healthz, /readyz")

    def shown_at(self, url: str) -> None:
        self.say(f"Spark web UI: {url}")

    def unreachable(self, reason: str) -> None:
        self.say(f"`tenure pipeline` commands cannot find this application: {reason}")

    def stopped(self) -> None:
        with self.lock:
            self.ended = True
        self.say(f"stopped: {self.total}")

    # --- its members --------------------------------------------------------------------------------------------------

    def __call__(self, progress: Progress) -> None:
        """Of a stage before the pipeline its troubles only, by its group's name."""
        with self.lock:
            if self.pipeline and progress.group not in ("", self.pipeline):
                if progress.step in TROUBLES:
                    self.tell(replace(progress, member=f"{progress.member} of {progress.group}"))
                return
            if progress.step is not Step.IDLE:
                self.resting.discard(progress.member)
            if self.batches is not None:
                self.batches(progress)
            self.tell(progress)

    def tell(self, progress: Progress) -> None:
        member, reason = progress.member, progress.reason
        match progress.step:
            case Step.RECOVERED:
                self.note_seat(progress)
            case Step.ROLLED_FORWARD:
                self.say(
                    f"{member}: published {counted(len(progress.files), 'file')} of a batch that was committed before"
                )
            case Step.PUBLISHED:
                self.since.add(progress)
                self.total.add(progress)
                self.sum_up_in_time()
            case Step.IDLE:
                self.note_seat(progress)
                self.resting.add(member)
                self.rest_is_news = True
                self.sum_up_in_time()
            case Step.PAUSED:
                self.note_seat(progress)
                self.say(f"{member}: paused")
            case Step.DROPPED:
                lanes = ", ".join(str(lane.lane) for lane in progress.lanes)
                why = "" if self.stop_asked else f": {reason}"  # Whatever the reason, nobody has to do anything.
                self.say_trouble(f"{member}: dropped the batch of {lanes}, nothing of it is committed{why}")
            case Step.REVOKED:
                self.seats.pop(member, None)
                why = f"partitions lost: {reason}" if reason else "partitions revoked: the group rebalances"
                self.say(f"{member}: {why}")
            case Step.WAITING:
                self.say_trouble(f"{member}: waiting for the broker: {reason}")

    def note_seat(self, progress: Progress) -> None:
        seat = (progress.member_id, progress.generation_id)
        if self.seats.get(progress.member) == seat:
            return
        self.seats[progress.member] = seat
        share = ", ".join(str(lane.lane) for lane in progress.lanes)
        told = share or "no partitions: there are more members than partitions"
        self.say(f"{progress.member} joined (generation {progress.generation_id}): {told}")

    def tell_batch(self, batch: FinishedBatch) -> None:
        phases = ", ".join(f"{phase} {seconds:.3f}" for phase, seconds in batch.seconds.items())
        state = "" if batch.state_rows is None else f", state {counted(batch.state_rows, 'key')}"
        work = f"{counted(batch.records, 'record')}, {counted(batch.rows, 'row')}, lag {batch.lag:,}{state}"
        self.say(f"{batch.member}: {', '.join(batch.lanes)}: {work}, {batch.total_s:.3f} s ({phases})")

    # --- summaries ----------------------------------------------------------------------------------------------------

    def sum_up_in_time(self) -> None:
        """At once where the last summary is old enough; else when it is."""
        if self.summary_is_due or self.batches is not None:
            return
        left_s = self.summed_up_s + SUMMARY_S - self.clock_s()
        if left_s <= 0:
            self.sum_up()
            return
        self.summary_is_due = True
        self.later(left_s, self.sum_up_now_due)

    def sum_up_now_due(self) -> None:
        with self.lock:
            self.summary_is_due = False
            if not self.ended:
                self.sum_up()

    def sum_up(self) -> None:
        rests = bool(self.seats) and self.resting >= set(self.seats)
        if self.since.batches:
            self.say(f"{self.since}{'; caught up' if rests else ''}")
        elif rests and self.rest_is_news:
            self.say("caught up, waiting for records")
        else:
            return
        self.since, self.rest_is_news, self.summed_up_s = BatchTotals(), False, self.clock_s()

    # --- lines --------------------------------------------------------------------------------------------------------

    def say_trouble(self, line: str) -> None:
        if self.clock_s() - self.troubles.get(line, -REPEAT_S) >= REPEAT_S:
            self.troubles = {line: self.clock_s()} | {
                old: told_s for old, told_s in self.troubles.items() if self.clock_s() - told_s < REPEAT_S
            }
            self.say(line)

    def say(self, line: str) -> None:
        self.out.write(f"{time.strftime('%H:%M:%S')} tenure: {line}\n")
        self.out.flush()


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
