"""`tenure serve --web`: the dashboard as a child process of the broker."""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tenure.cli.connect import DEFAULT_BOOTSTRAP_SERVERS

STOP_S: Final = 10.0
"""Time in s after which a dashboard that has not stopped is killed. Open pages do not delay the stop."""


@contextmanager
def dashboard(options: argparse.Namespace) -> Iterator[None]:
    """Run the dashboard during the block. The dashboard also ends if this process, the broker, is killed.

    Raises:
        SystemExit: The dashboard cannot find or use the broker; the message is one sentence.
    """
    address = options.listen or DEFAULT_BOOTSTRAP_SERVERS
    if options.tls or options.users or "://" in address or address.endswith(":0"):
        raise SystemExit(
            "tenure: --web needs a broker with one PLAINTEXT listener at a fixed port. For this broker, omit --web and"
            " start `tenure web --bootstrap-servers HOST:PORT --command-config FILE` as a second command."
        )
    command = [sys.executable, "-m", "tenure", "web", "--bootstrap-servers", address, "--listen", options.web]
    child = subprocess.Popen([*command, "--stop-with-stdin"], stdin=subprocess.PIPE)
    try:
        yield
    finally:
        assert child.stdin is not None
        child.stdin.close()
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
