"""Log lines of a running pipeline on standard error."""

import io
import os
import pty
import re
from collections.abc import Callable
from typing import Any

import pytest

from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.progress import LaneProgress, Progress, ProgressStep
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.reporting.console_reporter import ConsoleReporter

A, B = "host-a-thread-1", "host-a-thread-2"


class ObservedReporter:
    """Reporter with the clock and the timer of the test."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.out = io.StringIO()
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.narration = ConsoleReporter(self.out, clock_s=lambda: self.now_s, schedule=self.later)

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        self.due.append((self.now_s + seconds, act))

    def wait(self, seconds: float) -> None:
        self.now_s += seconds
        ripe = [act for at_s, act in self.due if at_s <= self.now_s]
        self.due = [later for later in self.due if later[0] > self.now_s]
        for act in ripe:
            act()

    def tell(self, step: ProgressStep, member: str = A, *lanes: LaneProgress, generation: int = 3, **more: Any) -> None:
        self.narration(Progress(step, member, generation, f"{member}-id", "", lanes, **more))

    def publish(self, records: int, rows: int, bad: int = 0) -> None:
        self.tell(ProgressStep.PUBLISHED, A, lane(0, records=records, rows=rows, bad_records=bad))

    @property
    def lines(self) -> list[str]:
        """Return the lines since the last call, without their times."""
        lines = self.out.getvalue().splitlines()
        self.out.seek(0)
        self.out.truncate()
        assert all(re.match(r"\d\d:\d\d:\d\d tenure: ", line) for line in lines)
        return [line.partition(" tenure: ")[2] for line in lines]


def lane(number: int, **more: Any) -> LaneProgress:
    return LaneProgress(Lane((TopicName("flights"),), PartitionId(number)), **more)


def test_console__events_of_the_repartitioning_pipeline__problems_logged_and_batches_not_counted() -> None:
    telling = ObservedReporter()
    telling.narration.log_start("delays", "flights", "localhost:9092", "out")
    telling.tell(ProgressStep.RECOVERED, A, lane(0), group="delays-by-dest")
    telling.tell(ProgressStep.PUBLISHED, A, lane(0, records=7, rows=7), group="delays-by-dest")
    telling.tell(ProgressStep.DROPPED, A, lane(0), group="delays-by-dest", reason="refused")
    telling.tell(ProgressStep.PUBLISHED, A, lane(0, records=3, rows=3), group="delays")
    telling.narration.log_stop()
    _, dropped, *_, last = telling.lines
    assert dropped == f"{A} of delays-by-dest: dropped the batch of flights-0, nothing of it is committed: refused"
    assert last == "stopped: 3 records in 1 batch, 3 rows written"


NO_PARTITIONS = "no partitions yet: other members own all of them, or have to release them first"


def test_console__member_joined__generation_partitions_and_lag_logged_once() -> None:
    telling = ObservedReporter()
    telling.tell(ProgressStep.RECOVERED, A, lane(0, lag=1_000), lane(1, lag=200))
    telling.tell(ProgressStep.RECOVERED, A, lane(1))
    telling.tell(ProgressStep.IDLE, B)
    telling.tell(ProgressStep.RECOVERED, A, lane(0), lane(1), generation=4)
    assert telling.lines == [
        "host-a-thread-1 joined (generation 3): flights-0, flights-1, lag 1,200",
        f"host-a-thread-2 joined (generation 3): {NO_PARTITIONS}",
    ]


def test_console__member_joined_with_many_partitions__first_ones_named_and_the_others_counted() -> None:
    telling = ObservedReporter()
    telling.tell(ProgressStep.RECOVERED, A, *(lane(number, lag=1) for number in range(10)))
    telling.tell(ProgressStep.RECOVERED, B, *(lane(number, lag=1) for number in range(10, 60)))
    telling.tell(ProgressStep.REVOKED, B, *(lane(number) for number in range(10, 60)))
    first, second = (", ".join(f"flights-{number}" for number in numbers) for numbers in (range(10), range(10, 19)))
    assert telling.lines == [
        f"host-a-thread-1 joined (generation 3): {first}, lag 10",
        f"host-a-thread-2 joined (generation 3): {second} and 41 more, lag 50",
        f"host-a-thread-2 lost {second} and 41 more (the group rebalances): 0 partitions now",
    ]


def test_console__lanes_not_assigned_yet__neither_caught_up_nor_too_many_members_logged() -> None:
    telling = ObservedReporter()
    telling.narration.log_start("delays", "flights", "localhost:9092", "out")
    assert telling.narration.progress_text() == "delays: starting"
    telling.tell(ProgressStep.IDLE, A)
    telling.wait(60)
    assert telling.lines[1:] == [f"host-a-thread-1 joined (generation 3): {NO_PARTITIONS}"]
    assert telling.narration.progress_text() == "delays: waiting for partitions"
    telling.tell(ProgressStep.RECOVERED, A, lane(0, lag=7), generation=4)
    telling.tell(ProgressStep.RECOVERED, A, lane(0), lane(1, lag=5), generation=4)
    telling.tell(ProgressStep.REVOKED, A, lane(0), generation=5)
    telling.tell(ProgressStep.IDLE, A, lane(1, lag=0), generation=5)
    assert telling.lines == [
        "host-a-thread-1 gained flights-0, lag 7 (generation 4): 1 partition now",
        "host-a-thread-1 gained flights-1, lag 5 (generation 4): 2 partitions now",
        "host-a-thread-1 lost flights-0 (the group rebalances): 1 partition now",
        "caught up on 1 partition, waiting for records",
    ]


def test_progress_text__pipeline_runs__lag_and_rates_of_the_last_minute() -> None:
    telling = ObservedReporter()
    telling.narration.pipeline = "delays"
    telling.tell(ProgressStep.RECOVERED, A, lane(0, lag=9_000), lane(1, lag=500))
    telling.wait(10)
    telling.tell(ProgressStep.PLANNED, A, lane(0, lag=4_000))
    telling.publish(5_000, 1_000)
    assert telling.narration.progress_text() == "delays: 2 partitions, lag 4,500, 500 records/s, 100 rows/s"
    telling.tell(ProgressStep.DROPPED, B, lane(1, lag=99))
    telling.wait(90)
    assert telling.narration.progress_text() == "delays: 2 partitions, lag 4,500, 0 records/s, 0 rows/s"


def test_terminal__log_line_written__appears_above_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    controller, terminal = pty.openpty()
    with open(terminal, "w") as out:
        narration = ConsoleReporter(out)
        narration.log_start("delays", "flights", "localhost:9092", "[bold]out")
        narration(Progress(ProgressStep.RECOVERED, A, 3, "id", "", (lane(0, lag=7),)))
        shown = b""
        while b"delays: 1 partition, lag 7" not in shown:
            shown += os.read(controller, 65_536)
        narration.close()
        narration.log_stop()
    while b"stopped: 0 records" not in shown:
        shown += os.read(controller, 65_536)
    os.close(controller)
    assert b"writes to [bold]out\r\n" in shown
    assert b"\x1b[2K" in shown[shown.rindex(b"delays: 1 partition") :]


def test_console__many_batches_per_second__first_logged_at_once_and_others_in_a_summary() -> None:
    telling = ObservedReporter()
    telling.tell(ProgressStep.RECOVERED, A, lane(0))
    telling.publish(1, 1)
    assert telling.lines[1:] == ["1 record in 1 batch, 1 row written; 0 records/s, 0 rows/s; lag 0"]
    for _ in range(20):
        telling.publish(1000, 900, bad=1)
        telling.wait(0.25)
    assert telling.lines == []
    telling.wait(5)
    work = "20,000 records in 20 batches, 18,000 rows written, 20 bad records skipped"
    assert telling.lines == [f"{work}; 2,000 records/s, 1,800 rows/s; lag 0"]
    telling.wait(60)
    assert telling.lines == []


def test_console__all_members_idle__caught_up_logged_once() -> None:
    telling = ObservedReporter()
    telling.tell(ProgressStep.RECOVERED, A, lane(0))
    telling.tell(ProgressStep.RECOVERED, B, lane(1))
    telling.publish(5, 5)
    telling.publish(6, 6)
    telling.tell(ProgressStep.IDLE, A)
    assert telling.lines[2:] == ["5 records in 1 batch, 5 rows written; 0 records/s, 0 rows/s; lag 0"]
    telling.tell(ProgressStep.IDLE, B)
    telling.wait(10)
    assert telling.lines == ["6 records in 1 batch, 6 rows written; 1 records/s, 1 rows/s; caught up on 2 partitions"]
    telling.wait(10)
    telling.tell(ProgressStep.IDLE, B)
    assert telling.lines == ["caught up on 2 partitions, waiting for records"]


def test_console__repeated_problem__logged_once_per_minute() -> None:
    telling = ObservedReporter()
    for _ in range(13):
        telling.tell(ProgressStep.WAITING, reason="127.0.0.1:9092: connection refused")
        telling.wait(10)
    telling.tell(ProgressStep.DROPPED, A, lane(0), reason="the coordinator refused it")
    waiting = "host-a-thread-1: waiting for the broker: 127.0.0.1:9092: connection refused"
    dropped = "host-a-thread-1: dropped the batch of flights-0, nothing of it is committed: the coordinator refused it"
    assert telling.lines == [waiting, waiting, waiting, dropped]


def test_console__partitions_revoked_or_lost__different_lines_and_the_next_join_is_logged() -> None:
    telling = ObservedReporter()
    telling.tell(ProgressStep.RECOVERED, A, lane(0))
    telling.tell(ProgressStep.REVOKED, A, lane(0))
    telling.tell(ProgressStep.RECOVERED, A, lane(0), generation=4)
    telling.tell(ProgressStep.REVOKED, A, lane(0), reason="the member's session expired")
    telling.tell(ProgressStep.RECOVERED, A, lane(0), generation=5)
    assert telling.lines[1:] == [
        "host-a-thread-1 lost flights-0 (the group rebalances): 0 partitions now",
        "host-a-thread-1 joined (generation 4): flights-0",
        "host-a-thread-1 lost flights-0 (the member's session expired): 0 partitions now",
        "host-a-thread-1 joined (generation 5): flights-0",
    ]


def test_console__stop_between_two_summaries__last_line_has_the_totals() -> None:
    telling = ObservedReporter()
    telling.narration.log_start("delays", "flights", "localhost:9092", "/out")
    telling.publish(5, 5)
    telling.publish(6, 6)
    telling.narration.log_stopping()
    telling.tell(ProgressStep.DROPPED, A, lane(0), reason="Spark's Java process ended: find the cause")
    telling.narration.log_stop()
    telling.wait(60)
    assert telling.lines == [
        "pipeline delays reads flights at localhost:9092 and writes to /out",
        "5 records in 1 batch, 5 rows written; 0 records/s, 0 rows/s; lag 0",
        "stopping: running batches are finished or dropped first",
        "host-a-thread-1: dropped the batch of flights-0, nothing of it is committed",
        "stopped: 11 records in 2 batches, 11 rows written",
    ]
