"""One broker and one dashboard (a real process) for all tests of a module, and a browser."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from signal import SIGINT

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tenure.client import Consumer
from tenure.monitoring.exposition import exposition
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.progress import LaneProgress, Progress, ProgressStep
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.reporting.application_status import ApplicationStatus, LaneStatus, MemberStatus
from tenure.spark.reporting.metrics import CATALOGUE, status_samples
from tenure.testing import Broker
from tests.web.chromium import chromium

TIMEOUT_S = 60.0
TIMEOUT_MS = 1000 * TIMEOUT_S


class RunningDashboard:
    """`tenure web` in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "tenure", "web", "--listen", "127.0.0.1:0", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first.startswith("tenure: dashboard at "), (first, self.process.communicate(timeout=TIMEOUT_S))
        self.url = first.split()[-1].rstrip("/")

    def stop(self) -> tuple[str, str]:
        """Stop the dashboard as Ctrl-C does, and return the rest of its output."""
        self.process.send_signal(SIGINT)
        return self.process.communicate(timeout=TIMEOUT_S)


@contextmanager
def dashboard_of(address: str, *arguments: str) -> Iterator[RunningDashboard]:
    dashboard = RunningDashboard("--bootstrap-servers", address, *arguments)
    try:
        yield dashboard
    finally:
        if dashboard.process.poll() is None:
            dashboard.stop()


@contextmanager
def member(address: str, group_id: str, topic: str, **settings: str) -> Iterator[None]:
    """Run a member of a group in a thread, which polls until the end of the block."""
    stop = threading.Event()
    named = {name.replace("_", "."): value for name, value in settings.items()}
    config = {"bootstrap.servers": address, "group.id": group_id, "auto.offset.reset": "earliest", **named}

    def poll() -> None:
        with Consumer(config) as consumer:
            consumer.subscribe([topic])
            while not stop.is_set():
                consumer.poll(0.1)

    thread = threading.Thread(target=poll)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as broker:
        yield broker


@pytest.fixture(scope="module")
def dashboard(broker: Broker) -> Iterator[RunningDashboard]:
    with dashboard_of(broker.address, "--allow-changes") as running:
        yield running


@pytest.fixture
def metrics_of_a_pipeline() -> Iterator[str]:
    """Serve the metrics of an application that has finished a batch of lane 3."""
    status = ApplicationStatus(1)
    lane = LaneStatus(lag=7, state_rows=12, state_bytes=4_096, offset=1_200)
    status.members["m"] = MemberStatus("m", lanes={"3": lane})
    status.totals.batches, status.totals.seconds["total"] = 2, 3.0
    status(
        Progress(
            ProgressStep.DROPPED,
            "m",
            1,
            "",
            "bundle",
            (LaneProgress(Lane((TopicName("words"),), PartitionId(3))),),
            reason="the disk <b>is full</b>",
        )
    )
    text = exposition(CATALOGUE, status_samples("word-count", "host-a", "running", status)).encode()

    class Metrics(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Metrics) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/metrics"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def is_failure(message: ConsoleMessage) -> bool:
    """Return whether a script failed, or its policy forbade something; error statuses are no failure."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield a new page. The test fails if a script fails, or if the content security policy forbids something."""
    page = browser.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda message: failures.append(message.text) if is_failure(message) else None)
    yield page
    page.close()
    assert failures == []
