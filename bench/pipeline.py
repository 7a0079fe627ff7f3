"""Our pipeline beside Spark's own Kafka connector into Python, on the same records of the same broker, in turns.

Rows per CPU-second count the application's whole tree of processes, JVM and Python workers, the broker left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from bench.brokers import tenure
from bench.figures import Figure, Sample
from bench.records import fill
from tests.apache_kafka import program

TRIVIAL_MS_MAX = 400.0
TIMES_THE_CONNECTOR_MIN = 2.0
PARTITIONS = 4
TRIVIAL_RECORDS = 240
PREFIX = "bench: "

CONNECTOR = {
    "org.apache.spark:spark-sql-kafka-0-10_2.13": "4.2.0",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13": "4.0.0",
    "org.apache.commons:commons-pool2": "2.12.0",
    "org.apache.kafka:kafka-clients": "3.9.1",
}


@dataclass(frozen=True, slots=True)
class Run:
    records: int
    cpu_s: float
    wall_s: float
    trivial_ms: float = 0.0

    @property
    def per_cpu_second(self) -> float:
        return self.records / self.cpu_s

    @property
    def per_second(self) -> float:
        return self.records / self.wall_s


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (1, 400_000) if quick else (3, 4_000_000)
    jars = connector_jars()
    ours: list[Run] = []
    theirs: list[Run] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        count = fill(broker, "bench", PARTITIONS, records)
        fill(broker, "warm-up", PARTITIONS, 120_000)
        fill(broker, "trivial", PARTITIONS, TRIVIAL_RECORDS, per_batch=1)
        for number in range(rounds):
            scratch = directory / f"run-{number}"
            ours.append(run("tenure", broker.address, scratch, [], count))
            theirs.append(run("connector", broker.address, scratch, jars, count))
    ratios = [one.per_cpu_second / other.per_cpu_second for one, other in zip(ours, theirs, strict=True)]
    return [
        Figure(
            "pipeline, trivial batch",
            "ms",
            Sample.of([one.trivial_ms for one in ours]),
            TRIVIAL_MS_MAX,
            less_is_better=True,
        ),
        Figure(
            "pipeline, 100 B records through a counting function",
            "rows/CPU-s",
            Sample.of([one.per_cpu_second for one in ours]),
            peer="Spark's connector",
            theirs=Sample.of([one.per_cpu_second for one in theirs]),
        ),
        Figure("... times Spark's connector", "x", Sample.of(ratios), TIMES_THE_CONNECTOR_MIN),
        Figure(
            "... wall",
            "rows/s",
            Sample.of([one.per_second for one in ours]),
            peer="Spark's connector",
            theirs=Sample.of([one.per_second for one in theirs]),
        ),
    ]


def run(kind: str, address: str, scratch: Path, jars: list[str], expected: int, topic: str = "bench") -> Run:
    """One application, from its start to its end; only what lies between its two marks is counted."""
    command = [sys.executable, "-m", "bench.counting", kind, address, topic, "warm-up", str(scratch), *jars]
    scratch.mkdir(exist_ok=True)
    with (
        (scratch / f"{kind}.txt").open("w") as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1
        ) as application,
    ):
        try:
            hear(application, log.name)
            before = cpu_s(application.pid)
            go_on(application)
            found = hear(application, log.name)
            used = cpu_s(application.pid) - before
            assert found["records"] == expected, f"{kind} counted {found['records']} records of {expected}"
            go_on(application)
            trivial = hear(application, log.name)["batch_ms"] if kind == "tenure" else 0.0
            go_on(application)
            application.wait(60)
            return Run(found["records"], used, found["wall_s"], trivial)
        finally:
            end(application)


def hear(application: subprocess.Popen[str], log: str) -> Any:
    """What it tells next; other lines are Spark's."""
    assert application.stdout is not None
    for line in application.stdout:
        if line.startswith(PREFIX):
            told = line.removeprefix(PREFIX).strip()
            return None if told == "begin" else json.loads(told)
    raise RuntimeError(f"the application ended early: {Path(log).read_text()[-2_000:]}")


def go_on(application: subprocess.Popen[str]) -> None:
    assert application.stdin is not None
    application.stdin.write("\n")
    application.stdin.flush()


def cpu_s(pid: int) -> float:
    """What a process and all below it have used; who has ended is in its parent's account."""
    root = psutil.Process(pid)
    used = 0.0
    for process in [root, *root.children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        used += times.user + times.system + times.children_user + times.children_system
    return used


def end(application: subprocess.Popen[str]) -> None:
    """Nobody stays behind, however it went."""
    if application.poll() is None:
        tree = [*psutil.Process(application.pid).children(recursive=True), psutil.Process(application.pid)]
        for process in tree:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue


def connector_jars() -> list[str]:
    """From Maven's own cache, fetched where missing."""
    return [jar(name, version) for name, version in CONNECTOR.items()]


def jar(name: str, version: str) -> str:
    group, artifact = name.split(":")
    directory = Path.home() / ".m2" / "repository" / Path(*group.split(".")) / artifact / version
    path = directory / f"{artifact}-{version}.jar"
    if not path.exists():
        wanted = f"-Dartifact={name}:{version}"
        subprocess.run([program("mvn"), "-q", "-B", "dependency:get", "-Dtransitive=false", wanted], check=True)
    return str(path)
