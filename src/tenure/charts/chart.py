"""Charts as Vega-Lite specifications. Each chart also has a table of its data, for readers who cannot see the chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Spec = dict[str, Any]

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"

PALETTE: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#7F7F7F")
"""Colours of Okabe and Ito, which colour-blind people can tell apart. Yellow and grey are darker, for white paper."""

ZOOM: Final = {
    "name": "zoom",
    "select": {
        "type": "interval",
        "encodings": ["x"],
        "zoom": "wheel![event.shiftKey]",
        "translate": "[pointerdown, window:pointerup] > window:pointermove!",
        "clear": "dblclick",
    },
    "bind": "scales",
}
"""Zoom with Shift and the wheel (the wheel alone scrolls the page); drag to pan, double-click to reset."""

LEGEND: Final = {
    "title": None,
    "orient": "bottom",
    "columns": {"expr": "max(1, floor(width / 180))"},
    "symbolLimit": 40,
}
"""Legend below the chart, with as many columns as fit: a label has at most 160 pixels."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Specification of one chart, with its title and its data as a table."""

    name: str
    """Name of the chart's PNG file, and id of the chart's element in the page."""
    title: str
    meaning: str
    """Sentence that explains the chart."""
    spec: Spec
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    """Data of the chart as rows of a table, with the columns `columns`."""
    can_zoom: bool = False


TIME_LABEL: Final = (
    "utcFormat(datum.value, utchours(datum.value) + utcminutes(datum.value) + utcseconds(datum.value) === 0"
    " ? '%b %d' : utcseconds(datum.value) ? '%H:%M:%S' : '%H:%M')"
)
"""Label of a time in UTC: the date at midnight, otherwise the time in the 24-hour format."""


def time_x(field: str, *, span: tuple[int, int] | None = None) -> Spec:
    """Return the x-axis encoding of a time in UTC.

    The axis covers `span`, a pair of Unix times in ms; None covers all data.
    """
    axis = {"title": None, "labelOverlap": True, "grid": True, "tickCount": 8, "labelExpr": TIME_LABEL}
    scale = {"type": "utc"} if span is None else {"type": "utc", "domain": list(span)}
    return {"field": field, "type": "temporal", "scale": scale, "axis": axis}


def tip(field: str, title: str, kind: str = "nominal", **more: Any) -> Spec:
    """Return the specification of one tooltip line. `kind` is Vega-Lite's type of the field."""
    return {"field": field, "title": title, "type": kind, **more}


def time_tip(field: str, title: str) -> Spec:
    """Return the specification of a tooltip line with a time in UTC."""
    return tip(field, title, "temporal", timeUnit="utcyearmonthdatehoursminutesseconds", format="%Y-%m-%d %H:%M:%S")


def spec_of(
    values: Sequence[Mapping[str, Any]], mark: Any, encoding: Spec, *, height: Any = 260, zoom: bool = False
) -> Spec:
    """Return the specification of a chart that is as wide as its container. With `zoom`, users can zoom and pan."""
    mark = {"clip": True, **mark} if zoom else mark
    spec: Spec = {
        "$schema": SCHEMA,
        "width": "container",
        "height": height,
        "data": {"values": list(values)},
        "mark": mark,
        "encoding": encoding,
    }
    return {**spec, "params": [ZOOM]} if zoom else spec


def colours(domain: Sequence[str]) -> Spec:
    """Return a colour scale that gives each name a fixed colour in all charts of a group."""
    return {"domain": list(domain), "range": [PALETTE[index % len(PALETTE)] for index in range(len(domain))]}
