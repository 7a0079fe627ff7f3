"""Each row of docs/when-pipelines-stop.md is reproduced, and its message compared."""

import re
from pathlib import Path

import pytest

from tenure.pipeline.errors import Code
from tests.pipeline.stops import SCENARIOS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "when-pipelines-stop.md").read_text("utf-8")
ROWS = {
    what.replace(" ", "_"): told
    for what, _, told in re.findall(r"^\| ([a-z ]+) \| (`+) ?(.+?) ?\2 \| .*\|$", PAGE, re.MULTILINE)
}


def test_page_when_pipelines_stop__all_rows__one_test_scenario_for_each_row() -> None:
    assert ROWS.keys() == SCENARIOS.keys()


@pytest.mark.parametrize("what", SCENARIOS)
def test_page_when_pipelines_stop__each_row__same_text_as_the_error_message(what: str) -> None:
    told = SCENARIOS[what]()
    assert re.fullmatch(".*".join(map(re.escape, ROWS[what].split("…"))), told), told


def test_page_when_pipelines_stop__each_error_code__named_on_the_page() -> None:
    assert [code.value for code in Code if f"{code.value}" not in PAGE] == []
