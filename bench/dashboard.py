"""The dashboard on a large cluster: first paint of the page of all groups, and what it costs while it is open."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
from playwright.sync_api import Page

from bench.brokers import Broker, create_topic, pid_of, tenure
from bench.figures import Figure, Sample
from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.queries.group_changes import commit_from_outside
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tests.web.chromium import chromium

GROUPS, PARTITIONS = 1_000, 100
FIRST_PAINT_MS_MAX = 300.0
LOADS = 9
OPEN_S = 30.0
GIVEN_UP_S = 600.0
"""Time after which the benchmark gives up."""
TOPIC = "orders"
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)[0] ?? 0"
DESCRIBED = "[...document.querySelectorAll('#groups tr')].every((row) => row.cells[4].textContent.trim() !== '–')"


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    groups, loads, open_s = (100, 3, 5.0) if quick else (GROUPS, LOADS, OPEN_S)
    with tenure(directory) as broker:
        create_topic(broker, TOPIC, PARTITIONS)
        run(commit_offsets(broker, groups))
        command = [sys.executable, "-m", "tenure", "web", "-b", broker.address, "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as web, chromium() as browser:
            assert web.stdout is not None
            try:
                url = web.stdout.readline().split()[-1]
                page = browser.new_page()
                started = time.monotonic()
                page.goto(url)
                all_there = f"document.querySelectorAll('#groups tr').length === {groups} && {DESCRIBED}"
                wait_for(page, all_there)
                described_s = time.monotonic() - started
                what = f"dashboard, {groups:,} groups x {PARTITIONS} partitions"
                yield Figure(f"{what}: all described after", "s", Sample.of([described_s]))
                paints = [first_paint_ms(page, url) for _ in range(loads)]
                yield Figure(f"{what}: first paint", "ms", Sample.of(paints), FIRST_PAINT_MS_MAX, less_is_better=True)
                yield from costs(what, {"dashboard": web.pid, "broker": pid_of(broker)}, open_s)
            finally:
                web.terminate()


async def commit_offsets(broker: Broker, groups: int) -> None:
    """Create groups without members, each with a committed offset in every partition."""
    at = bootstrap(broker.address)
    cluster = Cluster(
        at.servers, client_id="bench", request_timeout_ms=30_000, patience_ms=30_000, security=at.security
    )
    offsets = {TopicPartition(TOPIC, number): OffsetAndMetadata(0) for number in range(PARTITIONS)}
    try:
        for number in range(groups):
            await commit_from_outside(cluster, f"service-{number:04}", offsets)
    finally:
        cluster.close()


def first_paint_ms(page: Page, url: str) -> float:
    page.goto("about:blank")
    page.goto(url, wait_until="load")
    wait_for(page, f"({FIRST_PAINT}) > 0")
    return float(page.evaluate(FIRST_PAINT))


def wait_for(page: Page, condition: str) -> None:
    """Wait for a condition of the page. Playwright's own way evaluates text in the page, which its policy forbids."""
    deadline = time.monotonic() + GIVEN_UP_S
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        time.sleep(0.05)


def costs(what: str, processes: dict[str, int], seconds: float) -> Iterator[Figure]:
    """Measure processor time and memory while the page is open."""
    before = {name: busy_s(pid) for name, pid in processes.items()}
    time.sleep(seconds)
    for name, pid in processes.items():
        share = (busy_s(pid) - before[name]) / seconds
        yield Figure(f"{what}: processor time of the {name}, page open", "% of a core", Sample.of([100 * share]))
        yield Figure(f"{what}: memory of the {name}", "MB", Sample.of([psutil.Process(pid).memory_info().rss / 1e6]))


def busy_s(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
