"""Charts of one group: owners of partitions, rebalances, pauses and lag."""

from collections.abc import Sequence
from typing import Any, Final

from tenure.admin.times import duration_text
from tenure.audit.report.group_data import GroupData, instant
from tenure.audit.report.overview_charts import CAUSES
from tenure.charts.chart import LEGEND, PALETTE, Chart, colours, spec_of, time_tip, time_x, tip

PAUSE_BINS: Final = (
    (500, "< 0.5 s"),
    (1_000, "0.5–1 s"),
    (2_000, "1–2 s"),
    (5_000, "2–5 s"),
    (10_000, "5–10 s"),
    (30_000, "10–30 s"),
    (60_000, "30–60 s"),
    (300_000, "1–5 min"),
    (1_800_000, "5–30 min"),
)
LONGER: Final = "> 30 min"

TIMELINE_HEIGHT: Final = 600
"""Height of the timeline of a group with many partitions, in pixels."""
PARTITION_HEIGHTS: Final = (4, 20)
"""Smallest and largest height of one partition in the timeline, in pixels."""
LABELLED_HEIGHT_MIN: Final = 10
"""Smallest height of a partition with a label, in pixels."""


def charts_of(data: GroupData, prefix: str) -> list[Chart]:
    """Return the charts of a group, without charts that would be empty. `prefix` is the start of their names."""
    charts = (
        owner_chart(data, prefix),
        rebalance_chart(data, prefix),
        pause_chart(data, prefix),
        lag_chart(data, prefix),
    )
    return [chart for chart in charts if chart is not None]


