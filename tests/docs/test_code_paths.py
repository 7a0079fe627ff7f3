"""Files of the code that Markdown files name, such as `runtime/host.py`, exist."""

import re

from tests.docs.links import ROOT, markdown_files

PLACES = (ROOT, ROOT / "src" / "tenure", ROOT / "tests" / "simulation")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|txt|tsv))(?:::\w+)?`")


def test_file_paths__in_all_markdown_files__exist() -> None:
    pages = [page for page in markdown_files() if page.parent.name != "changelog.d"]
    named = [(page.relative_to(ROOT), path) for page in pages for path in PATH.findall(page.read_text("utf-8"))]
    assert len(named) > 50
    assert [(page, path) for page, path in named if not any((place / path).exists() for place in PLACES)] == []
