"""Charting library Vega, from the extra `audit`: its scripts for pages, and its renderer for pictures."""

import json
from functools import cache
from importlib.util import find_spec

from tenure.charts.chart import Spec
from tenure.pipeline.errors import PipelineConfigError

LICENCE = "Vega, Vega-Lite and Vega-Embed: Copyright University of Washington Interactive Data Lab, BSD-3-Clause."


def check_vega() -> None:
    """Raise PipelineConfigError if the charting library is missing."""
    if find_spec("vl_convert") is None:
        raise PipelineConfigError("The report needs the package vl-convert-python: pip install 'tenure[audit]'.")


@cache
def scripts() -> str:
    """Return the library as one JavaScript text that loads no other files."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).replace("</script", "<\\/script")


def picture(spec: Spec) -> bytes:
    """Return a chart as PNG."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=2))
