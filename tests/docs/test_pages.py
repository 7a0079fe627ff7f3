"""Snippets of the pages in `docs/` run. docs/testing.md is a test module, and pytest runs it.

The guide to pipelines needs Spark: tests/spark/test_guide.py.
"""

import pytest

from tests.client.conftest import long_holder_lookup
from tests.docs.pages import run, snippets

__all__ = ["long_holder_lookup"]

PAGES = {
    "assignors.md": 10,
    "exit-status.md": 1,
    "fencing.md": 1,
    "formats.md": 5,
    "membership.md": 10,
    "producing.md": 3,
    "reading-into-arrow.md": 7,
    "state.md": 4,
    "streams-groups.md": 7,
    "testing.md": 13,
    "transactions.md": 4,
    "chains.md": 6,
    "windows-and-timers.md": 8,
}
"""Number of snippets of each page."""

pytest_plugins = ["pytester"]


@pytest.mark.usefixtures("long_holder_lookup")
@pytest.mark.parametrize("page", PAGES)
def test_docs_page__its_snippets_in_order__run_without_errors(page: str) -> None:
    run(page, PAGES[page])


@pytest.mark.long
def test_page_testing__tests_shown_on_it__pass(pytester: pytest.Pytester) -> None:
    """The tests get a process of their own: a run in this one drops modules that it imported first."""
    pytester.makepyfile("\n\n".join(snippets("testing.md", PAGES["testing.md"])))
    pytester.runpytest_subprocess("-p", "no:randomly", "-W", "error").assert_outcomes(passed=12)
