"""The guide to pipelines, as it stands in `docs/`."""

import pytest

from tests.docs.pages import run

pytestmark = pytest.mark.spark


@pytest.mark.usefixtures("spark")
def test_guide__its_snippets_from_top_to_bottom__all_true() -> None:
    """They find the session that is active."""
    run("pipelines.md", 7)
