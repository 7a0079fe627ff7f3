"""HTML page of the report: figures, the table of groups, and a section with charts for each group.

Clients choose names, which may be hostile. Text is escaped, chart data are JSON in elements that are not executed, and
the page's content security policy forbids all connections.
"""

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any, Final

from tenure.admin.times import duration_text
from tenure.audit.findings.summary import Coverage, Summary
from tenure.audit.report.group_data import instant
from tenure.audit.report.group_report import GroupReport
from tenure.charts.chart import Chart
from tenure.charts.vega import LICENCE, scripts
from tenure.limits.audit import TABLE_ROWS_MAX
from tenure.limits.whatif import ADVISED_GROUPS_MAX
from tenure.plural import format_count

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content security policy: nothing is loaded. Vega compiles expressions of charts, hence `unsafe-eval`."""

ZOOM_HINT: Final = "Hold Shift and turn the mouse wheel to zoom, drag to move, double-click to reset."


def page(summary: Summary, overview: Sequence[Chart], groups: Sequence[GroupReport]) -> str:
    """Return the HTML page of the report."""
    numbers = {report.data.group: number for number, report in enumerate(groups, 1)}
    sections = "".join(group_section(report, number) for number, report in enumerate(groups, 1))
    return f"""<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Consumer groups: audit</title>
<style>{_resource("page.css")}</style>
</head>
<body>
<main>
{header(summary)}
{figures(summary)}
<h2>The cluster</h2>
{"".join(chart_card(chart) for chart in overview) or '<p class="soft">No group has a rebalance.</p>'}
<h2 id="groups">Groups, by cost</h2>
{group_table(summary, numbers)}
<h2>The groups with the highest costs</h2>
{forecast_hint(groups)}
{sections or '<p class="soft">No group has a rebalance or a commit.</p>'}
<h2>Coverage of the log</h2>
{coverage_card(summary.coverage)}
<footer>{escape(LICENCE)} All times are in UTC.</footer>
</main>
<script>{scripts()}</script>
<script>{_resource("page.js")}</script>
</body>
</html>
"""


def forecast_hint(groups: Sequence[GroupReport]) -> str:
    """Return the sentence that names the command for groups without advice; empty if all groups may have advice."""
    if len(groups) <= ADVISED_GROUPS_MAX:
        return ""
    return (
        f'<p class="soft">The first {ADVISED_GROUPS_MAX} sections say what would have helped. For another group, use'
        " <code>tenure what-if GROUP --audit DIRECTORY --static</code>.</p>"
    )


def header(summary: Summary) -> str:
    """Return the element with the title and the time range of the audit."""
    coverage = summary.coverage
    return f"""<header><div><h1>What rebalances cost</h1>
<p class="soft">Audit of <code>__consumer_offsets</code>,
{instant(coverage.first_ms)} to {instant(coverage.last_ms)} UTC</p></div>
<button id="theme" type="button" aria-label="Switch between light and dark">◐ Theme</button></header>"""


def figures(summary: Summary) -> str:
    """Return the key figures of the whole cluster: groups, rebalances, moves and pauses."""
    groups = summary.groups
    shown = (
        (f"{len(groups):,}", "groups"),
        (f"{sum(group['rebalances'] for group in groups):,}", "rebalances"),
        (f"{sum(group['moved'] for group in groups):,}", "partitions moved"),
        (f"{sum(group['moved_without_need'] for group in groups):,}", "partitions moved without need"),
        (duration_text(sum(group["paused_ms"] for group in groups)), "pauses, summed over partitions"),
        (f"{len(summary.flapping):,}", "flapping members"),
    )
    cells = "".join(f'<div class="figure"><b>{value}</b><span>{name}</span></div>' for value, name in shown)
    return f'<div class="figures">{cells}</div>'


def chart_card(chart: Chart) -> str:
    """Return the HTML element with a chart, and with the chart's data as a table."""
    hint = f" {ZOOM_HINT}" if chart.can_zoom else ""
    alt = escape(f"{chart.title}. {chart.meaning} The data follows as a table.", quote=True)
    return f"""<section class="card"><h3>{escape(chart.title)}</h3>
<p class="soft">{escape(chart.meaning)}{hint}</p>
<div class="chart" id="{chart.name}" role="img" aria-label="{alt}"></div>
<script type="application/json" id="{chart.name}-spec">{_json(chart.spec)}</script>
<details class="data"><summary>Data as a table</summary>{table(chart.columns, chart.rows)}</details></section>
"""


