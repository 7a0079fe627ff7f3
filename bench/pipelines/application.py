"""Application that is measured: a process with its Java process and Python workers below it.

Parent and application exchange lines of JSON over a socket pair, because Spark, Maven and others write to standard
output and standard error. Both go to the application's log.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil

from tests.apache_kafka import QUICK_JVM

CHANNEL = "TENURE_BENCH_CHANNEL"
"""Environment variable with the descriptor of the application's end of the socket pair."""
READY_S = 900.0
"""Timeout until the Spark session is ready; the first one on a machine waits for Maven to fetch the connector."""
ANSWER_S = 3_600.0
"""Timeout of an answer; the longest measurement, 10,000 batches, takes minutes."""
ENDS_S = 60.0
LOG_CHARACTERS = 3_000
"""Number of characters of the application's log in an error."""


class Application:
    """Parent's side of a running application."""

    def __init__(self, process: subprocess.Popen[bytes], channel: socket.socket, log: Path) -> None:
        self.process = process
        self.channel = channel
        self.lines = channel.makefile("r", encoding="utf-8")
        self.log = log

    def ask(self, do: str, **arguments: Any) -> Any:
        """Let the application call its handler `do`, and return the result."""
        self.tell(do, **arguments)
        return self.hear(ANSWER_S)

    def tell(self, do: str, **arguments: Any) -> None:
        self.channel.settimeout(ENDS_S)
        self.channel.sendall(line_of({"do": do, **arguments}))

    def hear(self, timeout_s: float) -> Any:
        """Return the next answer. Raises RuntimeError if the application ends or does not answer in time."""
        self.channel.settimeout(timeout_s)
        try:
            line = self.lines.readline()
        except TimeoutError:
            raise RuntimeError(f"the application gave no answer within {timeout_s:g} s: {self.end_of_log}") from None
        except ConnectionError:
            line = ""
        if not line:
            raise RuntimeError(f"the application ended early: {self.end_of_log}")
        return json.loads(line)

    @property
    def end_of_log(self) -> str:
        return self.log.read_text(errors="replace")[-LOG_CHARACTERS:]

    def cpu_s(self) -> float:
        """Return the processor time of the application and of all processes below it, ended ones included."""
        return cpu_s(self.process.pid)

    def worker_peak_mb(self) -> float:
        """Return the largest peak memory among the running processes below the application, Java excepted."""
        peaks = []
        for process in tree(self.process.pid)[1:]:
            with contextlib.suppress(psutil.NoSuchProcess, OSError):
                if process.name() != "java":
                    status = Path(f"/proc/{process.pid}/status").read_text()
                    peaks += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")]
        return max(peaks)

    def kill(self) -> None:
        """Kill all processes at once, as when a machine fails."""
        if self.process.poll() is None:
            for process in tree(self.process.pid):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        self.process.wait(ENDS_S)

    def end(self) -> None:
        """Send "end" to the application and wait for its end; kill the processes that remain."""
        if self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired, OSError):
                self.tell("end")
                self.process.wait(ENDS_S)
        self.kill()


def cpu_s(pid: int) -> float:
    """Return the processor time of a process and of all below it, ended ones included."""
    used = 0.0
    for process in tree(pid):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            used += times.user + times.system + times.children_user + times.children_system
    return used


def tree(pid: int) -> list[psutil.Process]:
    """Return a process and all below it."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


@contextlib.contextmanager
def application(module: str, directory: Path, *, quick: bool = False, **options: Any) -> Iterator[Application]:
    """Run `python -m bench.pipelines.<module>`; the block begins once its Spark session is ready.

    Args:
        module: "ours" or "theirs".
        directory: Directory of its files.
        quick: Let Java compile quickly, for a short run; ours always does.
        options: Options of the application.
    """
    directory.mkdir(parents=True, exist_ok=True)
    options |= {"directory": str(directory)}
    command = [sys.executable, "-m", f"bench.pipelines.{module}", json.dumps(options)]
    environment = {"JDK_JAVA_OPTIONS": " ".join(QUICK_JVM)} if quick else {}
    with running(command, directory / f"{module}.log", environment) as started:
        started.hear(READY_S)
        yield started


@contextlib.contextmanager
def running(
    command: Sequence[str], log: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Application]:
    """Run a program that answers over the channel. None of its processes outlives the block."""
    own, its = socket.socketpair()
    with own, log.open("ab") as output:
        with its:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment, CHANNEL: str(its.fileno())},
                pass_fds=[its.fileno()],
            )
        started = Application(process, own, log)
        try:
            yield started
        finally:
            started.end()


# --- the application's side -------------------------------------------------------------------------------------------


def serve(handlers: dict[str, Callable[..., Any]]) -> None:
    """Answer requests of the parent until "end", or until the parent has ended."""
    with socket.socket(fileno=int(os.environ[CHANNEL])) as channel:
        channel.sendall(line_of("ready"))
        for line in channel.makefile("r", encoding="utf-8"):
            asked = json.loads(line)
            do = asked.pop("do")
            if do == "end":
                return
            channel.sendall(line_of(handlers[do](**asked)))


def line_of(message: Any) -> bytes:
    return f"{json.dumps(message)}\n".encode()
