"""Kafka Streams from its published jars, and the program `Streams.java`, which is compiled on first use."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.apache_kafka import ROOT, VERSION, Unavailable, fetch, program

POM = Path(__file__).with_name("pom.xml")
SOURCE = Path(__file__).with_name("Streams.java")
WORK = ROOT / ".work" / "peers" / f"streams-{VERSION}"
HEAP = "2G"
DEFAULTS = {"num.stream.threads": "2"}
"""Settings of a new application: state in RocksDB, the consumer's and the producer's defaults, and, with exactly once,
a commit every 100 ms. Two threads for two cores, as Tenure has two tasks."""
TUNED = DEFAULTS | {
    "commit.interval.ms": "1000",
    "statestore.cache.max.bytes": str(64 << 20),
    "topology.optimization": "all",
    "dsl.store.suppliers.class": "org.apache.kafka.streams.state.BuiltInDslStoreSuppliers$InMemoryDslStoreSuppliers",
    "consumer.max.poll.records": "50000",
    "consumer.max.partition.fetch.bytes": str(16 << 20),
    "consumer.fetch.max.bytes": str(64 << 20),
    "consumer.receive.buffer.bytes": str(4 << 20),
    "producer.batch.size": str(256 << 10),
}
"""State in memory, a large cache, fetches and batches larger than the defaults, and a tenth of the transactions."""


def settings_text(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value.rpartition('.')[2]}" for key, value in settings.items())


def command(settings: Mapping[str, str], arguments: Mapping[str, str | int]) -> list[str]:
    chosen = {**settings, "state.dir": f"{arguments['directory']}/state"}
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
