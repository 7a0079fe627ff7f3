"""Kafka Streams applications that count words, each a process of its own (`java/WordCount.java`)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.apache_kafka import QUICK_JVM, jars_of, program

VERSION: Final = "4.3.1"
"""Newest version with published jars; it uses version 0 of the streams protocol."""
SOURCE: Final = Path(__file__).with_name("java") / "WordCount.java"
POM: Final = Path(__file__).with_name("streams_pom.xml")
STOP_TIMEOUT_S: Final = 60.0


def streams_jars() -> Path:
    """Return the directory of the jars. Raises Unavailable."""
    return jars_of(f"kafka-streams-{VERSION}", POM, f"kafka-streams-{VERSION}.jar")


def compiled(directory: Path) -> Path:
    command = [program("javac"), "-cp", str(streams_jars() / "*"), "-d", str(directory), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return directory


class WordCount:
    """Application. `log` contains its states, one a line."""

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


@contextmanager
def applications() -> Iterator[list[WordCount]]:
    """A list of applications that are killed at the end."""
    running: list[WordCount] = []
    try:
        yield running
    finally:
        for each in running:
            each.kill()
