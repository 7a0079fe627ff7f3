"""Makes the pictures of docs/dashboard.md: `python -m tests.web.screenshots`.

A consumer group of three static members restarts one after the other, while a page shows it.
"""

import time
from contextlib import ExitStack

from playwright.sync_api import expect

from tenure.client import Producer
from tenure.testing import Broker
from tests.docs.pages import DOCS
from tests.web.chromium import chromium
from tests.web.conftest import TIMEOUT_MS, dashboard_of, member

PARTITIONS = 12
MEMBERS = 3
UP_S, DOWN_S = 6.0, 3.0
"""Time between two restarts, and duration of a restart."""
WINDOW = {"width": 1200, "height": 900}


def main() -> None:
    with Broker({"group.consumer.session.timeout.ms": "45000"}) as broker, ExitStack() as stack:
        broker.create_topic("orders", partitions=PARTITIONS)
        with Producer(broker.address) as producer:
            for number in range(600):
                producer.send("orders", b"%d" % number, b"value")
        running = [stack.enter_context(ExitStack()) for _ in range(MEMBERS)]
        for number in range(MEMBERS):
            start(running[number], broker, number)
        broker.wait_until_stable("orders-service", members=MEMBERS)
        dashboard = stack.enter_context(dashboard_of(broker.address))
        page = stack.enter_context(chromium()).new_page(viewport=WINDOW)
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(f"{dashboard.url}/group?id=orders-service")
        for number in range(MEMBERS):
            time.sleep(UP_S)
            running[number].close()
            time.sleep(DOWN_S)
            start(running[number], broker, number)
        time.sleep(UP_S)
        expect(page.locator("#owners svg .mark-rect path").first).to_be_visible()
        page.screenshot(path=DOCS / "dashboard-group.png")


def start(stack: ExitStack, broker: Broker, number: int) -> None:
    names = {"group_instance_id": f"orders-{number}", "group_protocol": "consumer"}
    stack.enter_context(member(broker.address, "orders-service", "orders", **names))


if __name__ == "__main__":
    main()
