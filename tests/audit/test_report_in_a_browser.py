"""The report of an audit in a real browser: charts, themes, tables for screen readers, links to groups."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python.sync_playwright as axe
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.report.report import write_report
from tests.audit.collecting import write_tables
from tests.audit.conftest import LOG_PARTITIONS, Day
from tests.web.chromium import chromium

pytestmark = pytest.mark.long

PHONE = {"width": 360, "height": 640}
LABEL_COLOURS = {"light": "#5b6675", "dark": "#9aa7b6"}
"""Colour of the axis labels of charts: `--soft` in page.css."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def report(day: Day, tmp_path_factory: pytest.TempPathFactory) -> str:
    """URL of the report of the scripted day."""
    place = tmp_path_factory.mktemp("audited")
    write_tables(day.address, LOG_PARTITIONS, place)
    directory = AuditDirectory.at(place)
    write_findings(directory)
    return Path(write_report(directory, pictures=False)).as_uri()


@pytest.fixture
def page(browser: Browser, report: str) -> Iterator[Page]:
    """Page with the report. It may load nothing else, and report no errors."""
    opened = browser.new_page()
    requests, errors = [], []
    opened.on("request", lambda request: requests.append(request.url))
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    opened.goto(report)
    yield opened
    opened.close()
    assert {url.partition("#")[0] for url in requests} == {report}
    assert errors == []


def test_audit_report__first_group__charts_are_drawn_and_each_has_its_data_as_a_table(page: Page) -> None:
    group = page.locator("#group-1")
    for chart in group.locator(".chart").all():
        chart.scroll_into_view_if_needed()
        expect(chart.locator("svg").first).to_be_visible()
    cards = group.locator("section.card")
    assert cards.count() >= 3
    for card in cards.all():
        card.get_by_text("Data as a table").click()
        assert card.locator("table tbody tr").count() > 0


def owners_of_first_group(page: Page) -> Locator:
    """Return the chart of owners of the first group, once it is drawn."""
    chart = page.locator("#group-1-owners")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg .mark-rect path").first).to_be_visible()
    return chart


def test_audit_report__system_in_dark_mode__charts_drawn_in_the_colours_of_each_theme(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    for theme in ("dark", "light"):
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        labels = owners_of_first_group(page).locator("svg .role-axis-label text")
        expect(labels.first).to_have_attribute("fill", LABEL_COLOURS[theme])
        expect(labels.last).to_have_attribute("fill", LABEL_COLOURS[theme])
        page.get_by_role("button", name="Switch between light and dark").click()


def test_audit_report__mouse_over_a_chart__owner_shown_and_wheel_with_the_shift_key_zooms(page: Page) -> None:
    chart = owners_of_first_group(page)
    bar = chart.locator("svg .mark-rect path").first
    bar.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text("owner")
    labels = chart.locator("svg .role-axis-label text")
    before = labels.all_text_contents()
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -500)
    page.keyboard.up("Shift")
    expect(labels).not_to_have_text(before)


def test_audit_report__keyboard_only__group_opened_and_table_sorted(page: Page) -> None:
    second = page.locator("#group-2")
    second.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("open", "")
    page.locator("table.sortable").get_by_role("button", name="rebalances").focus()
    page.keyboard.press("Enter")
    expect(page.locator("table.sortable th[aria-sort]")).to_have_text("rebalances")


def test_audit_report__width_of_a_phone__no_horizontal_scrolling_and_all_owners_in_the_legend(page: Page) -> None:
    page.set_viewport_size(PHONE)
    for label in owners_of_first_group(page).locator(".role-legend-label text").all():
        box = label.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_audit_report__checked_for_accessibility_with_axe__no_violations(page: Page, theme: str) -> None:
    if page.evaluate("document.documentElement.dataset.theme") != theme:
        page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_audit_report__column_is_clicked__groups_are_sorted_by_it(page: Page) -> None:
    table = page.locator("table.sortable")
    table.get_by_role("button", name="rebalances").click()
    cells = table.locator("tbody tr td:nth-child(4)").all_text_contents()
    assert [int(cell) for cell in cells] == sorted(map(int, cells), reverse=True)


def test_audit_report__link_to_a_group__its_section_is_open(page: Page, report: str) -> None:
    expect(page.locator("#group-3")).not_to_have_attribute("open", "")
    page.goto(f"{report}#group-3")
    expect(page.locator("#group-3")).to_have_attribute("open", "")
