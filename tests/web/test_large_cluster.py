"""The dashboard of a cluster with 1,000 groups, each with a committed offset in 100 partitions."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.queries.group_changes import commit_from_outside
from tenure.limits.web import PARTS_PAINTED_MAX
from tenure.testing import Broker
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.web.conftest import TIMEOUT_MS, dashboard_of

pytestmark = pytest.mark.long
expect.set_options(timeout=TIMEOUT_MS)

GROUPS, PARTITIONS = 1_000, 100


async def commit_offsets(address: str) -> None:
    """Create the groups, which have no members."""
    at = bootstrap(address)
    cluster = Cluster(at.servers, client_id="test", request_timeout_ms=30_000, patience_ms=30_000, security=at.security)
    offsets = {TopicPartition("orders", number): OffsetAndMetadata(0) for number in range(PARTITIONS)}
    try:
        for number in range(GROUPS):
            await commit_from_outside(cluster, f"service-{number:04}", offsets)
    finally:
        cluster.close()


def test_dashboard__thousand_groups_of_100_partitions__all_described_and_one_opened(page: Page) -> None:
    with Broker() as broker:
        broker.create_topic("orders", partitions=PARTITIONS)
        broker.produce("orders", [b""] * 3, partition=7)
        run(commit_offsets(broker.address))
        with dashboard_of(broker.address) as dashboard:
            page.goto(dashboard.url)
            rows = page.locator("#groups tr")
            expect(rows).to_have_count(GROUPS)
            not_described = rows.locator("td:nth-child(5)").filter(has_text="–")
            while left := not_described.count():
                expect(not_described).not_to_have_count(left)
            sent = page.request.get(dashboard.url).text()
            assert sent.count('<tr id="group-') == PARTS_PAINTED_MAX, "the first event has the others"
            expect(rows.locator("td:first-child")).to_have_text([f"service-{at:04}" for at in range(GROUPS)])
            page.get_by_label("Filter").fill("service-0421")
            expect(rows.filter(visible=True)).to_have_count(1)
            page.get_by_role("link", name="service-0421").click()
            expect(page.locator("#positions tbody tr")).to_have_count(PARTITIONS)
            expect(page.locator("#facts")).to_contain_text("3records of lag")
