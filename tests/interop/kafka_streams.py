"""Kafka Streams applications: each a process of its own that counts words, or several in one process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.apache_kafka import QUICK_JVM, jars_of, program

VERSION: Final = "4.4.0"
SOURCES: Final = [Path(__file__).with_name("java") / f"{name}.java" for name in ("WordCount", "StreamsApplications")]
POM: Final = Path(__file__).with_name("streams_pom.xml")
STOP_TIMEOUT_S: Final = 60.0


def streams_jars() -> Path:
    """Return the directory of the jars. Raises Unavailable."""
    return jars_of(f"kafka-streams-{VERSION}", POM, f"kafka-streams-{VERSION}.jar")


def compiled(directory: Path) -> Path:
    quick = [f"-J{option}" for option in QUICK_JVM]
    command = [program("javac"), *quick, "-cp", str(streams_jars() / "*"), "-d", str(directory), *map(str, SOURCES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return directory


class WordCount:
    """Application (`java/WordCount.java`). `log` contains its states, one a line."""

    def __init__(self, classes: Path, address: str, directory: Path, name: str, *configs: str) -> None:
        self.log: Final = directory / f"{name}.log"
        path = f"{streams_jars() / '*'}:{classes}"
        arguments = [address, "words-counted", str(directory / name), *configs]
        command = [program("java"), *QUICK_JVM, "-Xmx256M", "-cp", path, "WordCount", *arguments]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)

    @property
    def states(self) -> list[str]:
        return self.log.read_text().split()

    def stop(self) -> None:
        """Close the application; its members leave."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(STOP_TIMEOUT_S)

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


class StreamsApplications:
    """Process with several applications (`java/StreamsApplications.java`)."""

    def __init__(self, classes: Path, address: str, directory: Path) -> None:
        self._address: Final = address
        self._directory: Final = directory
        self._log: Final = directory / "applications.log"
        path = f"{streams_jars() / '*'}:{classes}"
        command = [program("java"), *QUICK_JVM, "-Xmx512M", "-cp", path, "StreamsApplications"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, text=True)

    def start(self, name: str, topology: str, application_id: str, **configs: str) -> None:
        """Start an application. Keys of configs have underscores for dots."""
        fields = {
            "bootstrap.servers": self._address,
            "application.id": application_id,
            "state.dir": str(self._directory / name),
            **{key.replace("_", "."): value for key, value in configs.items()},
        }
        self._command("start", name, topology, *(f"{key}={value}" for key, value in fields.items()))

    def stop(self, name: str) -> None:
        """Close an application. A member with a group.instance.id keeps its tasks until its session ends."""
        self._command("stop", name)

    def states(self, name: str) -> list[str]:
        """Return what an application has reported so far: its states, and errors."""
        lines = (line.split(maxsplit=1) for line in self._log.read_text().splitlines())
        return [found[1] for found in lines if len(found) == 2 and found[0] == name]

    def _command(self, *words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """`kill -9`."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


@contextmanager
def applications() -> Iterator[list[WordCount]]:
    """A list of applications that are killed at the end."""
    running: list[WordCount] = []
    try:
        yield running
    finally:
        for each in running:
            each.kill()
