"""Charting library Vega, from the extra `audit`: its scripts for pages, and its renderer for pictures."""

import json
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from tenure.charts.chart import Chart
from tenure.pipeline.errors import PipelineConfigError

LICENCE = "Vega, Vega-Lite and Vega-Embed: Copyright University of Washington Interactive Data Lab, BSD-3-Clause."

PICTURE_WIDTH: Final = 900
PICTURE_CONFIG: Final[dict[str, Any]] = {
    "background": "#ffffff",
    "padding": 16,
    "font": "sans-serif",
    "view": {"stroke": None},
    "title": {"anchor": "start", "fontSize": 16, "subtitleFontSize": 12, "subtitleColor": "#555", "offset": 12},
    "axis": {"gridColor": "#e8e8e8", "domainColor": "#999", "tickColor": "#999", "labelFontSize": 11},
    "legend": {"labelFontSize": 11},
}


def check_vega() -> None:
    """Raise PipelineConfigError if the charting library is missing."""
    if find_spec("vl_convert") is None:
        raise PipelineConfigError("Charts need the package vl-convert-python: pip install 'tenure[audit]'.")


@cache
def scripts() -> str:
    """Return the library as one JavaScript text that loads no other files."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).replace("</script", "<\\/script")


def picture(chart: Chart) -> bytes:
    """Return a chart as PNG for documents and messages: with a title, and without interaction."""
    import vl_convert

    spec = {key: value for key, value in chart.spec.items() if key != "params"}
    title = {"text": chart.title, "subtitle": chart.meaning}
    spec |= {"width": PICTURE_WIDTH, "title": title, "config": PICTURE_CONFIG}
    return bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=2))
