"""The pages in Chromium: contents, updates, and names with HTML elements."""

from contextlib import ExitStack
from pathlib import Path

import axe_playwright_python.sync_playwright as axe
import pytest
from playwright.sync_api import Page, expect

from tenure.client import Producer
from tenure.testing import Broker
from tests.web.conftest import TIMEOUT_MS, RunningDashboard, dashboard_of, member
from tests.web.hanging import write_hanging_batch

pytestmark = pytest.mark.long
expect.set_options(timeout=TIMEOUT_MS)

HOSTILE = '"><script>document.title="owned"</script><img src=x onerror="document.title=1">&amp;/../%2e%00'
PHONE = {"width": 360, "height": 640}


@pytest.fixture(scope="module", autouse=True)
def topics(broker: Broker) -> None:
    broker.create_topic("orders", partitions=6)
    broker.create_topic("clicks", partitions=2)
    with Producer(broker.address) as producer:
        for number in range(60):
            producer.send("orders", b"%d" % number, b"value", partition=number % 6)
    broker.commit("slow", {("orders", partition): 4 for partition in range(6)})


def test_groups_page__group_with_lag__row_with_state_and_lag(dashboard: RunningDashboard, page: Page):
    page.goto(dashboard.url)
    row = page.get_by_role("row", name="slow")
    expect(row).to_contain_text("Empty")
    expect(row.locator("td").nth(4)).to_have_text("36")


