"""What the pages of `docs/` show is true: their snippets run, from top to bottom.

A page is a program; docs/testing.md is a test module, and pytest runs it.
"""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from tenure.testing import Broker

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"assignors.md": 8, "membership.md": 7, "producing.md": 3, "reading-into-arrow.md": 7, "testing.md": 11}
"""How many snippets each has: a fence that is misspelt would take one out of sight."""

pytest_plugins = ["pytester"]


def snippets(page: str) -> list[str]:
    found = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert len(found) == PAGES[page]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_page__its_snippets_from_top_to_bottom__all_true(page: str) -> None:
    names: dict[str, object] = {}
    with ExitStack() as stack:
        stack.callback(lambda: [one.stop() for one in names.values() if isinstance(one, Broker)])
        for snippet in snippets(page):
            exec(compile(snippet, str(DOCS / page), "exec"), names)


def test_page_on_testing__its_ten_tests__pass(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("\n\n".join(snippets("testing.md")))
    pytester.runpytest("-p", "no:randomly", "-W", "error").assert_outcomes(passed=10)
