"""Charts of a group: Vega-Lite specifications and, separately, their data.

If only the data have changed, the page passes them to the existing chart and does not draw it again.
"""

import re
from typing import Any, Final

from tenure.charts.chart import LEGEND, PALETTE, SCHEMA, ZOOM, Spec, colours, time_tip, time_x, tip
from tenure.web.observation.cluster_watch import ObservedGroup

NOW_STEP_MS: Final = 5_000
"""Multiple in ms to which the end of an unfinished interval is rounded up, so that charts seldom change."""
LABELLED_PARTITIONS_MAX: Final = 60
STEP_PIXELS: Final = (4, 10, 18)
"""Height of a partition in pixels: without labels, with labels of many partitions, with labels of few."""

UUID: Final = re.compile(r"-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
"""End of the member ids that a coordinator chooses. A client id is before it."""


def data(group: ObservedGroup) -> dict[str, Any]:
    """Return specifications and data of the charts by the ids of their elements."""
    return {
        "owners-spec": owners_spec(group),
        "owners-data": owner_intervals(group),
        "lag-spec": lag_spec() if group.history.lag else None,
        "lag-data": [{"time": sample.at_ms, "records": sample.records} for sample in group.history.lag],
    }


def owner_intervals(group: ObservedGroup) -> list[dict[str, Any]]:
    """Return the intervals of ownership. Unfinished ones end at the present time, rounded up to NOW_STEP_MS."""
    now_ms = -(-group.at_ms // NOW_STEP_MS) * NOW_STEP_MS
    return [
        {
            "partition": str(span.partition),
            "owner": owner_label(span.owner),
            "member": span.member_id,
            "from": span.from_ms,
            "to": span.to_ms or now_ms,
        }
        for span in group.history.spans
    ]


def owner_label(owner: str) -> str:
    """Return an instance id or a member id as a label for the legend: of a UUID, only the last characters."""
    return UUID.sub(f" …{owner[-4:]}", owner)


def owners_spec(group: ObservedGroup) -> Spec | None:
    """Return the chart of the owner of each partition over time; None if no partition had an owner."""
    spans = group.history.spans
    if not spans:
        return None
    labels = [str(partition) for partition in sorted({span.partition for span in spans})]
    many = len(labels) > LABELLED_PARTITIONS_MAX
    step = STEP_PIXELS[0 if many else 1 if len(labels) > 2 * len(PALETTE) else 2]
    encoding = {
        "x": time_x("from"),
        "x2": {"field": "to"},
        "y": {
            "field": "partition",
            "type": "nominal",
            "scale": {"domain": labels, "paddingInner": 0.15},
            "axis": {"title": None, "labels": not many, "ticks": False, "labelLimit": 200, "labelOverlap": True},
        },
        "color": {
            "field": "owner",
            "type": "nominal",
            "scale": colours(sorted({owner_label(span.owner) for span in spans})),
            "legend": LEGEND,
        },
        "tooltip": [
            tip("partition", "partition"),
            tip("owner", "owner"),
            tip("member", "member id"),
            time_tip("from", "from"),
            time_tip("to", "until"),
        ],
    }
    return _spec("owners", {"type": "bar", "clip": True, "minBandSize": 2}, encoding, {"step": step})


def lag_spec() -> Spec:
    """Return the chart of the lag over time."""
    encoding = {
        "x": time_x("time"),
        "y": {"field": "records", "type": "quantitative", "title": "records of lag", "axis": {"format": "~s"}},
        "tooltip": [time_tip("time", "time"), tip("records", "records of lag", "quantitative", format=",")],
    }
    return _spec("lag", {"type": "line", "clip": True, "color": PALETTE[0], "point": True}, encoding, 160)


def _spec(name: str, mark: Spec, encoding: Spec, height: Any) -> Spec:
    return {
        "$schema": SCHEMA,
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": height,
        "data": {"name": name, "values": []},
        "mark": mark,
        "encoding": encoding,
        "params": [ZOOM],
    }
