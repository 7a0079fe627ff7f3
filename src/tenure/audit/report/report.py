"""Report of an audit: one self-contained HTML file, and a picture of each chart."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.lag import Samples, lag_over_time, samples_of
from tenure.audit.findings.log_tables import LogTables, of_groups, rows_of
from tenure.audit.findings.summary import Summary, summary_of
from tenure.audit.findings.tables import ADVICE, FLAPPING, PAUSES, REBALANCE_COSTS
from tenure.audit.reading import arrow_table
from tenure.audit.report.group_charts import charts_of
from tenure.audit.report.group_data import GroupData, owner_intervals
from tenure.audit.report.group_report import Advice, GroupReport
from tenure.audit.report.overview_charts import causes_chart, cost_chart
from tenure.audit.report.page import page
from tenure.charts.chart import Chart
from tenure.charts.vega import check_vega, picture
from tenure.limits.audit import GROUPS_CHARTED_MAX

REPORT: Final = "report.html"
PICTURES: Final = "pictures"

Forecaster = Callable[[GroupData], "Advice | None"]

PictureObserver = Callable[[int, int], None]
"""Function that is called with the number of pictures so far and the number of all pictures."""


def no_forecast(data: GroupData) -> Advice | None:
    """Return None, for reports without a what-if analysis."""
    del data
    return None


def ignore_pictures(drawn: int, total: int) -> None:
    """Do nothing. This is the default observer of pictures."""
    del drawn, total


def write_report(
    directory: AuditDirectory,
    *,
    pictures: bool = True,
    pictured_groups: int = GROUPS_CHARTED_MAX,
    forecaster: Forecaster = no_forecast,
    observer: PictureObserver = ignore_pictures,
) -> str:
    """Write the report and the table of advice from the tables and findings; return the path or URL of the report.

    Args:
        directory: Directory of the audit.
        pictures: Whether to write a PNG file of each chart, after the page.
        pictured_groups: Maximum number of groups with PNG files.
        forecaster: Function that recommends a change for a group.
        observer: Function that is called before the first picture and after each.
    """
    check_vega()
    summary = summary_of(directory)
    costs = rows_of(arrow_table(directory, REBALANCE_COSTS))
    overview = [chart for chart in (cost_chart(summary.groups), causes_chart(costs)) if chart is not None]
    groups = group_reports(directory, summary, forecaster)
    advised = [row for each in groups if each.advice is not None for row in each.advice.rows(each.data.group)]
    directory.write_table(ADVICE, advised, "report")
    directory.write(page(summary, overview, groups).encode(), REPORT)
    if pictures:
        pictured = [chart for group in groups[:pictured_groups] for chart in group.charts]
        write_pictures(directory, [*overview, *pictured], observer)
    return directory.path(REPORT)


def write_pictures(directory: AuditDirectory, charts: Sequence[Chart], observer: PictureObserver) -> None:
    """Write one PNG file for each chart, and remove the files of earlier charts."""
    if charts:
        observer(0, len(charts))
    for number, chart in enumerate(charts, 1):
        directory.write(picture(chart), PICTURES, f"{chart.name}.png")
        observer(number, len(charts))
    for name in sorted(set(directory.names(PICTURES)) - {f"{chart.name}.png" for chart in charts}):
        directory.remove(PICTURES, name)


def group_reports(directory: AuditDirectory, summary: Summary, forecaster: Forecaster) -> list[GroupReport]:
    """Return the report parts of the groups with the highest costs, in the order of their cost."""
    ranked = [row for row in summary.groups if row["rebalances"] or row["commits"]][:GROUPS_CHARTED_MAX]
    found = group_data(directory, ranked)
    reports = []
    for number, row in enumerate(ranked, 1):
        data = found[row["group"]]
        reports.append(GroupReport(data, charts_of(data, f"group-{number}"), forecaster(data)))
    return reports


def group_data(directory: AuditDirectory, ranked: list[dict[str, Any]]) -> dict[str, GroupData]:
    """Return the data of these groups. Only one partition's tables are in memory at a time."""
    names = [row["group"] for row in ranked]
    by_group = {
        table.name: _by_group(rows_of(of_groups(arrow_table(directory, table), names)))
        for table in (REBALANCE_COSTS, PAUSES, FLAPPING)
    }
    samples: Samples = samples_of(directory)
    found = {}
    for number in sorted({row["log_partition"] for row in ranked}):
        log = LogTables.read(directory, number, names)
        for row in ranked:
            if row["log_partition"] != number:
                continue
            group = row["group"]
            intervals, left_out = owner_intervals(log, group, row["last_time"])
            found[group] = GroupData(
                group,
                row,
                by_group[REBALANCE_COSTS.name].get(group, []),
                by_group[PAUSES.name].get(group, []),
                intervals,
                left_out,
                lag_over_time(log.commits, group, samples),
                by_group[FLAPPING.name].get(group, []),
            )
    return found


def _by_group(rows: list[dict[str, Any]]) -> Mapping[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["group"], []).append(row)
    return found
