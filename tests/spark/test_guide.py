"""The guides in `docs/` that need Spark."""

import pytest

from tests.docs.pages import run
from tests.spark.patience import Patiently, repeats_slow_starts

pytestmark = pytest.mark.spark


@repeats_slow_starts
@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(("page", "snippets"), [("pipelines.md", 8), ("spark-source.md", 6)])
def test_guide__all_snippets_in_order__run_without_errors(patiently: Patiently, page: str, snippets: int) -> None:
    """The snippets use the active session."""
    patiently(lambda: run(page, snippets))
