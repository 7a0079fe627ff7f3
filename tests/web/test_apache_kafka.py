"""The dashboard of a cluster of Apache Kafka, which has no journal, during a restart of a static member."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tenure.admin import Admin
from tenure.client import Producer
from tenure.client.errors import RequestRefused
from tests.apache_kafka import apache_kafka
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.spark.counting import create_topic
from tests.web.conftest import TIMEOUT_MS, TIMEOUT_S, dashboard_of, member

pytestmark = [pytest.mark.oracle, pytest.mark.long]
expect.set_options(timeout=TIMEOUT_MS)


def test_dashboard_of_apache_kafka__static_member_restarts_and_transaction_begins__pages_follow(
    page: Page, tmp_path: Path
) -> None:
    require_kafka()
    with apache_kafka(tmp_path / "kafka") as broker, ExitStack() as stack:
        create_topic(broker.address, "orders", 4)
        wait_for_coordinator(broker.host, broker.port)
        names = {"group_protocol": "consumer"}
        stack.enter_context(member(broker.address, "web", "orders", group_instance_id="web-1", **names))
        with member(broker.address, "web", "orders", group_instance_id="web-2", **names):
            wait_until_both_own_partitions(broker.address)  # so the dashboard sees no earlier owner
            url = stack.enter_context(dashboard_of(broker.address)).url
            page.goto(url)
            page.get_by_role("link", name="web", exact=True).click()
            expect(page.locator("#owners svg .mark-rect path")).to_have_count(4)
            restarted = page.locator("#members tr", has_text="web-2")
            first_id = restarted.locator("td").nth(1).inner_text()
        stack.enter_context(member(broker.address, "web", "orders", group_instance_id="web-2", **names))
        expect(restarted.locator("td").nth(1)).not_to_have_text(first_id)
        expect(restarted).to_contain_text("orders: ")
        expect(page.locator("#journal")).to_contain_text("Apache Kafka keeps no journal.")
        page.goto(f"{url}/topics")
        expect(page.get_by_role("row", name="orders").get_by_role("link", name="web")).to_be_visible()
        config = {"bootstrap.servers": broker.address, "transactional.id": "payments"}
        producer = stack.enter_context(Producer(config))
        producer.init_transactions()
        producer.begin_transaction()
        producer.send("orders", b"k", b"v", partition=1)
        producer.flush()
        page.goto(f"{url}/transactions")
        expect(page.get_by_role("row", name="payments")).to_contain_text("orders-1")
        producer.abort_transaction()
        expect(page.get_by_role("row", name="payments")).to_contain_text("CompleteAbort")


def wait_until_both_own_partitions(address: str) -> None:
    with Admin(address) as admin:
        give_up_at = time.monotonic() + TIMEOUT_S
        while not both_own_partitions(admin):
            assert time.monotonic() < give_up_at, f"the members do not share the partitions after {TIMEOUT_S} s"
            time.sleep(0.1)


def both_own_partitions(admin: Admin) -> bool:
    try:
        (group,) = admin.describe_groups(["web"])
    except RequestRefused:  # no member has joined yet
        return False
    return [len(member.partitions) for member in group.members] == [2, 2]
