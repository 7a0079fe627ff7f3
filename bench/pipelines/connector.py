"""Spark's own Kafka connector, from its jars."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.apache_kafka import MAVEN_TIMEOUT_S, program

CONNECTOR = {
    "org.apache.spark:spark-sql-kafka-0-10_2.13": "4.2.0",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13": "4.0.0",
    "org.apache.commons:commons-pool2": "2.12.0",
    "org.apache.kafka:kafka-clients": "3.9.1",
}

FETCHING = {
    "kafka.max.poll.records": "50000",
    "kafka.max.partition.fetch.bytes": str(16 << 20),
    "kafka.fetch.max.bytes": str(64 << 20),
    "kafka.receive.buffer.bytes": str(4 << 20),
}
"""Settings of fetches, larger than Java's defaults, which suit consumers of single records."""


def connector_jars() -> list[str]:
    """Return the jars from Maven's cache; fetch those that are missing."""
    return [jar(name, version) for name, version in CONNECTOR.items()]


def jar(name: str, version: str) -> str:
    group, artifact = name.split(":")
    directory = Path.home() / ".m2" / "repository" / Path(*group.split(".")) / artifact / version
    path = directory / f"{artifact}-{version}.jar"
    if not path.exists():
        wanted = f"-Dartifact={name}:{version}"
        command = [program("mvn"), "-q", "-B", "dependency:get", "-Dtransitive=false", wanted]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=True, timeout=MAVEN_TIMEOUT_S)
    return str(path)