def test_groups_page__filter_typed_and_column_clicked__rows_filtered_and_sorted(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    broker.commit("almost-done", {("orders", 0): 9})
    page.goto(dashboard.url)
    expect(page.get_by_role("row", name="almost-done")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("slo")
    expect(page.get_by_role("row", name="almost-done")).to_be_hidden()
    page.get_by_label("Filter").fill("")
    page.get_by_role("button", name="Lag").click()
    expect(page.locator("#groups tr").first).to_contain_text("slow")
    page.get_by_role("button", name="Lag").click()
    expect(page.locator("#groups tr").last).to_contain_text("slow")


def test_group_page__rolling_restart_of_static_members__same_owners_and_page_updated(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    with ExitStack() as members:
        stays = member(broker.address, "web", "orders", group_instance_id="web-1", group_protocol="consumer")
        members.enter_context(stays)
        with member(broker.address, "web", "orders", group_instance_id="web-2", group_protocol="consumer"):
            broker.wait_until_stable("web", members=2)
            page.goto(f"{dashboard.url}/group?id=web")
            expect(page.get_by_role("row", name="web-2").first).to_be_visible()
            expect(page.locator("#owners svg .mark-rect path")).to_have_count(6)
            labels = page.locator("#owners svg .role-axis-label text")
            for scheme, colour in (("dark", "#9aa7b6"), ("light", "#566170")):
                page.emulate_media(color_scheme=scheme)
                expect(labels.first).to_have_attribute("fill", colour)
            first_id = page.locator("#members tr", has_text="web-2").locator("td").nth(1).inner_text()
        again = member(broker.address, "web", "orders", group_instance_id="web-2", group_protocol="consumer")
        members.enter_context(again)
        row = page.locator("#members tr", has_text="web-2")
        expect(row.locator("td").nth(1)).not_to_have_text(first_id)
        expect(row).to_contain_text("orders: ")
        expect(page.locator("#journal")).to_contain_text("returned and replaces member")


def test_group_page__unknown_group__message_with_status_404(dashboard: RunningDashboard, page: Page):
    answer = page.request.get(f"{dashboard.url}/group?id=nothing")
    assert answer.status == 404
    assert "Group &#39;nothing&#39; does not exist." in answer.text()


def test_group_page__group_deleted_while_the_page_is_open__page_says_so(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    broker.commit("short-lived", {("orders", 0): 1})
    page.goto(dashboard.url)
    page.get_by_role("link", name="short-lived").click()
    expect(page.get_by_role("heading", name="Group short-lived")).to_be_visible()
    broker._admin().delete_groups(["short-lived"])
    with page.expect_response(lambda answer: answer.status == 404):
        expect(page.get_by_role("heading", name="Not found")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/group?id=slow", "/topics", "/transactions?hanging=1", "/pipelines"])
def test_dashboard_pages__checked_for_accessibility_with_axe__no_violations(
    path: str, dashboard: RunningDashboard, page: Page
):
    page.goto(f"{dashboard.url}{path}")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # The checker is a script of the test: Playwright evaluates it outside of the page's policy.
        found = axe.Axe().run(page)
        assert found.violations_count == 0, (scheme, found.generate_report())


@pytest.mark.parametrize("path", ["/", "/group?id=slow", "/topics", "/transactions", "/pipelines"])
def test_dashboard_pages__width_of_a_phone__no_horizontal_scrolling(path: str, dashboard: RunningDashboard, page: Page):
    page.set_viewport_size(PHONE)
    page.goto(f"{dashboard.url}{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_dashboard_pages__keyboard_shortcuts__open_the_pages(dashboard: RunningDashboard, page: Page):
    page.goto(dashboard.url)
    for key, title in (("t", "Topics"), ("x", "Transactions"), ("p", "Pipelines"), ("g", "Groups")):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()


def test_dashboard_pages__names_with_html_elements__shown_as_text(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    broker.commit(HOSTILE, {("orders", 0): 1})
    page.goto(dashboard.url)
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Group {HOSTILE}")
    expect(page).to_have_title(f"Group {HOSTILE} · Tenure")
    page.get_by_role("link", name="Reset offsets").click()
    expect(page.get_by_text(f"To which offsets should group '{HOSTILE}' be reset?")).to_be_visible()


def test_topics_page__topic_read_by_a_group__link_to_the_group(dashboard: RunningDashboard, page: Page):
    page.goto(f"{dashboard.url}/topics")
    row = page.get_by_role("row", name="orders")
    expect(row).to_be_visible()
    expect(page.locator("#more")).to_have_text("0 more are not shown; tenure topics list prints all.")
    expect(page.locator("#left-out")).to_be_hidden()
    row.get_by_role("link", name="slow").click()
    expect(page.get_by_role("heading", name="Group slow")).to_be_visible()


def test_transactions_page__open_transaction__shown_with_its_partitions(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    with Producer({"bootstrap.servers": broker.address, "transactional.id": "payments"}) as producer:
        producer.init_transactions()
        producer.begin_transaction()
        producer.send("clicks", b"k", b"v", partition=1)
        producer.flush()
        page.goto(f"{dashboard.url}/transactions")
        row = page.get_by_role("row", name="payments")
        expect(row).to_contain_text("Ongoing")
        expect(row).to_contain_text("clicks-1")
        producer.abort_transaction()
        expect(row).to_contain_text("CompleteAbort")


def test_change_page__reset_offsets__preview_and_then_done(broker: Broker, dashboard: RunningDashboard, page: Page):
    broker.commit("reset-me", {("orders", 0): 1})
    page.goto(f"{dashboard.url}/group?id=reset-me")
    page.get_by_role("link", name="Reset offsets").click()
    page.get_by_label("the end of each partition").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("row", name="orders-0")).to_contain_text("10")
    assert broker.committed("reset-me") == {("orders", 0): 1}
    page.get_by_role("button", name="Reset offsets").click()
    expect(page.get_by_text("Set 1 offset of group 'reset-me'.")).to_be_visible()
    assert broker.committed("reset-me") == {("orders", 0): 10}


def test_change_page__remove_a_member__member_removed(broker: Broker, dashboard: RunningDashboard, page: Page):
    with member(broker.address, "crashed", "clicks", group_instance_id="one"):
        broker.wait_until_stable("crashed", members=1)
        before = broker.members("crashed")[0].member_id
        page.goto(f"{dashboard.url}/change?kind=remove-members&group=crashed")
        page.get_by_label("one (127.0.0.1)").check()
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Remove members").click()
        expect(page.get_by_text("Removed 1 member of group 'crashed'.")).to_be_visible()
        assert all(each.member_id != before for each in broker.members("crashed"))


def test_change_page__start_a_rebalance__next_generation(broker: Broker, dashboard: RunningDashboard, page: Page):
    with member(broker.address, "calm", "clicks"):
        broker.wait_until_stable("calm", members=1)
        before = broker.group("calm").generation
        page.goto(f"{dashboard.url}/group?id=calm")
        page.get_by_role("link", name="Rebalance").click()
        expect(page.get_by_text("Group 'calm' (Stable, 1 member) rebalances")).to_be_visible()
        assert broker.group("calm").generation == before
        page.get_by_role("button", name="Start a rebalance").click()
        expect(page.get_by_text("A rebalance of group 'calm' was started.")).to_be_visible()
        broker.wait_until_stable("calm", members=1)
        assert broker.group("calm").generation > before


def test_change_page__abort_a_hanging_transaction__no_longer_listed(page: Page):
    with Broker({"transaction.partition.verification.enable": "false"}) as broker, ExitStack() as stack:
        broker.create_topic("hanging")
        write_hanging_batch(broker.address, "hanging")
        url = stack.enter_context(dashboard_of(broker.address, "--allow-changes")).url
        page.goto(f"{url}/transactions?hanging=1")
        page.get_by_role("row", name="hanging-0").get_by_role("link", name="Abort").click()
        expect(page.get_by_role("row", name="hanging-0")).to_contain_text("4711")
        page.get_by_role("button", name="Abort a hanging transaction").click()
        expect(page.get_by_text("The transaction of producer 4711 in hanging-0 was aborted.")).to_be_visible()
        page.goto(f"{url}/transactions?hanging=1")
        expect(page.get_by_text("No hanging transactions were found.")).to_be_visible()


def test_what_if_page__change_to_static_members__no_partition_moves(
    broker: Broker, dashboard: RunningDashboard, page: Page
):
    with member(broker.address, "dynamic", "clicks"), member(broker.address, "dynamic", "clicks"):
        broker.wait_until_stable("dynamic", members=2)
        page.goto(f"{dashboard.url}/group?id=dynamic")
        page.get_by_role("link", name="Forecast a restart").click()
        page.get_by_label("Members", exact=True).select_option("static")
        page.get_by_role("button", name="Forecast").click()
        cells = page.get_by_role("row", name="partitions moved").get_by_role("cell")
        expect(cells).to_have_count(2)
        as_is, static = cells.all_inner_texts()
        assert int(as_is) > 0
        assert static == "0"
        expect(page.locator("#pauses svg")).to_be_visible()
        assert axe.Axe().run(page).violations_count == 0


def test_what_if_page__assignor_chosen__named_as_the_change(broker: Broker, dashboard: RunningDashboard, page: Page):
    with member(broker.address, "eager", "clicks"):
        broker.wait_until_stable("eager", members=1)
        page.goto(f"{dashboard.url}/what-if?id=eager")
        page.get_by_label("Assignor").select_option("cooperative-sticky")
        page.get_by_role("button", name="Forecast").click()
        expect(page.locator("#result").get_by_role("columnheader", name="cooperative-sticky")).to_be_visible()


def test_what_if_page__invalid_duration__error_of_one_sentence(dashboard: RunningDashboard, page: Page):
    page.goto(f"{dashboard.url}/what-if?id=slow&bounce=rolling&down=soon")
    expect(page.get_by_role("heading", level=1, name="The forecast cannot be computed")).to_be_visible()
    expect(page.locator("main")).to_contain_text("soon")


def test_open_page__broker_stops_and_starts_again__page_says_so_and_recovers(page: Page, tmp_path: Path):
    with Broker(directory=tmp_path / "data") as broker:
        broker.create_topic("orders")
        broker.commit("g", {("orders", 0): 0})
        with dashboard_of(broker.address) as dashboard:
            page.goto(dashboard.url)
            expect(page.get_by_role("link", name="g", exact=True)).to_be_visible()
            broker.stop()
            expect(page.get_by_role("status")).to_contain_text("The cluster has not answered since")
            broker.start()
            expect(page.get_by_role("status")).to_be_empty()


def test_open_page__broker_answers_again_before_the_event_stream_reconnects__page_recovers(page: Page, tmp_path: Path):
    with Broker(directory=tmp_path / "data") as broker:
        broker.create_topic("orders")
        broker.commit("deleted", {("orders", 0): 0})
        with dashboard_of(broker.address) as dashboard:
            page.goto(dashboard.url)
            expect(page.get_by_role("link", name="deleted", exact=True)).to_be_visible()
            broker.stop()
            expect(page.get_by_role("status")).to_contain_text("The cluster has not answered since")
            page.route("**/events/**", lambda route: route.abort())
            page.reload()
            expect(page.get_by_role("status")).to_contain_text("The cluster has not answered since")
            broker.start()
            broker._admin().delete_groups(["deleted"])
            broker.commit("new", {("orders", 0): 0})
            page.unroute("**/events/**")
            expect(page.get_by_role("link", name="new", exact=True)).to_be_visible()
            expect(page.get_by_role("status")).to_be_empty()
            expect(page.get_by_role("link", name="deleted", exact=True)).not_to_be_visible()


def test_dashboard_stop__ctrl_c_while_a_page_is_open__ends_with_one_line(broker: Broker, page: Page):
    with dashboard_of(broker.address) as dashboard:
        page.goto(dashboard.url)
        output, errors = dashboard.stop()
        assert (dashboard.process.returncode, output, errors) == (0, "tenure: dashboard stopped\n", "")
        page.goto("about:blank")


def test_pipelines_page__one_application_answers_and_one_does_not__both_shown(
    broker: Broker, page: Page, metrics_of_a_pipeline: str
):
    away = "http://127.0.0.1:9/metrics"
    with dashboard_of(broker.address, "--pipeline", metrics_of_a_pipeline, "--pipeline", away) as dashboard:
        page.goto(f"{dashboard.url}/pipelines")
        card = page.locator("section", has_text="word-count")
        expect(card).to_contain_text("running")
        expect(card.get_by_role("row", name="3")).to_contain_text("1,200")
        expect(card.get_by_role("listitem")).to_contain_text("batch of words-3 was dropped: the disk <b>is full</b>")
        expect(page.locator("section", has_text=away)).to_contain_text(f"No metrics from {away}: ")
