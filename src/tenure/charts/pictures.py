"""Charts as they are printed, for documents and messages."""

from typing import Any, Final

from tenure.charts.chart import Chart, Spec

WIDTH: Final = 900
CONFIG: Final[dict[str, Any]] = {
    "background": "#ffffff",
    "padding": 16,
    "font": "sans-serif",
    "view": {"stroke": None},
    "title": {"anchor": "start", "fontSize": 16, "subtitleFontSize": 12, "subtitleColor": "#555", "offset": 12},
    "axis": {"gridColor": "#e8e8e8", "domainColor": "#999", "tickColor": "#999", "labelFontSize": 11},
    "legend": {"labelFontSize": 11},
}


def printed(chart: Chart) -> Spec:
    """Return the specification of a chart for paper: with a title, and without interaction."""
    spec = {key: value for key, value in chart.spec.items() if key != "params"}
    title = {"text": chart.title, "subtitle": chart.meaning}
    return {**spec, "width": WIDTH, "title": title, "config": CONFIG}
