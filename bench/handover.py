"""Start of Tenure and of Apache Kafka on a data directory of Apache Kafka with many offsets, groups and partitions.

Each start has a copy of the directory of its own. It ends when every group answers with its offsets.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bench.brokers import Broker, create_topic, java_options
from bench.figures import Figure, Sample
from bench.sides import PEER
from tenure.protocol.messages import (
    FindCoordinatorRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.apache_kafka import apache_kafka, free_ports, launch
from tests.wire import Wire

GROUPS: Final = 10_000
TOPICS: Final = 20
PARTITIONS: Final = 100
"""Partitions of a topic. A group has committed an offset for each partition of one topic."""
ASKED_AT_ONCE: Final = 50
COMMIT_VERSION, FETCH_VERSION, FIND_VERSION = 8, 8, 4
GROUPS_ASKED: Final = 500
"""Groups whose offsets are asked for: some of each partition of `__consumer_offsets`."""
START_S_MAX: Final = 300.0
PAUSE_S: Final = 0.01
SETTINGS: Final = {"offsets.topic.num.partitions": "50"}


def measure(directory: Path, quick: bool) -> list[Figure]:
    """Measure starts after a clean stop of Apache Kafka, and after `kill -9`."""
    rounds, groups, topics = (1, GROUPS // 50, 1) if quick else (3, GROUPS, TOPICS)
    figures = []
    for ending, data in written(directory, quick, groups, topics):
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(rounds):
            for name, started, start in (
                ("kafka", theirs, partial(start_kafka, quick)),
                ("tenure", ours, start_tenure),
            ):
                copy = directory / f"{name}-{number}"
                copy_of(data, copy)
                started.append(start(copy, groups))
                shutil.rmtree(copy)
        what = (
            f"start on Apache Kafka's directory, {ending}: {groups * PARTITIONS:,} offsets, {groups:,} groups, "
            f"{topics * PARTITIONS:,} partitions"
        )
        ratios = Sample.of([one / other for one, other in zip(ours, theirs, strict=True)])
        figures.append(Figure(what, "s", Sample.of(ours), None, True, PEER, Sample.of(theirs)))
        figures.append(Figure("... times Apache Kafka's start", "x", ratios, 1.0, True))
    return figures


def written(directory: Path, quick: bool, groups: int, topics: int) -> Iterator[tuple[str, Path]]:
    """Yield the directory of a killed broker, and then that of a cleanly stopped one, each with a description."""
    with apache_kafka(directory / "written", settings=SETTINGS, options=java_options(quick)) as broker:
        for number in range(topics):
            create_topic(broker, f"topic-{number}", PARTITIONS)
        commit_all(broker, groups, topics)
        broker.process.kill()
        broker.process.wait()
        copy_of(broker.log_directory.parent, directory / "killed")
        broker.restart({})
        wait_until_loaded(broker.host, broker.port, groups)
        broker.stop()
        copy_of(broker.log_directory.parent, directory / "stopped")
    yield "killed", directory / "killed"
    yield "stopped", directory / "stopped"


def commit_all(broker: Broker, groups: int, topics: int) -> None:
    with Wire(broker.host, broker.port) as wire:
        wait_for_coordinators(wire, groups)
        for first in range(0, groups, ASKED_AT_ONCE):
            for number in range(first, first + ASKED_AT_ONCE):
                wire.send(commit_of(number, topics), COMMIT_VERSION)
            for _ in range(ASKED_AT_ONCE):
                (topic,) = wire.receive().topics
                refused = {partition.error_code for partition in topic.partitions} - {0}
                assert not refused, f"commits were refused with {refused}"


def wait_for_coordinators(wire: Wire, groups: int) -> None:
    """Wait until all groups have a coordinator. The first request for one creates `__consumer_offsets`."""
    keys = [f"group-{number}" for number in range(groups)]
    asked = [OffsetFetchRequestGroup(GroupId(key), topics=None) for key in keys]
    until = time.monotonic() + START_S_MAX
    while True:
        found = wire.ask(FindCoordinatorRequest(key_type=0, coordinator_keys=keys), FIND_VERSION).coordinators
        answers = wire.ask(OffsetFetchRequest(groups=asked), FETCH_VERSION).groups
        if not any(answer.error_code for answer in (*found, *answers)):
            return
        assert time.monotonic() < until, "groups have no coordinator"
        time.sleep(PAUSE_S)


def commit_of(group: int, topics: int) -> OffsetCommitRequest:
    partitions = [OffsetCommitRequestPartition(PartitionId(number), group + number) for number in range(PARTITIONS)]
    topic = OffsetCommitRequestTopic(name=TopicName(f"topic-{group % topics}"), partitions=partitions)
    return OffsetCommitRequest(group_id=GroupId(f"group-{group}"), topics=[topic])


def copy_of(directory: Path, copy: Path) -> None:
    """Copy a directory with its holes: Apache Kafka's index files are some megabytes of zeros."""
    subprocess.run(["cp", "-a", "--sparse=auto", str(directory), str(copy)], check=True)


def start_tenure(directory: Path, groups: int) -> float:
    (port,) = free_ports("127.0.0.1", 1)
    command = [sys.executable, "-m", "tenure", "serve", str(directory / "data"), "--listen", f"127.0.0.1:{port}"]

    def start() -> subprocess.Popen[bytes]:
        with (directory / "output.txt").open("ab") as output:
            return subprocess.Popen(command, stdout=output, stderr=output)

    return time_to_load(start, "127.0.0.1", port, groups)


def start_kafka(quick: bool, directory: Path, groups: int) -> float:
    properties = directory / "server.properties"
    settings = dict(line.split("=", 1) for line in properties.read_text().splitlines())
    settings["log.dirs"] = str(directory / "data")
    properties.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    host, _, port = settings["advertised.listeners"].removeprefix("PLAINTEXT://").rpartition(":")
    return time_to_load(lambda: launch(directory, "1G", java_options(quick)), host, int(port), groups)


def time_to_load(start: Callable[[], subprocess.Popen[bytes]], host: str, port: int, groups: int) -> float:
    began = time.perf_counter()
    with ended(start()) as process:
        wait_until_loaded(host, port, groups, process)
        return time.perf_counter() - began


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until_loaded(host: str, port: int, groups: int, process: subprocess.Popen[bytes] | None = None) -> None:
    """Fetch offsets until the groups answer with all of them."""
    step = max(1, groups // GROUPS_ASKED)
    asked = [OffsetFetchRequestGroup(GroupId(f"group-{number}"), topics=None) for number in range(0, groups, step)]
    until = time.monotonic() + START_S_MAX
    while time.monotonic() < until:
        assert process is None or process.poll() is None, "the broker has ended"
        with suppress(OSError), Wire(host, port) as wire:
            while time.monotonic() < until:
                answers = wire.ask(OffsetFetchRequest(groups=asked), FETCH_VERSION).groups
                if not any(answer.error_code for answer in answers):
                    offsets = [len(topic.partitions) for answer in answers for topic in answer.topics]
                    assert offsets == [PARTITIONS] * len(asked), "offsets are missing"
                    return
                time.sleep(PAUSE_S)
        time.sleep(PAUSE_S)
    raise TimeoutError(f"not all groups answered within {START_S_MAX:.0f} s")
