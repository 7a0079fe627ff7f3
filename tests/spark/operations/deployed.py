"""Applications as users deploy them: `tenure pipeline run FILE:pipeline` in a process, and the commands around it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from tests.command_line import app

PATIENCE_S = 120.0
LOOK_S = 0.3

DECLARED = """
from pathlib import Path
from tests.spark.counting import counting

pipeline = counting({topic!r}, Path({sink!r}))
"""


class Deployment:
    def __init__(self, address: str, topic: str, place: Path) -> None:
        self.group = f"count-{topic}"
        self.sink = place / "out"
        self.file = place / f"declared_{topic.replace('-', '_')}.py"
        self.file.write_text(DECLARED.format(topic=topic, sink=str(self.sink)))
        self.reference = f"{self.file}:pipeline"
        self.place = place
        self.environment = {"TENURE_BOOTSTRAP_SERVERS": address}
        self.started: list[subprocess.Popen[str]] = []

    def start(self, *options: str, **environment: str) -> "subprocess.Popen[str]":
        """Start `tenure pipeline run` in a session of its own."""
        log = (self.place / f"log-{len(self.started)}").open("w")
        with log:
            child = subprocess.Popen(
                [sys.executable, "-m", "tenure", "pipeline", "run", self.reference, *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                env=os.environ | self.environment | environment,
            )
        self.started.append(child)
        return child

    def log(self, number: int = 0) -> str:
        return (self.place / f"log-{number}").read_text()

    def run(self, command: str, *options: str) -> Result:
        return CliRunner().invoke(app, ["pipeline", command, *options], env=self.environment, catch_exceptions=False)

    def __call__(self, command: str, *options: str) -> str:
        done = self.run(command, self.group, *options)
        assert done.exit_code == 0, (command, done.stdout, done.stderr, self.logs())
        return str(done.stdout)

    def json(self, command: str, *options: str) -> Any:
        return json.loads(self(command, *options, "--json"))

    def status(self) -> dict[str, Any]:
        """Return the status of the group and its applications; there may be none."""
        return dict(json.loads(self.run("status", self.group, "--json").stdout))

    def activity(self, number: int = 0) -> str:
        """Return the activity of an application and of its members; "" if it cannot be reached."""
        for one in self.status()["applications"]:
            if one["pid"] == self.started[number].pid:
                members = {member["doing"] for member in one.get("members", ())}
                return " ".join([one["doing"], *sorted(members)])
        return ""

    def wait_for(self, what: Callable[[], Any]) -> Any:
        """Wait until `what` returns a true value, and return it."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            if found := what():
                return found
            assert any(child.poll() is None for child in self.started), self.logs()
            time.sleep(LOOK_S)
        raise AssertionError(f"it did not come to that: {self.status()}\n{self.logs()}")

    def wait_until(self, activity: str, number: int = 0) -> None:
        self.wait_for(lambda: self.activity(number) == activity)

    def ended(self, number: int = 0) -> int:
        return self.started[number].wait(PATIENCE_S)

    def logs(self) -> str:
        return "\n".join(f"--- {number}\n{self.log(number)}" for number in range(len(self.started)))


@contextmanager
def deployment(address: str, topic: str, place: Path) -> Iterator[Deployment]:
    deployed = Deployment(address, topic, place)
    try:
        yield deployed
    finally:
        for child in deployed.started:
            kill_group(child)


def kill_group(child: "subprocess.Popen[str]") -> None:
    """Kill a process with its process group: Spark, and a supervised application."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
