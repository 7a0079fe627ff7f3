"""Hosts of a measured take-over: each is a process that works on the topic, or keeps a warm copy of its state."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.brokers import Broker, create_topic
from bench.peers import kafka_streams
from bench.pipelines.application import LOG_CHARACTERS, Application, application
from bench.pipelines.restart import TOPIC, state_bytes

STREAMS_GROUP = "kept"
"""Application id of Kafka Streams, and its output topic."""
STREAMS_SETTINGS = {
    "group.protocol": "streams",
    "processing.guarantee": "exactly_once_v2",
    "num.stream.threads": "1",
}
"""One thread, because the topic has one partition; all other settings have Kafka's defaults."""
NEVER = 2**62
"""Number of records after which Kafka Streams would end."""


class Host(Protocol):
    def has_copies(self) -> bool:
        """Return whether the copy of the state is complete."""

    def kill(self) -> None:
        """`kill -9`."""

    @property
    def end_of_log(self) -> str: ...


@dataclass(frozen=True)
class Hosts:
    """Kind of host. `start(number)` starts one, with files of its own."""

    group: str
    start: Callable[[int], AbstractContextManager[Host]]


# --- Tenure -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PipelineHost:
    running: Application
    temporary: Path
    scratch: Path

    def has_copies(self) -> bool:
        """Compare the sizes of the files: copies are not compressed."""
        copied = sum(path.stat().st_size for path in self.temporary.rglob("tenure-state-*/*/*.arrow"))
        return copied >= state_bytes(self.scratch)

    def kill(self) -> None:
        self.running.kill()

    @property
    def end_of_log(self) -> str:
        return self.running.end_of_log


def pipeline_hosts(broker: Broker, directory: Path, keys: int) -> Hosts:
    """Return hosts that share output and state, and have temporary directories of their own."""
    scratch = directory / "run"

    @contextlib.contextmanager
    def start(number: int) -> Iterator[Host]:
        temporary = directory / f"host-{number}"
        with application("ours", scratch, address=broker.address, temporary=str(temporary)) as running:
            running.ask("run_python")
            running.ask("joined", topic=TOPIC, function="keep", tasks=1, max_records=keys // 4)
            yield PipelineHost(running, temporary, scratch)

    return Hosts(f"{TOPIC}-{scratch.name}", start)


# --- Kafka Streams ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StreamsHost:
    process: subprocess.Popen[bytes]
    log: Path
    keys: int

    def has_copies(self) -> bool:
        """Compare the number of copied records, which the program prints: the changelog has one for each key."""
        lines = self.log.read_text().splitlines()
        return bool(lines) and lines[-1].startswith("copied ") and int(lines[-1].split()[1]) >= self.keys

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def end_of_log(self) -> str:
        return self.log.read_text(errors="replace")[-LOG_CHARACTERS:]


def streams_hosts(broker: Broker, directory: Path, keys: int) -> Hosts:
    """Return hosts with Kafka Streams, each with a state directory of its own. Raises `Unavailable`."""
    create_topic(broker, STREAMS_GROUP, 1)

    @contextlib.contextmanager
    def start(number: int) -> Iterator[Host]:
        own = directory / f"host-{number}"
        own.mkdir(parents=True)
        arguments: dict[str, str | int] = {
            "workload": "keep",
            "address": broker.address,
            "topic": TOPIC,
            "table": "",
            "output": STREAMS_GROUP,
            "records": NEVER,
            "directory": str(own),
        }
        log = own / "output.txt"
        with log.open("wb") as output:
            command = kafka_streams.command(STREAMS_SETTINGS, arguments)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=own)
        host = StreamsHost(process, log, keys)
        try:
            yield host
        finally:
            host.kill()

    return Hosts(STREAMS_GROUP, start)
