"""Every section of docs/rules.md that Tenure implements is cited by code and by tests, such as `rule 2.10`.

A section or chapter without an implementation begins with "**Not implemented.**" and the reason.
"""

import re
from collections.abc import Iterator

import pytest

from tests.docs.links import ROOT

RULES = ROOT / "docs" / "rules.md"
SECTION = re.compile(r"^(?:## ([1-8])\.|### ([1-8]\.\d+[a-z]?)) .*(?=\n+(.*))", re.MULTILINE)
"""Chapter or section and its first line; chapters 0, 9 and later are about the page, scenarios and sources."""
NOT_IMPLEMENTED = "**Not implemented.**"

NUMBER = r"(\d+\.\d+[a-z]?)(?:\.\d+)*"
LINK = r"\s*(-|–|,|\band\b|\bto\b)\s*"
CITATION = re.compile(rf"\b[Rr]ules?\s+{NUMBER}(?:{LINK}{NUMBER})*")
NEXT = re.compile(rf"(?:{LINK})?{NUMBER}")
RANGES = ("-", "–", "to")


def implemented() -> dict[str, bool]:
    """Return whether a section is implemented, by number, in the order of the page."""
    found: dict[str, bool] = {}
    chapter_is_missing = False
    for chapter, section, first_line in SECTION.findall(RULES.read_text("utf-8")):
        is_missing = first_line.startswith(NOT_IMPLEMENTED)
        if chapter:
            chapter_is_missing = is_missing
        else:
            found[section] = not (is_missing or chapter_is_missing)
    return found


SECTIONS = implemented()


def cited(text: str) -> Iterator[str]:
    """Yield the sections that a text cites; "rules 2.4-2.6" cites three."""
    order = list(SECTIONS)
    for citation in CITATION.finditer(text):
        last = ""
        for link, section in NEXT.findall(citation[0]):
            if link in RANGES and last in SECTIONS and section in SECTIONS:
                yield from order[order.index(last) + 1 : order.index(section)]
            yield section
            last = section


def cited_under(directory: str) -> set[str]:
    files = [path for suffix in ("py", "txt") for path in (ROOT / directory).rglob(f"*.{suffix}")]
    assert len(files) > 100
    return {section for path in files for section in cited(path.read_text("utf-8"))}


@pytest.mark.parametrize("directory", ["src", "tests"])
def test_rule_sections__implemented_ones__all_cited_in_the_code(directory: str) -> None:
    found = cited_under(directory)
    assert [section for section, is_implemented in SECTIONS.items() if is_implemented and section not in found] == []
    assert sum(SECTIONS.values()) > 50


@pytest.mark.parametrize("directory", ["src", "tests"])
def test_rule_citations__in_code_and_tests__name_sections_that_exist(directory: str) -> None:
    assert sorted(cited_under(directory) - SECTIONS.keys()) == []


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("(rule 2.10)", ["2.10"]),
        ("rule 6.4.7, and more", ["6.4"]),
        ("rules 2.6, 2.10 and 3.12b", ["2.6", "2.10", "3.12b"]),
        ("rules 7.1-7.3", ["7.1", "7.2", "7.3"]),
        ("rules 2.13\nto 2.15; 9.4", ["2.13", "2.14", "2.15"]),
        ("Kafka 4.3", []),
    ],
)
def test_sections_cited__text_with_each_form_of_citation__sections_found(text: str, sections: list[str]) -> None:
    assert list(cited(text)) == sections
