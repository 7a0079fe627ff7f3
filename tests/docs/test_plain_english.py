"""Plain English in Markdown files: a page names its readers first, and some words are not used."""

import re
from pathlib import Path

import pytest

from tests.docs.links import ROOT, markdown_files
from tests.docs.pages import DOCS

READERS = re.compile(
    r"\b[Ff]or (Spark|data)? ?(applications|authors|developers|engineers|everybody|operators|readers|users)\b"
)
WORDS = re.compile(
    r"\b(anew|anybody|henceforth|house|lest|midst|neighbou?rs?|nobody|rooms?|walls?|whoever|whomever)\b", re.IGNORECASE
)
STARTS = re.compile(
    r"(?:^|[.!:] |\n\n|^[-*] )((?:Whatever|What|Whoever|Whomever|Whom|Whose|Who)\b[^.?]*\.)", re.MULTILINE
)
"""Sentence whose subject is a clause; a question ends with a question mark."""

CODE = re.compile(r"^```.*?^```|^ {4}.*?$|`[^`]+`|^#.*?$|<!--.*?-->", re.MULTILINE | re.DOTALL)
QUOTED = {"changelog.d", "rules.md", "command-line.md", "settings.md"}
"""Files that are not checked: history, Kafka's wording in rules, and help texts, which are tested at their source."""

PAGES = sorted(DOCS.glob("*.md"))
FILES = [page for page in markdown_files() if QUOTED.isdisjoint(page.parts)]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "README.md"], ids=lambda page: page.stem)
def test_docs_page__its_first_paragraph__names_its_readers(page: Path) -> None:
    assert READERS.search(page.read_text("utf-8").split("\n\n")[1])


@pytest.mark.parametrize("page", FILES, ids=lambda page: str(page.relative_to(ROOT)))
def test_markdown_file__its_words_and_sentence_starts__none_is_forbidden(page: Path) -> None:
    text = CODE.sub("", page.read_text("utf-8"))
    assert [found[0] for found in WORDS.finditer(text)] == []
    assert [found[1] for found in STARTS.finditer(text)] == []
