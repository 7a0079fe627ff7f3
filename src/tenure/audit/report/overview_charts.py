"""Charts of the whole cluster: groups with the highest cost, and rebalances over time by cause."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from tenure.admin.times import duration_text
from tenure.audit.report.group_data import instant
from tenure.charts.chart import LEGEND, PALETTE, Chart, colours, spec_of, time_tip, time_x, tip
from tenure.limits.audit import GROUPS_COMPARED_MAX, TIME_BINS

CAUSES: Final = (
    "join",
    "leave",
    "session-timeout",
    "leave-or-timeout",
    "static-replacement",
    "subscription-change",
    "topic-change",
    "second-phase",
    "leader-rejoin",
    "server-reassignment",
    "migration",
    "unknown",
)
"""Causes in the order of their colours."""


def cost_chart(groups: Sequence[dict[str, Any]]) -> Chart | None:
    """Return the chart of the groups with the longest pauses; None if there is no pause."""
    ranked = [group for group in groups if group["paused_ms"]][:GROUPS_COMPARED_MAX]
    if not ranked:
        return None
    values = [
        {
            "group": group["group"],
            "paused": group["paused_ms"] / 1000,
            "text": duration_text(group["paused_ms"]),
            "moved": group["moved"],
            "needless": group["moved_without_need"],
            "rebalances": group["rebalances"],
        }
        for group in ranked
    ]
    encoding = {
        "y": {"field": "group", "type": "nominal", "sort": None, "axis": {"title": None, "labelLimit": 260}},
        "x": {"field": "paused", "type": "quantitative", "axis": {"title": "seconds, summed over partitions"}},
        "tooltip": [
            tip("group", "group"),
            tip("text", "pauses"),
            tip("rebalances", "rebalances", "quantitative"),
            tip("moved", "partitions moved", "quantitative"),
            tip("needless", "moved without need", "quantitative"),
        ],
    }
    mark = {"type": "bar", "color": PALETTE[0], "cornerRadiusEnd": 3}
    return Chart(
        "cost-by-group",
        "Pauses by group",
        "Time in which moved partitions had no commit, summed over the partitions of each group.",
        spec_of(values, mark, encoding, height={"step": 24}),
        ("group", "pauses", "rebalances", "partitions moved", "moved without need"),
        [(row["group"], row["text"], row["rebalances"], row["moved"], row["needless"]) for row in values],
    )


def causes_chart(costs: Sequence[dict[str, Any]]) -> Chart | None:
    """Return the chart of the number of rebalances over time, by cause; None without rebalances."""
    if not costs:
        return None
    times = [row["time"] for row in costs]
    first = min(times)
    bin_ms = bin_size(max(times) - first)
    counts = Counter((row["time"] // bin_ms, cause) for row in costs for cause in row["causes"])
    values = [
        {"from": at * bin_ms, "to": (at + 1) * bin_ms, "cause": cause, "count": count}
        for (at, cause), count in sorted(counts.items())
    ]
    present = [cause for cause in CAUSES if any(row["cause"] == cause for row in values)]
    encoding = {
        "x": time_x("from"),
        "x2": {"field": "to"},
        "y": {
            "field": "count",
            "type": "quantitative",
            "stack": "zero",
            "axis": {"title": "rebalances", "tickMinStep": 1},
        },
        "color": {"field": "cause", "type": "nominal", "scale": colours(present), "legend": LEGEND},
        "tooltip": [time_tip("from", "from"), tip("cause", "cause"), tip("count", "number", "quantitative")],
    }
    total = Counter(cause for row in costs for cause in row["causes"])
    return Chart(
        "rebalances-by-cause",
        "Rebalances over time",
        "Number of rebalances of all groups by cause. A rebalance with several causes counts for each of them.",
        spec_of(values, {"type": "bar", "orient": "vertical"}, encoding, zoom=True),
        ("cause", "rebalances", "first", "last"),
        [
            (
                cause,
                total[cause],
                *(instant(pick(row["time"] for row in costs if cause in row["causes"])) for pick in (min, max)),
            )
            for cause in present
        ],
        can_zoom=True,
    )


def bin_size(span_ms: int) -> int:
    """Return a round length of time bins, which gives at most TIME_BINS bins."""
    rounds = (1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800)
    return next((1000 * size for size in rounds if span_ms <= 1000 * size * TIME_BINS), 604_800_000)
