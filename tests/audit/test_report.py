"""The report shows names of clients as text, also if they contain HTML elements."""

from __future__ import annotations

import json
import re

import pytest

from tenure.audit.findings.summary import Coverage, Summary
from tenure.audit.report.group_charts import charts_of
from tenure.audit.report.group_data import GroupData
from tenure.audit.report.group_report import Advice, AdvisedChange, GroupReport, ReplayCost
from tenure.audit.report.page import page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
ROW = {
    "group": HOSTILE,
    "group_type": "classic",
    "members": 1,
    "first_time": 1_000,
    "last_time": 9_000,
    "median_pause_ms": 5,
    "p99_pause_ms": 5,
    **dict.fromkeys(("rebalances", "moved", "moved_without_need", "paused_ms", "deployments", "deployment_moves"), 1),
    **dict.fromkeys(("missed_epochs", "backward_commits", "expired_offsets", "lag"), 1),
}


def hostile_page() -> str:
    interval = {"topic": HOSTILE, "number": 0, "partition": HOSTILE, "owner": HOSTILE, "member": HOSTILE, "epoch": 1}
    flapping = {"member": HOSTILE, "returns": 3, "first_time": 1_000}
    data = GroupData(
        HOSTILE, ROW, [], [{"pause_ms": 5}], [{**interval, "from": 1, "to": 2}], 0, [(1, 2), (3, 4)], [flapping]
    )
    cost = ReplayCost(1, 1, 1)
    report = GroupReport(data, charts_of(data, "group-1"), Advice([AdvisedChange(HOSTILE, HOSTILE, cost, cost)], 1))
    summary = Summary([ROW], {}, [], [], Coverage(1, {HOSTILE: 1}, 1, 1, 1, 1_000, 9_000))
    return page(summary, [], [report])


@pytest.mark.long
def test_report_page__names_with_html_elements__shown_as_text() -> None:
    text = hostile_page()
    assert "<script>alert" not in text
    assert "<img" not in text.partition("<script>")[0] + text.rpartition("</script>")[2]


def test_report_page__names_with_html_elements__data_of_charts_still_valid_json() -> None:
    specs = re.findall(r'<script type="application/json" id="([\w-]+)">(.*?)</script>', hostile_page(), re.DOTALL)
    assert [name for name, _ in specs] == ["group-1-owners-spec", "group-1-pauses-spec", "group-1-lag-spec"]
    assert json.loads(specs[0][1])["data"]["values"][0]["owner"] == HOSTILE
