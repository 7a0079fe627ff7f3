"""`tenure serve` as a real process, for every test that wants a broker (`tests/forked_broker.py`).

    with serving(tmp_path, "num.partitions=8") as broker:
        client.connect(broker.address)
        broker.kill()       # kill -9
        broker.restart()    # the same data, the same port

Leaving the block ends the process, whatever state it is in.
"""

import socket
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGKILL, SIGSTOP, SIGTERM, Signals
from typing import TextIO

from tests.fork_server import Child
from tests.forked_broker import fork_server

READY = "tenure: ready at "
STOP_PATIENCE_S = 60.0


class Serving:
    """Broker with all its restarts. `log` is its standard error up to now."""

    def __init__(
        self,
        data_directory: Path | None,
        settings: tuple[str, ...],
        options: tuple[str, ...],
        python: str | Path = sys.executable,
    ) -> None:
        self.data_directory = data_directory
        self.python = python
        self._reserved_port = socket.socket()
        """Socket that is bound and never listens, so that no other process gets the port while the broker is down."""
        self._reserved_port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved_port.bind(("127.0.0.1", 0))
        weakref.finalize(self, self._reserved_port.close)
        self.address = "{}:{}".format(*self._reserved_port.getsockname())
        self.listeners: dict[str, str] = {}
        """Addresses of several listeners, by name; empty for a single one."""
        self.log_file = (data_directory or Path(".")).with_suffix(".stderr")
        self._settings = settings
        self._options = options
        self._process: Child | None = None
        self._output: TextIO | None = None

    @property
    def host(self) -> str:
        return self.address.rpartition(":")[0]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    @property
    def pid(self) -> int:
        return self._running().pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.is_alive

    @property
    def log(self) -> str:
        return self.log_file.read_text("utf-8")

    def start(self) -> None:
        """Return once the broker is ready."""
        command = [str(self.python), "-m", "tenure", "serve", "--listen", self.address, *self._options]
        command += [str(self.data_directory)] if "--memory" not in self._options else []
        for setting in self._settings:
            command += ["--set", setting]
        self._process, self._output = fork_server().start_with_output({"command": command}, self.log_file)
        line = self._output.readline().rstrip("\n")
        if not line.startswith(READY):
            status = self.wait()
            raise AssertionError(f"the broker did not start (exit status {status}):\n{self.log}")
        self.address = line.removeprefix(READY)
        self.listeners = dict(entry.split("://") for entry in self.address.split(",") if "://" in entry)

    def kill(self) -> None:
        """Kill the broker (`kill -9`), without a clean stop."""
        self._end(SIGKILL)

    def terminate(self, timeout_s: float = STOP_PATIENCE_S) -> int:
        """Send SIGTERM; return the exit status."""
        return self._end(SIGTERM, timeout_s)

    def signal(self, number: Signals) -> None:
        """Send a signal without waiting for its effect."""
        self._running().send(number)

    def suspend(self) -> None:
        """Send SIGSTOP, and wait until the process is suspended."""
        self.signal(SIGSTOP)
        while not self._running().is_stopped:
            time.sleep(0.001)

    def restart(self, *settings: str) -> None:
        """Stop the broker cleanly if it runs, and start it on the same data and port, with these settings added."""
        self._settings += settings
        if self.is_running:
            self.terminate()
        self.start()

    def wait(self, timeout_s: float = STOP_PATIENCE_S) -> int:
        """Wait for the end of the process; return the exit status."""
        status = self._running().wait(timeout_s)
        if self._output is not None:
            self._output.close()
        return status

    def _running(self) -> Child:
        assert self._process is not None, "not started"
        return self._process

    def _end(self, number: Signals, timeout_s: float = STOP_PATIENCE_S) -> int:
        self._running().send(number)
        return self.wait(timeout_s)


@contextmanager
def serving(
    tmp_path: Path, *settings: str, options: tuple[str, ...] = (), python: str | Path = sys.executable
) -> Iterator[Serving]:
    """Yield a broker with its data in `tmp_path/broker`; rebalances start at once unless `settings` differ."""
    broker = Serving(tmp_path / "broker", ("group.initial.rebalance.delay.ms=0", *settings), options, python)
    try:
        broker.start()
        yield broker
    finally:
        if broker.is_running:
            broker.kill()
