"""The allowed differences in the code are exactly those in docs/differences.md."""

from __future__ import annotations

import re

from tests.apache_kafka import ROOT
from tests.oracle.differences import ENTRIES
from tests.oracle.differences_of_4_3 import CHANGE_BY_TEST
from tests.oracle.test_scenarios import CASES

DOCUMENT = (ROOT / "docs" / "differences.md").read_text("utf-8")


def entries() -> dict[str, str]:
    """Return the text of each entry, by title."""
    parts = re.split(r"^## (.+)$", DOCUMENT, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_allowances__in_the_code__documented_in_differences_md() -> None:
    named = {
        allowance: title
        for title, text in entries().items()
        for line in re.findall(r"^- Allowance: (.+)$", text, re.MULTILINE)
        for allowance in re.findall(r"`(\w+)`", line)
    }
    assert named == ENTRIES


def test_differences_page_of_the_docs__each_entry__has_reason_rule_and_test() -> None:
    for title, text in entries().items():
        reason, _, facts = text.strip().partition("\n\n- ")
        assert len(reason) > 80, title
        assert re.search(r"^(- )?Rule: ", facts, re.MULTILINE), title
        test = re.search(r"^- Test: `([\w/.]+)(?:::(\w+))?`$", facts, re.MULTILINE)
        assert test, title
        source = (ROOT / test[1]).read_text("utf-8")
        assert f"def {test[2] or 'test_'}" in source, f"{title}: {test[0]}"


def test_differences_of_4_3__each_entry__names_a_scenario_or_a_test() -> None:
    scenarios = {name.rpartition("-")[0] for name in CASES}
    sources = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/oracle/test_*.py"))
    others = CHANGE_BY_TEST.keys() - scenarios
    assert all(f"def {name.partition('[')[0]}(" in sources for name in others), others
