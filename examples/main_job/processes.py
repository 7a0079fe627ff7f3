"""Child processes that end with the job.

Each child leads a session of its own, so that Ctrl-C in a terminal reaches the job alone, and the job decides in which
order its children end. Spark's Python daemon moves into another process group but stays in the session. So each process
of a session whose leader has ended is killed.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

import psutil

STOP_SECONDS_MAX: Final = 30.0
"""Longest graceful stop: it finishes the running batch and Spark's shutdown, in seconds."""

ABORT_SECONDS_MAX: Final = 5.0
"""Time to wait for a process after Ctrl-C or a failure: less than a batch."""


class Ended(RuntimeError):
    """A child has ended although the job still needed it."""


class Child:
    """Child process. Its standard output arrives as lines; its standard error goes to a log file."""

    def __init__(self, name: str, command: Iterable[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self._command = list(command)
        self._log = log
        self._environment = environment
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def start(self) -> Self:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, **(self._environment or {})},
                start_new_session=True,
            )
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        return self

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.lines.put(line.rstrip("\n"))

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def check(self) -> None:
        if not self.running:
            raise Ended(f"{self.name} ended with status {self._process.returncode}: {self.last_words()}")

    def last_words(self) -> str:
        """Return the last line of the log that is not empty, and the log's path."""
        lines = [line for line in self._log.read_text(errors="replace").splitlines() if line.strip()]
        return f"{lines[-1].strip() if lines else 'it said nothing'} (whole log: {self._log})"

    def ask_to_stop(self) -> None:
        if self.running:
            self._process.send_signal(signal.SIGTERM)

    def stop(self, patience_s: float = STOP_SECONDS_MAX) -> int:
        """Send SIGTERM, wait, then SIGKILL; return the exit status."""
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_s)
        return self.kill()

    def kill(self) -> int:
        """Kill the whole session (`kill -9`), as when a host fails; return the exit status."""
        self._process.kill()  # At once: while the others are looked for, it would end its batch.
        session = self._process.pid
        deadline = time.monotonic() + STOP_SECONDS_MAX
        while (left := list(_of_session(session))) and time.monotonic() < deadline:
            for process in left:
                _kill(process)
            time.sleep(0.02)
        return self._process.wait()


def _of_session(session: int) -> Iterable[psutil.Process]:
    for process in psutil.process_iter(["status"]):
        try:
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue


def _kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()


class Children:
    """All children of the job; the end of the block ends every one, in any case."""

    def __init__(self) -> None:
        self._children: list[Child] = []

    def start(self, child: Child) -> Child:
        self._children.append(child)
        return child.start()

    def check(self) -> None:
        """Raise `Ended` if a child has ended by itself."""
        for child in self._children:
            child.check()

    def forget(self, child: Child) -> None:
        """Forget a child that the job has ended itself."""
        self._children.remove(child)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave half of them behind
        try:
            for child in reversed(self._children):
                child.ask_to_stop()
            for child in reversed(self._children):
                child.stop(ABORT_SECONDS_MAX)
        finally:
            signal.signal(signal.SIGINT, ignored)
