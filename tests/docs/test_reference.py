"""The reference pages agree with the code: commands, settings, limits, errors, exit statuses."""

import re

import pytest

from tenure.exit_status import ExitStatus
from tenure.pipeline.errors import RESTART_HELPS, Code
from tests.docs.pages import DOCS
from tests.docs.reference import PAGES, PART, PARTS, current


@pytest.mark.parametrize("page", PAGES)
def test_reference_page__its_generated_parts__up_to_date(page: str) -> None:
    assert (DOCS / page).read_text("utf-8") == current(page), "run `python -m tests.docs.reference`"


def test_generated_parts__all_of_the_reference__each_on_exactly_one_page() -> None:
    assert sorted(found[1] for page in PAGES for found in PART.finditer((DOCS / page).read_text())) == sorted(PARTS)


def test_broker_settings__each__meaning_is_documented() -> None:
    assert "|  | " not in (DOCS / "settings.md").read_text("utf-8")


def test_page_about_exit_statuses__statuses_on_it__same_as_in_the_code() -> None:
    written = re.findall(r"^\| (\d+) \| (\w+)", (DOCS / "exit-status.md").read_text("utf-8"), re.MULTILINE)
    assert {int(status): meaning for status, meaning in written} == {
        ExitStatus.DONE: "success",
        ExitStatus.FAILED: "failure",
        ExitStatus.MISUSED: "invalid",
        ExitStatus.FENCED: "fenced",
        ExitStatus.NEEDS_OPERATOR: "the",
        ExitStatus.INTERRUPTED: "Ctrl",
    }
    assert len(written) == len(ExitStatus)


def test_page_about_exit_statuses__codes_after_which_a_restart_helps__same_as_in_the_code() -> None:
    (named,) = re.findall(r"status 1 for (.*?);", (DOCS / "exit-status.md").read_text("utf-8"), re.DOTALL)
    assert {Code(name) for name in re.findall(r"`(\w+)`", named)} == RESTART_HELPS
