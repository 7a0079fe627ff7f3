"""Findings about offset commits: offsets that went back or were removed, and lag by window."""

from __future__ import annotations

from pathlib import Path

import numpy
import pyarrow as pa
import pytest

from tenure.admin import Admin
from tenure.admin.group_offsets import TopicScope
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.lag import lag_by_window, lag_over_time
from tenure.audit.findings.log_tables import CommitLog
from tenure.audit.findings.tables import BACKWARD, GROUPS
from tenure.audit.tables import COMMITS, EXPIRED
from tenure.testing import Broker
from tests.audit.collecting import write_tables
from tests.audit.comparing import rows

MINUTE_MS = 60_000
"""Length of a window."""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables and findings of a group whose offset goes back, in the same minute and later, and is deleted."""
    place = tmp_path_factory.mktemp("audited")
    with Broker({"offsets.topic.num.partitions": "1"}) as broker:
        broker.create_topic("t", partitions=2)
        broker.stop_time()
        for offset in (10, 12, 4):
            broker.commit("reset", {("t", 0): offset})
        broker.advance(2 * MINUTE_MS / 1000)
        broker.commit("reset", {("t", 0): 1, ("t", 1): 7})
        with Admin(broker.address) as admin:
            admin.delete_offsets("reset", [TopicScope("t", (1,))])
        write_tables(broker.address, 1, place)
    write_findings(AuditDirectory.at(place))
    return place


def test_backward_commits__lower_offset_in_the_same_window_or_the_next__offsets_known_only_for_the_next(
    audited: Path,
) -> None:
    found = [
        (row["partition"], row["commits"], row["from_offset"], row["to_offset"]) for row in rows(audited, BACKWARD)
    ]
    assert found == [(0, 1, None, None), (0, 1, 4, 1)]


def test_expired_offsets__offset_of_one_partition_is_deleted__one_row_and_counted_for_the_group(audited: Path) -> None:
    assert [(row["group"], row["topic"], row["partition"]) for row in rows(audited, EXPIRED)] == [("reset", "t", 1)]
    (group,) = rows(audited, GROUPS)
    assert (group["commits"], group["backward_commits"], group["expired_offsets"]) == (5, 2, 1)


def window(group: str, minute: int, log_offset: int, last_offset: int, *, assigned_at: int = -1) -> dict[str, object]:
    """Return a row of the table of commits with one commit of partition 0."""
    time_ms = minute * MINUTE_MS
    return {
        "log_partition": 3, "group": group, "epoch": 1, "assigned_at": assigned_at, "topic": "t", "partition": 0,
        "window": time_ms, "commits": 1, "backward": 0, "first_log_offset": log_offset, "last_log_offset": log_offset,
        "first_offset": last_offset, "last_offset": last_offset, "first_time": time_ms, "last_time": time_ms,
    }  # fmt: skip


def test_lag_by_window__log_end_sampled_in_some_minutes__last_sample_of_the_minute_minus_last_commit() -> None:
    commits = [
        window("g", 0, 1, 10),
        window("g", 1, 2, 20),
        window("g", 2, 3, 30),
        window("g", 2, 4, 35, assigned_at=4),
        window("h", 2, 5, 90),
    ]
    samples = {
        ("t", 0): (
            numpy.array([30_000, 50_000, 2 * MINUTE_MS, 3 * MINUTE_MS]),
            numpy.array([15, 18, 50, 99]),
        )
    }
    found = lag_by_window(CommitLog.of(pa.Table.from_pylist(commits, COMMITS.schema)), samples).to_pylist()
    assert [
        (row["group"], row["window"].minute, row["committed_offset"], row["end_offset"], row["lag"]) for row in found
    ] == [("g", 0, 10, 18, 8), ("g", 2, 35, 50, 15), ("h", 2, 90, 50, 0)]


def steady_commits() -> CommitLog:
    """Return windows of two minutes with a commit each second, each by ten offsets higher than the one before."""
    rows = []
    for minute in (0, 1):
        row = window("g", minute, minute, 600 * minute)
        row |= {"commits": 60, "last_offset": 600 * minute + 590, "last_time": minute * MINUTE_MS + 59_000}
        rows.append(row)
    return CommitLog.of(pa.Table.from_pylist(rows, COMMITS.schema))


def test_lag_over_time__log_end_sampled_between_commits_of_one_window__offset_at_that_time_subtracted() -> None:
    times = numpy.array([0, 20_000, 59_500, 90_000, 200_000])
    samples = {("t", 0): (times, numpy.array([5, 205, 600, 1_000, 1_300]))}
    assert lag_over_time(steady_commits(), "g", samples) == [
        (0, 5), (20_000, 5), (59_500, 10), (90_000, 100), (200_000, 110)
    ]  # fmt: skip


def test_lag_over_time__sample_before_the_first_commit__left_out() -> None:
    samples = {("t", 0): (numpy.array([-1_000, 0]), numpy.array([0, 0]))}
    assert lag_over_time(steady_commits(), "g", samples) == [(0, 0)]


def test_lag_by_window__log_end_sampled_before_the_last_commit_of_a_minute__committed_offset_at_that_time() -> None:
    samples = {("t", 0): (numpy.array([90_000]), numpy.array([1_000]))}
    (row,) = lag_by_window(steady_commits(), samples).to_pylist()
    assert (row["committed_offset"], row["end_offset"], row["lag"]) == (900, 1_000, 100)


def test_lag_by_window__no_sample__no_rows() -> None:
    commits = pa.Table.from_pylist([window("g", 0, 1, 10)], COMMITS.schema)
    assert lag_by_window(CommitLog.of(commits), {}).num_rows == 0
