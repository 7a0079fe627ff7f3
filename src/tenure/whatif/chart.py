"""Chart of a forecast: number of partitions without a working member over time, before and after the change."""

from collections import Counter
from pathlib import Path
from typing import Any

from tenure.charts.chart import Chart, colours, spec_of, tip
from tenure.charts.vega import check_vega, picture
from tenure.whatif.outcome import Outcome
from tenure.whatif.restart_cost import Forecast
from tenure.whatif.table import AS_IS


def pause_chart(forecast: Forecast, name: str = "what-if") -> Chart:
    """Return the chart of paused partitions over time."""
    outcomes = [(AS_IS, forecast.before)]
    if forecast.change is not None and forecast.after is not None:
        outcomes.append((forecast.change.description, forecast.after))
    values = [point for series, outcome in outcomes for point in _points(series, outcome)]
    encoding: dict[str, Any] = {
        "x": {"field": "time", "type": "quantitative", "axis": {"title": "seconds from the first restart"}},
        "y": {
            "field": "paused",
            "type": "quantitative",
            "axis": {"title": "partitions without a worker", "tickMinStep": 1},
        },
        "color": {
            "field": "group",
            "type": "nominal",
            "scale": colours([series for series, _ in outcomes]),
            "legend": {"title": None, "orient": "top"},
        },
        "tooltip": [
            tip("group", "group"),
            tip("time", "seconds", "quantitative", format=".1f"),
            tip("paused", "paused partitions", "quantitative"),
        ],
    }
    return Chart(
        name,
        f"What if: {forecast.situation.group_id}",
        f"{forecast.restarts.description[:1].upper()}{forecast.restarts.description[1:]}.",
        spec_of(values, {"type": "area", "interpolate": "step-after", "opacity": 0.55}, encoding, height=240, zoom=True)
        | {"encoding": {**encoding, "y": {**encoding["y"], "stack": None}}},
        ("group", "seconds", "paused partitions"),
        [(point["group"], f"{point['time']:.1f}", point["paused"]) for point in values],
        can_zoom=True,
    )


def write_picture(forecast: Forecast, path: Path) -> None:
    """Write the chart as a PNG file. Raises PipelineConfigError without the extra `audit`."""
    check_vega()
    path.write_bytes(picture(pause_chart(forecast)))


def _points(series: str, outcome: Outcome) -> list[dict[str, Any]]:
    changes: Counter[int] = Counter({0: 0, outcome.span_ms: 0})
    for pause in outcome.pauses:
        changes[pause.from_ms] += 1
        changes[pause.to_ms] -= 1
    paused, points = 0, []
    for at_ms in sorted(changes):
        paused += changes[at_ms]
        points.append({"group": series, "time": at_ms / 1000, "paused": paused})
    return points
