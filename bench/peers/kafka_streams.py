"""Kafka Streams from its published jars, and the program `Streams.java`, which is compiled on first use."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.apache_kafka import ROOT, VERSION, Unavailable, fetch, program

POM = Path(__file__).with_name("pom.xml")
SOURCE = Path(__file__).with_name("Streams.java")
WORK = ROOT / ".work" / "peers" / f"kafka-streams-{VERSION}"
HEAP = "2G"
SETTINGS = {
    "num.stream.threads": "2",
    "statestore.cache.max.bytes": str(64 << 20),
    "topology.optimization": "all",
    "dsl.store.suppliers.class": "org.apache.kafka.streams.state.BuiltInDslStoreSuppliers$InMemoryDslStoreSuppliers",
    "consumer.max.poll.records": "50000",
    "consumer.max.partition.fetch.bytes": str(16 << 20),
    "consumer.fetch.max.bytes": str(64 << 20),
    "consumer.receive.buffer.bytes": str(4 << 20),
    "producer.batch.size": str(256 << 10),
}
"""Two threads for two cores, state in memory, a large cache, fetches and batches larger than the defaults."""
COMMIT_MS = {"at_least_once": "30000", "exactly_once_v2": "1000"}
"""Commit interval: the default of at least once, which is ten times that of exactly once and saves transactions."""


def settings(guarantee: str) -> str:
    chosen = SETTINGS | {"commit.interval.ms": COMMIT_MS[guarantee]}
    return ", ".join(f"{key}={value.rpartition('.')[2]}" for key, value in chosen.items())


def command(guarantee: str, arguments: Mapping[str, str | int]) -> list[str]:
    chosen = SETTINGS | {
        "processing.guarantee": guarantee,
        "commit.interval.ms": COMMIT_MS[guarantee],
        "state.dir": f"{arguments['directory']}/state",
    }
    given = [str(arguments[name]) for name in ("workload", "address", "topic", "table", "output", "records")]
    return [
        program("java"), f"-Xmx{HEAP}", "-cp", f"{classes()}:{jars()}/*", "Streams",
        *given, *(f"{key}={value}" for key, value in chosen.items()),
    ]  # fmt: skip


def jars() -> Path:
    """Return the directory of the jars; fetch them if they are missing. Raises `Unavailable`."""
    directory = WORK / "jars"
    if not directory.is_dir():
        WORK.mkdir(parents=True, exist_ok=True)
        fetch(directory, POM)
    return directory


def classes() -> Path:
    """Return the directory of the compiled program. Raises `Unavailable`."""
    directory = WORK / "classes"
    compiled = directory / "Streams.class"
    if compiled.exists() and compiled.stat().st_mtime > SOURCE.stat().st_mtime:
        return directory
    done = subprocess.run(
        [program("javac"), "-nowarn", "-cp", f"{jars()}/*", "-d", str(directory), str(SOURCE)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise Unavailable(f"javac cannot compile {SOURCE.name}: {done.stderr}")
    return directory
