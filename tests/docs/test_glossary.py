"""The glossary: one sentence for each term, in alphabetical order."""

import re

import pytest

from tests.docs.pages import DOCS

ENTRY = re.compile(r"^- (\*\*.+?): (.+?)(?=\n(?:- |\n|$))", re.MULTILINE | re.DOTALL)
WORDS_MAX = 30
SECTIONS = re.split(r"^## .+$", (DOCS / "glossary.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
ENTRIES = [ENTRY.findall(section) for section in SECTIONS]


def test_glossary_terms__all_sections__defined_once() -> None:
    terms = [term for entries in ENTRIES for term, _ in entries]
    assert len(terms) > 60
    assert sorted(set(terms)) == sorted(terms)


@pytest.mark.parametrize("entries", ENTRIES, ids=[entries[0][0] for entries in ENTRIES])
def test_glossary_terms__each_section__in_alphabetical_order(entries: list[tuple[str, str]]) -> None:
    terms = [term.strip("*").lower() for term, _ in entries]
    assert terms == sorted(terms)


def test_glossary_definitions__all_terms__one_short_sentence() -> None:
    for term, text in (entry for entries in ENTRIES for entry in entries):
        assert text.endswith("."), term
        assert not re.search(r"[.!?]\s+[A-Z]", text), term
        assert len(text.split()) <= WORDS_MAX, term


def test_glossary_list_items__all_sections__each_has_a_term_and_a_definition() -> None:
    assert sum(map(len, ENTRIES)) == sum(section.count("\n- ") for section in SECTIONS)
