"""Summaries of batches, the status of an application, and lines for programs. No Spark, no clock."""

import io
import json
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tenure.limits.spark import FAILURE_REASON_CHARACTERS_MAX, FAILURES_KEPT
from tenure.monitoring.exposition import Kind, exposition
from tenure.pipeline.values.lanes import Lane, Range
from tenure.pipeline.values.progress import LaneProgress, Observer, Progress, ProgressStep
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.reporting.application_status import ApplicationStatus
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.finished_batches import BatchCollector, FinishedBatch
from tenure.spark.reporting.metrics import CATALOGUE, status_samples
from tenure.spark.reporting.progress_lines import batch_lines

A, B = "host-a-thread-1", "host-a-thread-2"


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def lane(number: int, **more: Any) -> LaneProgress:
    return LaneProgress(Lane((TopicName("t"),), PartitionId(number)), **more)


def worked(number: int, records: int, **more: Any) -> LaneProgress:
    ranges = (Range(TopicName("t"), PartitionId(number), 0, records),)
    return lane(number, ranges=ranges, manifest_id=f"m-{number}", records=records, rows=records, **more)


def tell(
    observer: Observer, step: ProgressStep, *lanes: LaneProgress, member: str = A, bundle: str = "b", **more: Any
) -> None:
    observer(Progress(step, member, 3, f"{member}-id", bundle, lanes, **more))


def work(observer: Observer, clock: Clock, bundle: str = "b") -> None:
    """Report one batch of two lanes from plan to publication, which takes half a second."""
    tell(observer, ProgressStep.PLANNED, lane(0, lag=5), lane(1, lag=7), bundle=bundle, seconds=0.1)
    staged = (
        worked(0, 10, state_rows=3, state_bytes=300, bad_records=1, seconds={"fetch": 0.1, "process": 0.05}),
        worked(1, 20, state_rows=4, state_bytes=400, seconds={"fetch": 0.1}),
    )
    tell(observer, ProgressStep.STAGED, *staged, bundle=bundle, seconds=0.3)
    tell(observer, ProgressStep.COMMITTED, *staged, bundle=bundle, seconds=0.05)
    clock.now_s += 0.4
    tell(observer, ProgressStep.PUBLISHED, worked(0, 10), worked(1, 20), bundle=bundle, seconds=0.02)


def test_finished_batch__published__has_rows_lag_state_and_seconds_by_phase() -> None:
    clock, found = Clock(), list[FinishedBatch]()
    work(BatchCollector(found.append, clock_s=clock), clock)
    (batch,) = found
    assert (batch.lanes, batch.records, batch.rows, batch.bad_records) == (("t-0", "t-1"), 30, 30, 1)
    assert (batch.lag, batch.state_rows, batch.state_bytes) == (12, 7, 700)
    assert batch.seconds == {
        "plan": 0.1, "stage": 0.3, "fetch": 0.2, "process": 0.05, "commit": 0.05, "publish": 0.02
    }  # fmt: skip
    assert round(batch.total_s, 6) == 0.5


def test_finished_batch__batch_dropped__not_reported() -> None:
    clock, found = Clock(), list[FinishedBatch]()
    batches = BatchCollector(found.append, clock_s=clock)
    tell(batches, ProgressStep.PLANNED, lane(0, lag=5))
    tell(batches, ProgressStep.DROPPED, lane(0))
    tell(batches, ProgressStep.PUBLISHED, worked(0, 10))
    assert found == []


def test_finished_batch__one_of_two_lanes_dropped__only_the_committed_lane_reported() -> None:
    clock, found = Clock(), list[FinishedBatch]()
    batches = BatchCollector(found.append, clock_s=clock)
    tell(batches, ProgressStep.PLANNED, lane(0, lag=5), lane(1, lag=7))
    tell(batches, ProgressStep.STAGED, worked(0, 10), worked(1, 20), seconds=0.3)
    tell(batches, ProgressStep.COMMITTED, worked(0, 10))
    tell(batches, ProgressStep.DROPPED, lane(1), reason="refused")
    tell(batches, ProgressStep.PUBLISHED, worked(0, 10))
    (batch,) = found
    assert (batch.lanes, batch.records, batch.rows) == (("t-0",), 10, 10)


def test_finished_batch__member_rejoined_between_commit_and_publication__still_reported() -> None:
    found = list[FinishedBatch]()
    batches = BatchCollector(found.append)
    tell(batches, ProgressStep.PLANNED, lane(0), member="one")
    tell(batches, ProgressStep.COMMITTED, worked(0, 10), member="one")
    tell(batches, ProgressStep.PUBLISHED, worked(0, 10), member="two")
    assert [(batch.member, batch.records) for batch in found] == [("one", 10)]


