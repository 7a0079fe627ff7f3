"""docs/README.md, from which the site's navigation is made, lists every page of `docs/` once."""

import re

from tests.docs.pages import DOCS

INDEX = (DOCS / "README.md").read_text("utf-8")


def test_docs_index__all_pages_of_docs__each_listed_once() -> None:
    listed = re.findall(r"^- \[[^\]]+\]\(([^)#]+)\)", INDEX, re.MULTILINE)
    pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    assert sorted(listed) == sorted(pages | {"../ARCHITECTURE.md", "decisions/README.md", "../CONTRIBUTING.md"})


def test_docs_index__its_sections__in_the_order_that_readers_need() -> None:
    assert re.findall(r"^## (.+)$", INDEX, re.MULTILINE) == ["Start", "How to", "Reference", "How it works"]