def group_table(summary: Summary, numbers: dict[str, int]) -> str:
    """Return the table of all groups, which readers can sort.

    `numbers` has the section number of each group that has a section with charts.
    """
    columns = (
        ("group", ""),
        ("type", ""),
        ("members", "number"),
        ("rebalances", "number"),
        ("partitions moved", "number"),
        ("moved without need", "number"),
        ("sum of pauses", "number"),
        ("p99 pause", "number"),
        ("deployments", "number"),
        ("lag", "number"),
    )
    head = "".join(
        f'<th class="{kind}" scope="col"><button type="button">{name}</button></th>' for name, kind in columns
    )
    rows = "".join(group_table_row(row, numbers.get(row["group"])) for row in summary.groups)
    return f"""<div class="card scroll"><table class="sortable"><caption class="soft">The cost of a group is the
sum of its pauses: the times in which moved partitions had no commit.</caption>
<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"""


def group_table_row(row: dict[str, Any], number: int | None) -> str:
    """Return the row of one group, with a link to its section.

    `number` is the number of the section, or None if the group has no section.
    """
    name = escape(row["group"])
    link = name if number is None else f'<a href="#group-{number}">{name}</a>'
    shown = [(row[column], _number(row[column])) for column in ("members", "rebalances", "moved", "moved_without_need")]
    shown += [(row[column], _duration(row[column])) for column in ("paused_ms", "p99_pause_ms")]
    shown += [(row[column], _number(row[column])) for column in ("deployments", "lag")]
    cells = "".join(
        f'<td class="number" data-value="{-1 if value is None else value}">{text}</td>' for value, text in shown
    )
    return f"<tr><td>{link}</td><td>{row['group_type']}</td>{cells}</tr>"


def group_section(report: GroupReport, number: int) -> str:
    """Return the section of one group. The section with number 1 is expanded, the others are collapsed."""
    row = report.data.row
    facts = [format_count(row["rebalances"], "rebalance"), f"{format_count(row['moved'], 'partition')} moved"]
    if row["paused_ms"]:
        facts.append(f"{duration_text(row['paused_ms'])} of pauses")
    is_open = " open" if number == 1 else ""
    return f"""<details class="group" id="group-{number}"{is_open}><summary><strong>{escape(report.data.group)}</strong>
<span class="badge">{row["group_type"]}</span><span class="soft">{" · ".join(facts)}</span></summary>
{notes(report)}{"".join(chart_card(chart) for chart in report.charts)}</details>
"""


def notes(report: GroupReport) -> str:
    """Return HTML paragraphs with facts about a group, such as moves without need; empty if there are none."""
    row = report.data.row
    found = []
    if row["deployments"]:
        found.append(
            f"Deployments, or restarts of most members: {row['deployments']:,}. They moved"
            f" {format_count(row['deployment_moves'], 'partition')}."
        )
    if row["moved_without_need"]:
        found.append(
            f"{row['moved_without_need']:,} of {row['moved']:,} moves were not necessary: a sticky assignor avoids"
            " them."
        )
    found += [
        f"Member {member['member']} flaps: it came back {format_count(member['returns'], 'time')} within ten minutes,"
        f" first at {instant(member['first_time'])}."
        for member in report.data.flapping
    ]
    if row["missed_epochs"]:
        found.append(
            f"{format_count(row['missed_epochs'], 'further rebalance')} left no record, because another one followed"
            " immediately."
        )
    if row["backward_commits"]:
        found.append(f"{format_count(row['backward_commits'], 'commit')} went back to a lower offset.")
    if row["expired_offsets"]:
        found.append(f"Committed offsets that expired or were deleted: {row['expired_offsets']:,}.")
    if report.advice is not None:
        found.append(report.advice.sentence)
    return "".join(f'<p class="note">{escape(sentence)}</p>' for sentence in found)


def coverage_card(coverage: Coverage) -> str:
    """Return the element that shows which part of the log was read."""
    rows = [(kind, f"{count:,}") for kind, count in coverage.by_kind.items()]
    sentences = [f"The audit has read {format_count(coverage.records, 'record')}."]
    if coverage.missing_offsets:
        sentences.append(
            f"Offsets without a record: {coverage.missing_offsets:,}. Compaction removed the record, its transaction"
            " was aborted, or the offset belongs to a transaction marker. Records that compaction removed before the"
            " audit are not in this report."
        )
    if coverage.unknown:
        sentences.append(f"Records of a type or version unknown to this version of Tenure: {coverage.unknown:,}.")
    if coverage.damaged:
        sentences.append(f"Records that cannot be decoded: {coverage.damaged:,}.")
    return f'<div class="card"><p>{" ".join(sentences)}</p>{table(("records about", "number"), rows)}</div>'


def table(columns: Iterable[str], rows: Sequence[Sequence[object]]) -> str:
    """Return an HTML table of the first TABLE_ROWS_MAX rows, with a note about the remaining rows."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows[:TABLE_ROWS_MAX]
    )
    more = len(rows) - TABLE_ROWS_MAX
    note = f'<p class="soft">The Parquet tables have {format_count(more, "more row")}.</p>' if more > 0 else ""
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}'


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _duration(ms: int | None) -> str:
    return "–" if ms is None else duration_text(ms)


def _json(value: Any) -> str:
    """Return JSON that is safe within a `<script>` element: it cannot contain the element's end tag."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
