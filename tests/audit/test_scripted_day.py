"""The tables of a scripted day equal the record of the script, wherever batches are cut."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.audit.findings.tables import GROUPS
from tenure.audit.log_end_samples import LogEndSampler
from tenure.audit.report.report import PICTURES, REPORT, write_report
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tests.audit.collecting import write_tables
from tests.audit.comparing import assert_is_record, rows
from tests.audit.conftest import LOG_PARTITIONS, RECORDS, Day
from tests.quick import quick_first


@pytest.mark.parametrize("seed", quick_first([None, 1, 2, 3, 4, 5]))
def test_audit_of_a_scripted_day__batches_cut_at_random__tables_match_what_the_script_did(
    day: Day, tmp_path: Path, seed: int | None
) -> None:
    write_tables(day.address, LOG_PARTITIONS, tmp_path, None if seed is None else Random(seed))
    write_findings(AuditDirectory.at(tmp_path))
    assert_is_record(tmp_path, day.record)


def test_audit_of_a_scripted_day__flapping_member_and_deployment__both_found(day: Day, tmp_path: Path) -> None:
    write_tables(day.address, LOG_PARTITIONS, tmp_path)
    write_findings(AuditDirectory.at(tmp_path))
    summary = summary_of(AuditDirectory.at(tmp_path))
    assert [member["member"] for member in summary.flapping] == ["s2 at 127.0.0.1"]
    assert {group["group"]: group["deployments"] for group in summary.groups if group["deployments"]} == {"orders": 1}
    assert summary.groups[0]["group"] == "orders"
    assert summary.groups[0]["moved_without_need"] == 8
    assert summary.groups[0]["deployment_moves"] == 20, "27 without those of the first joins and of the crash"


@pytest.mark.long
def test_audit_of_a_scripted_day__slow_consumer__lag_of_each_group_as_in_the_script(day: Day, tmp_path: Path) -> None:
    write_tables(day.address, LOG_PARTITIONS, tmp_path)
    directory = AuditDirectory.at(tmp_path)
    LogEndSampler({BOOTSTRAP_SERVERS: day.address}, directory).sample()
    write_findings(directory)
    expected = Counter[str]()
    for (group, _), offset in day.record.offsets.items():
        expected[group] += RECORDS - offset
    assert {row["group"]: row["lag"] for row in rows(tmp_path, GROUPS)} == expected
    assert max(expected, key=lambda group: expected[group]) == "mail"


@pytest.mark.long
def test_report_of_a_scripted_day__written__page_loads_no_other_file_and_each_chart_has_a_picture(
    day: Day, tmp_path: Path
) -> None:
    write_tables(day.address, LOG_PARTITIONS, tmp_path)
    directory = AuditDirectory.at(tmp_path)
    write_findings(directory)
    progress: list[tuple[int, int]] = []
    page = Path(write_report(directory, observer=lambda *counts: progress.append(counts))).read_text("utf-8")
    assert (tmp_path / REPORT).stat().st_size < 20_000_000
    for reference in ('src="http', "src='http", 'href="http', "@import"):
        assert reference not in page
    charts = {f"{name}.png" for name in re.findall(r'id="([\w-]+)-spec"', page)}
    assert charts >= {"cost-by-group.png", "rebalances-by-cause.png", "group-1-owners.png", "group-7-owners.png"}
    assert set(directory.names(PICTURES)) == charts
    assert progress == [(number, len(charts)) for number in range(len(charts) + 1)]
    write_report(directory, pictured_groups=1)
    first = ("cost-by-group", "rebalances-by-cause", "group-1-")
    assert set(directory.names(PICTURES)) == {name for name in charts if name.startswith(first)}
