"""Application of the pipeline: a child process, with the steps that it reports."""

import json
import queue
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Self

from examples.main_job.processes import Child, Children

PATIENCE_SECONDS_MAX: Final = 150.0
"""Longest wait: a dynamic member that was killed keeps its partitions for a session of 45 s, and machines may be slow.
"""


class Waited(RuntimeError):
    """Something that the job waits for did not happen in time."""


class Application:
    """`examples/flight_delays.py` in a process of its own, with `threads` members of the group."""

    def __init__(self, name: str, directory: Path, bootstrap_servers: str, *, threads: int, static: bool) -> None:
        self.name = name
        self.threads = threads
        command = [sys.executable, "-m", "examples.flight_delays", "--progress", "--threads", str(threads)]
        command += ["--bootstrap-servers", bootstrap_servers, "--output", str(directory / "flights")]
        command += ["--group-instance-id", name] if static else ["--client-id", name]
        self._command = command
        self._log = directory / "logs" / f"{name}.log"
        self.steps: list[dict[str, Any]] = []

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(f"{self.name}-thread-{number}" for number in range(1, self.threads + 1))

    def start(self, children: Children) -> Self:
        self._child = children.start(Child(f"application {self.name}", self._command, self._log))
        self._since = len(self.steps)
        return self

    def stop(self, children: Children) -> None:
        children.forget(self._child)
        if status := self._child.stop():
            raise Waited(
                f"application {self.name} was asked to stop and ended with {status}: {self._child.last_words()}"
            )
        self._take()

    def kill(self, children: Children) -> None:
        children.forget(self._child)
        self._child.kill()
        self._take()

    def news(self) -> list[dict[str, Any]]:
        """Return the reported steps since it was last started."""
        self._take()
        return self.steps[self._since :]

    def working_members(self) -> int:
        """Return the number of its members that have committed since it was last started."""
        return len({step["member_id"] for step in self.news() if step["step"] == "committed"})

    def _take(self) -> None:
        while True:
            try:
                line = self._child.lines.get_nowait()
            except queue.Empty:
                return
            if line.startswith("{"):
                self.steps.append(json.loads(line))


def wait_until(happened: Callable[[], bool], what: str, check: Callable[[], None], *, pause_s: float = 0.1) -> None:
    """Wait until `happened` returns true; `check` raises if it never will.

    Raises `Waited` with the text `what` after too long.
    """
    for _ in _ticks(pause_s):
        if happened():
            return
        check()
    raise Waited(f"gave up after {PATIENCE_SECONDS_MAX:.0f} s: {what}")


def _ticks(pause_s: float) -> Iterator[None]:
    deadline = time.monotonic() + PATIENCE_SECONDS_MAX
    while time.monotonic() < deadline:
        yield
        time.sleep(pause_s)
