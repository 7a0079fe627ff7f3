"""PNG files of charts, for documents and messages."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tenure.charts.chart import Chart, Spec
from tenure.charts.vega import picture

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


def write_pictures(directory: Path, charts: Sequence[Chart]) -> None:
    """Write one PNG file for each chart, and remove all other PNG files."""
    directory.mkdir(parents=True, exist_ok=True)
    names = set()
    for chart in charts:
        names.add(f"{chart.name}.png")
        unfinished = directory / f"_{chart.name}.png"
        unfinished.write_bytes(picture(printed(chart)))
        unfinished.replace(directory / f"{chart.name}.png")
    for file in directory.glob("*.png"):
        if file.name not in names:
            file.unlink()


def printed(chart: Chart) -> Spec:
    """Return the specification of a chart for paper: with a title, and without interaction."""
    spec = {key: value for key, value in chart.spec.items() if key != "params"}
    title = {"text": chart.title, "subtitle": chart.meaning}
    return {**spec, "width": WIDTH, "title": title, "config": CONFIG}
