"""Records per second through librdkafka, written and read, and read by Java's consumer, beside Apache Kafka.

The client is a process of its own (`librdkafka`), the same for every broker. On two cores the client is often the
bottleneck, so the broker's processor time for a million records is shown, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from bench.brokers import Broker, create_topic, java_options, pid_of, tenure
from bench.client import said
from bench.coordinator import PEER, brokers
from bench.figures import Figure, Sample
from bench.librdkafka import CONSUMING, PRODUCING, client
from bench.records import fill
from tests.apache_kafka import java

PARTITIONS = 4
RECORDS = 2_000_000
SYNCED = "fsync"
TIMES_KAFKA_MIN = 1.0
SYNCED_TIMES_KAFKA_MIN = 0.5
"""Multiple of Apache Kafka's throughput into its page cache."""
JAVA_TIMEOUT_S = 120.0
ROUNDS, QUICK_ROUNDS = range(6), range(1, 2)
"""Round 0 is dropped: Java's code is not compiled yet. A short run has none."""


class Kind(NamedTuple):
    """Kind of records, and their number relative to `RECORDS`."""

    what: str
    value_bytes: int
    part: float


KINDS = (Kind("100 B", 100, 1), Kind("1 KB", 1_000, 0.15))


@dataclass
class Runs:
    """Runs of one broker."""

    per_second: list[float] = field(default_factory=list)
    processor_s: list[float] = field(default_factory=list)
    """Processor time of the broker for a million records."""

    def add(self, broker: Broker, records: int, work: Callable[[], float]) -> None:
        """Add a run; `work` returns the seconds by the client's clock."""
        process = psutil.Process(pid_of(broker))
        before = process.cpu_times()
        self.per_second.append(records / work())
        after = process.cpu_times()
        used_s = after.user + after.system - before.user - before.system
        self.processor_s.append(used_s / records * 1e6)


def produce(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (QUICK_ROUNDS, RECORDS // 10) if quick else (ROUNDS, RECORDS)
    runs: dict[str, dict[str, Runs]] = {}
    with contextlib.ExitStack() as running:
        sides = running.enter_context(brokers(directory, quick))
        sides[SYNCED] = running.enter_context(tenure(directory / SYNCED, tenure_data_durability="fsync"))
        for kind in KINDS:
            count = int(records * kind.part)
            for number in rounds:
                for name, broker in sides.items():
                    topic = f"produced-{kind.value_bytes}-{number}"
                    create_topic(broker, topic, PARTITIONS)
                    one = counted(runs, kind.what, name, number)
                    one.add(broker, count, librdkafka("produce", broker, topic, count, kind))
    remark = f"with {said(PRODUCING)}; librdkafka's defaults otherwise"
    return [
        figure
        for kind, sides_of in runs.items()
        for figure in beside_kafka(f"produced through librdkafka, {kind}", sides_of, remark)
    ]


def fetch(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (QUICK_ROUNDS, RECORDS // 10) if quick else (ROUNDS, RECORDS)
    runs: dict[str, dict[str, Runs]] = {}
    by_librdkafka, by_java = "fetched through librdkafka", "fetched through Java's consumer"
    with brokers(directory, quick) as sides:
        for kind in KINDS:
            topic = f"fetched-{kind.value_bytes}"
            per_batch = 750_000 // kind.value_bytes
            for broker in sides.values():
                count = fill(broker, topic, PARTITIONS, int(records * kind.part), per_batch, bytes(kind.value_bytes))
            for number in rounds:
                for name, broker in sides.items():
                    one = counted(runs, f"{by_librdkafka}, {kind.what}", name, number)
                    one.add(broker, count, librdkafka("consume", broker, topic, count, kind))
                    one = counted(runs, f"{by_java}, {kind.what}", name, number)
                    one.add(broker, count, java_consumer(broker, topic, count, quick))
    remark = f"librdkafka with {said(CONSUMING)}; Java's consumer as kafka-consumer-perf-test has it"
    return [figure for what, sides_of in runs.items() for figure in beside_kafka(what, sides_of, remark)]


def counted(runs: dict[str, dict[str, Runs]], what: str, name: str, number: int) -> Runs:
    """Return the place for the figures of a round."""
    return Runs() if number == 0 else runs.setdefault(what, {}).setdefault(name, Runs())


def librdkafka(action: str, broker: Broker, topic: str, count: int, kind: Kind) -> Callable[[], float]:
    return lambda: client(action, broker.address, topic, PARTITIONS, count, kind.value_bytes)


def java_consumer(broker: Broker, topic: str, count: int, quick: bool) -> Callable[[], float]:
    """Run Java's consumer; return its own figure for the time of fetches, without that of the group."""

    def work() -> float:
        wanted = ["--bootstrap-server", broker.address, "--topic", topic, "--num-records", str(count)]
        program, options = "org.apache.kafka.tools.ConsumerPerformance", java_options(quick)
        told = java(program, *wanted, heap="1G", options=options, timeout_s=JAVA_TIMEOUT_S)
        heads, values = (line.split(", ") for line in told.splitlines() if ", " in line)
        row = dict(zip(heads, values, strict=True))
        assert int(row["data.consumed.in.nMsg"]) >= count, told
        return float(row["fetch.time.ms"]) / 1e3

    return work


def beside_kafka(what: str, sides: dict[str, Runs], remark: str) -> list[Figure]:
    theirs = sides[PEER]
    figures: list[Figure] = []
    for name, ours in sides.items():
        if name == PEER:
            continue
        ratios = [one / other for one, other in zip(ours.per_second, theirs.per_second, strict=True)]
        rate, processor = Sample.of(theirs.per_second), Sample.of(theirs.processor_s)
        bound = SYNCED_TIMES_KAFKA_MIN if name == SYNCED else TIMES_KAFKA_MIN
        used = "... the broker's processor time for a million"
        figures += [
            Figure(f"{what}, {name}", "records/s", Sample.of(ours.per_second), peer=PEER, theirs=rate),
            Figure("... times Apache Kafka", "x", Sample.of(ratios), bound),
            Figure(used, "s", Sample.of(ours.processor_s), peer=PEER, theirs=processor),
        ]
    figures[0].remarks.append(remark)
    return figures