def test_application_status__two_members__lanes_of_each_and_totals_of_both() -> None:
    clock = Clock()
    standing = ApplicationStatus(2, clock_s=clock, wall_ms=lambda: 1_000)
    tell(standing, ProgressStep.RECOVERED, lane(0), lane(1), bundle="")
    tell(standing, ProgressStep.IDLE, member=B, bundle="")
    assert standing.joined == 2
    work(standing, clock)
    tell(standing, ProgressStep.DROPPED, lane(0), bundle="c", reason="a worker was lost")
    told = standing.as_json()
    first, second = told["members"]
    assert (first["doing"], first["trouble"], second["doing"]) == (
        "working",
        "a worker was lost",
        "waiting for partitions",
    )
    assert first["lanes"]["t-1"] == {"lag": 7, "state_rows": 4, "state_bytes": 400, "offset": 20}
    totals = told["totals"]
    assert (totals["batches"], totals["dropped"], totals["records"], totals["last_batch_ms"]) == (1, 1, 30, 1_000)
    tell(standing, ProgressStep.REVOKED, lane(0), bundle="")
    assert list(standing.as_json()["members"][0]["lanes"]) == ["t-1"]
    assert not standing.all_members_are("caught up")
    totals = standing.as_json()["totals"]
    assert (totals["lanes_gained"], totals["lanes_lost"]) == (2, 1)


def test_application_status__copies_of_standby_lanes_change__only_the_latest_complete_copies() -> None:
    standing = ApplicationStatus(1)
    tell(standing, ProgressStep.IDLE, bundle="")
    tell(standing, ProgressStep.COPIED, worked(0, 10), worked(1, 20), bundle="")
    assert standing.as_json()["members"][0]["standby_lanes"] == {"t-0": 10, "t-1": 20}
    tell(standing, ProgressStep.COPIED, worked(1, 30), bundle="")
    (member,) = standing.as_json()["members"]
    assert (member["standby_lanes"], member["lanes"], member["doing"]) == ({"t-1": 30}, {}, "waiting for partitions")


def test_application_status__dynamic_member_gets_a_new_id__only_the_latest_id_shown() -> None:
    standing = ApplicationStatus(1)
    tell(standing, ProgressStep.RECOVERED, lane(0), member="one", bundle="")
    tell(standing, ProgressStep.RECOVERED, lane(0), member="two", bundle="")
    assert list(standing.members) == ["two"]


def test_application_status__many_failures__only_the_last_ones_shown_and_none_twice() -> None:
    standing = ApplicationStatus(1, wall_ms=lambda: 5_000)
    for number in (*range(FAILURES_KEPT), 0, FAILURES_KEPT):
        tell(standing, ProgressStep.DROPPED, lane(number), reason="x" * 1_000)
    assert [lanes for lanes, _ in standing.failures] == [*(f"t-{n}" for n in range(2, FAILURES_KEPT)), "t-0", "t-5"]
    assert {len(reason) for _, reason in standing.failures} == {FAILURE_REASON_CHARACTERS_MAX}


def test_metrics_page__every_metric_of_the_catalogue__parsed_with_its_type() -> None:
    clock = Clock()
    standing = ApplicationStatus(1, clock_s=clock, wall_ms=lambda: 5_000)
    work(standing, clock)
    tell(standing, ProgressStep.COPIED, worked(2, 5), bundle="")
    tell(standing, ProgressStep.DROPPED, lane(0), bundle="c", reason="a worker was lost")
    samples = status_samples("flights", "host-a", "running", standing)
    found = {family.name: family for family in text_string_to_metric_families(exposition(CATALOGUE, samples))}
    for metric in CATALOGUE:
        family = found[metric.name.removesuffix("_total") if metric.kind is Kind.COUNTER else metric.name]
        assert family.type == metric.kind.value
        assert family.samples, metric.name
        assert all(set(sample.labels) == set(metric.labels) for sample in family.samples)
    phases = {sample.labels["phase"]: sample.value for sample in found["tenure_pipeline_phase_seconds"].samples[::2]}
    assert phases["fetch"] == 0.2


def test_batch_lines__batch_and_then_idle__one_line_each() -> None:
    out, clock = io.StringIO(), Clock()
    observer = batch_lines(out)
    work(observer, clock)
    tell(observer, ProgressStep.IDLE, bundle="")
    batch, idle = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (batch["step"], batch["records"], batch["lag"], batch["state_rows"]) == ("batch", 30, 12, 7)
    assert batch["seconds"]["fetch"] == 0.2
    assert (idle["step"], idle["member"]) == ("idle", A)


def test_console_reporter__option_each_batch__one_line_per_batch_and_no_summary() -> None:
    out, clock = io.StringIO(), Clock()
    work(ConsoleReporter(out, each_batch=True, clock_s=clock), clock)
    (line,) = out.getvalue().splitlines()
    assert line.partition(" tenure: ")[2] == (
        f"{A}: t-0, t-1: 30 records, 30 rows, lag 12, state 7 keys, 0.500 s"
        " (plan 0.100, stage 0.300, fetch 0.200, process 0.050, commit 0.050, publish 0.020)"
    )
