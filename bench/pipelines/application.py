"""An application that is measured: a process of its own with its Java machine and Python workers below it.

It is told what to do in lines of JSON on its standard input, and answers in lines of its own on its standard output.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

PREFIX = "bench: "
ENDS_S = 60.0


class Application:
    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self.log = log

    def ask(self, do: str, **arguments: Any) -> Any:
        """Have it do something, and wait for what it says of it."""
        self.tell(do, **arguments)
        return self.hear()

    def tell(self, do: str, **arguments: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """What it says next; lines without the prefix are Spark's."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(PREFIX):
                return json.loads(line.removeprefix(PREFIX))
        raise RuntimeError(f"the application ended early: {self.log.read_text()[-3_000:]}")

    def cpu_s(self) -> float:
        """What it and all below it have used; who has ended is in its parent's account."""
        used = 0.0
        for process in self.tree():
            with contextlib.suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                used += times.user + times.system + times.children_user + times.children_system
        return used

    def tree(self) -> list[psutil.Process]:
        root = psutil.Process(self.process.pid)
        return [root, *root.children(recursive=True)]

    def kill(self) -> None:
        """kill -9, all of it at once, as when a machine dies."""
        if self.process.poll() is None:
            for process in self.tree():
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        self.process.wait(ENDS_S)

    def end(self) -> None:
        """As its user would end it; nobody stays behind, however that goes."""
        if self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired, BrokenPipeError):
                self.tell("end")
                self.process.wait(ENDS_S)
        self.kill()


@contextlib.contextmanager
def application(module: str, directory: Path, **options: Any) -> Iterator[Application]:
    """`python -m bench.pipelines.<module>`, once its Spark session is ready."""
    directory.mkdir(parents=True, exist_ok=True)
    log = directory / f"{module}.log"
    command = [sys.executable, "-m", f"bench.pipelines.{module}", json.dumps({"directory": str(directory), **options})]
    with (
        log.open("a") as errors,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, bufsize=1
        ) as process,
    ):
        started = Application(process, log)
        try:
            started.hear()
            yield started
        finally:
            started.end()


# --- the other side ---------------------------------------------------------------------------------------------------


def serve(handlers: dict[str, Callable[..., Any]]) -> None:
    """The application's own loop, until it is told to end."""
    say("ready")
    for line in sys.stdin:
        asked = json.loads(line)
        do = asked.pop("do")
        if do == "end":
            return
        say(handlers[do](**asked))


def say(what: Any) -> None:
    print(f"{PREFIX}{json.dumps(what)}", flush=True)