def owner_chart(data: GroupData, prefix: str) -> Chart | None:
    """Return the chart of the owner of each partition over time; None if no partition had an owner."""
    if not data.owner_intervals:
        return None
    intervals = data.owner_intervals
    partitions = sorted({(interval["topic"], interval["number"]) for interval in intervals})
    height = max(PARTITION_HEIGHTS[0], min(PARTITION_HEIGHTS[1], TIMELINE_HEIGHT // len(partitions)))
    shown = ("partition", "owner", "member", "epoch", "from", "to")
    values = [{name: interval[name] for name in shown} for interval in intervals]
    encoding = _owner_encoding(
        [f"{topic}-{number}" for topic, number in partitions],
        sorted({interval["owner"] for interval in intervals}),
        data.span_ms,
        has_labels=height >= LABELLED_HEIGHT_MIN,
    )
    left_out = f" {data.intervals_left_out:,} earlier intervals are not drawn." if data.intervals_left_out else ""
    return Chart(
        f"{prefix}-owners",
        "Partition owners",
        f"Owner of each partition over time; a gap is time without an owner.{left_out}",
        spec_of(values, {"type": "bar", "minBandSize": 2}, encoding, height={"step": height}, zoom=True),
        ("partition", "owner", "from", "until"),
        [(row["partition"], row["owner"], instant(row["from"]), instant(row["to"])) for row in intervals],
        can_zoom=True,
    )


def _owner_encoding(
    partitions: list[str], owners: list[str], span_ms: tuple[int, int], *, has_labels: bool
) -> dict[str, Any]:
    return {
        "x": time_x("from", span=span_ms),
        "x2": {"field": "to"},
        "y": {
            "field": "partition",
            "type": "nominal",
            "sort": partitions,
            "scale": {"paddingInner": 0.15},
            "axis": {"title": None, "labels": has_labels, "ticks": False, "labelLimit": 200},
        },
        "color": {
            "field": "owner",
            "type": "nominal",
            "scale": colours(owners),
            "legend": LEGEND,
        },
        "tooltip": [
            tip("partition", "partition"),
            tip("owner", "owner"),
            tip("member", "member id"),
            tip("epoch", "epoch"),
            time_tip("from", "from"),
            time_tip("to", "until"),
        ],
    }


def rebalance_chart(data: GroupData, prefix: str) -> Chart | None:
    """Return the chart of rebalances with their causes; None without rebalances."""
    if not data.costs:
        return None
    values = [
        {
            "time": row["time"],
            "cause": cause,
            "moved": row["moved"],
            "epoch": row["epoch"],
            "members": row["members"],
            "pauses": duration_text(row["paused_ms"]),
        }
        for row in data.costs
        for cause in row["causes"]
    ]
    present = [cause for cause in CAUSES if any(row["cause"] == cause for row in values)]
    encoding = _rebalance_encoding(present, data.span_ms)
    return Chart(
        f"{prefix}-rebalances",
        "Rebalances",
        "Each point is a rebalance with one of its causes. Its area shows the number of moved partitions.",
        spec_of(values, {"type": "point", "filled": True, "opacity": 0.8}, encoding, height={"step": 32}, zoom=True),
        ("time", "epoch", "causes", "members", "partitions moved", "moved without need", "pauses"),
        [
            (
                instant(row["time"]),
                row["epoch"],
                ", ".join(row["causes"]),
                row["members"],
                row["moved"],
                "" if row["moved_without_need"] is None else row["moved_without_need"],
                duration_text(row["paused_ms"]),
            )
            for row in data.costs
        ],
        can_zoom=True,
    )


def _rebalance_encoding(causes: list[str], span_ms: tuple[int, int]) -> dict[str, Any]:
    return {
        "x": time_x("time", span=span_ms),
        "y": {"field": "cause", "type": "nominal", "sort": causes, "axis": {"title": None, "grid": True}},
        "size": {"field": "moved", "type": "quantitative", "scale": {"range": [40, 500]}, "legend": None},
        "color": {"field": "cause", "type": "nominal", "scale": colours(causes), "legend": None},
        "tooltip": [
            time_tip("time", "time"),
            tip("cause", "cause"),
            tip("epoch", "epoch"),
            tip("members", "members afterwards"),
            tip("moved", "partitions moved"),
            tip("pauses", "pauses"),
        ],
    }


def pause_chart(data: GroupData, prefix: str) -> Chart | None:
    """Return the chart with the distribution of the pauses whose length is known; None if there are none."""
    known = [pause["pause_ms"] for pause in data.pauses if pause["pause_ms"] is not None]
    if not known:
        return None
    names = [name for _, name in PAUSE_BINS] + [LONGER]
    counts = dict.fromkeys(names, 0)
    for pause_ms in known:
        counts[next((name for limit, name in PAUSE_BINS if pause_ms < limit), LONGER)] += 1
    values = [{"pause": name, "partitions": count} for name, count in counts.items()]
    encoding = {
        "x": {
            "field": "pause",
            "type": "ordinal",
            "sort": names,
            "axis": {"title": "pause", "labelAngle": 0, "labelOverlap": True},
        },
        "y": {"field": "partitions", "type": "quantitative", "axis": {"title": "moved partitions", "tickMinStep": 1}},
        "tooltip": [tip("pause", "pause"), tip("partitions", "moved partitions", "quantitative")],
    }
    return Chart(
        f"{prefix}-pauses",
        "Pauses",
        "Time between the last commit of a partition before a move and the first one after it. Median"
        f" {duration_text(data.row['median_pause_ms'])}, 99th percentile {duration_text(data.row['p99_pause_ms'])}.",
        spec_of(values, {"type": "bar", "color": PALETTE[1], "cornerRadiusEnd": 3}, encoding, height=180),
        ("pause", "moved partitions"),
        list(counts.items()),
    )


def lag_chart(data: GroupData, prefix: str) -> Chart | None:
    """Return the chart of the lag over time; None with fewer than two samples of the lag."""
    if len(data.lag) < 2:
        return None
    values = [{"time": time_ms, "lag": lag} for time_ms, lag in data.lag]
    encoding = {
        "x": time_x("time", span=data.span_ms),
        "y": {"field": "lag", "type": "quantitative", "axis": {"title": "records"}},
        "tooltip": [time_tip("time", "time"), tip("lag", "lag", "quantitative", format=",")],
    }
    mark = {"type": "area", "line": {"color": PALETTE[2]}, "color": PALETTE[2], "fillOpacity": 0.25, "point": False}
    return Chart(
        f"{prefix}-lag",
        "Lag",
        "Lag in records, summed over partitions, at the times at which the log ends are known.",
        spec_of(values, mark, encoding, height=180, zoom=True),
        ("time", "lag"),
        rows_of(data.lag),
        can_zoom=True,
    )


def rows_of(lag: Sequence[tuple[int, int]]) -> list[tuple[Any, ...]]:
    """Return the lag as rows of a table."""
    return [(instant(time_ms), f"{records:,}") for time_ms, records in lag]
