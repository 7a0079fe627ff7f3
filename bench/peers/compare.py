"""Rows per processor second of Tenure and of other stream processors, on Apache Kafka in one run.

Each side works through two inputs of different sizes. Its figure is the difference of the records divided by the
difference of the processor time, so that its start cancels out. The output of every run is compared with a direct
computation.

Kafka Streams takes part twice. The goals are for its defaults, because both sides then run as they do for a user who
declares the work and sets nothing; Tenure has no settings here but the number of tasks. The tuned one shows the ratio
to Kafka Streams with state in memory, large fetches and few commits, which most of its users never set. Tenure's state
is in files in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.brokers import Broker, create_topic, kafka
from bench.figures import Figure, Sample
from bench.peers.sides import EXACTLY_ONCE, EXACTLY_ONCE_TUNED, SIDES, STRUCTURED, TENURE, Run, Side
from bench.peers.workloads import (
    COUNTS,
    EACH,
    LARGE,
    PARTITIONS,
    WINDOWS,
    WORKLOADS,
    Input,
    Workload,
    check,
    fill,
    fill_table,
)
from tests.apache_kafka import Unavailable

TIMES_MIN = {
    (COUNTS.name, EXACTLY_ONCE.name): 20.0,
    (EACH.name, EXACTLY_ONCE.name): 3.0,
    (WINDOWS.name, EXACTLY_ONCE.name): 5.0,
    (LARGE.name, STRUCTURED.name): 5.0,
}
QUICK_PART = 5
"""Size of the inputs of a quick run, as a share of the others."""
ROUNDS = 3
MESSAGE_BYTES = 4 << 20
"""Limit of the broker for a batch. A batch of the input with records of 1 KB has 2 MB."""


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    yield from compared(directory, quick, SIDES, WORKLOADS)


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    """Measure only what has a goal, in a third of the time."""
    workloads = [workload for workload in WORKLOADS if any(workload.name == name for name, _ in TIMES_MIN)]
    structured = replace(STRUCTURED, workloads=(LARGE,))
    yield from compared(directory, quick, (TENURE, EXACTLY_ONCE, EXACTLY_ONCE_TUNED, structured), workloads)


def measure_counts(directory: Path, quick: bool) -> Iterator[Figure]:
    """Measure counts per key beside Kafka Streams only, with small inputs, in a minute.

    One round is not enough: between runs on a quiet machine, the ratio was 12 to 27.
    """
    yield from compared(directory, True, (TENURE, EXACTLY_ONCE), [COUNTS], 1 if quick else ROUNDS)


def compared(
    directory: Path, quick: bool, sides: Sequence[Side], workloads: Sequence[Workload], rounds: int | None = None
) -> Iterator[Figure]:
    if rounds is None:
        rounds = 1 if quick else ROUNDS
    settings = {"group_initial_rebalance_delay_ms": "0", "message_max_bytes": str(MESSAGE_BYTES)}
    with kafka(directory / "broker", quick, **settings) as broker:
        comparison = Comparison(broker, directory, quick, sides, rounds)
        fill_table(broker)
        for workload in workloads:
            yield from comparison.figures(workload)


class Comparison:
    """Comparison of the sides that this machine can run, with their inputs."""

    def __init__(self, broker: Broker, directory: Path, quick: bool, sides: Sequence[Side], rounds: int) -> None:
        self.broker, self.directory, self.quick, self.rounds = broker, directory, quick, rounds
        self.inputs: dict[tuple[str, int], Input] = {}
        self.runs = 0
        self.sides: list[Side] = []
        self.absent: list[str] = []
        for side in sides:
            try:
                side.prepare()
                self.sides.append(side)
            except Unavailable as reason:
                self.absent.append(f"{side.name} is absent: {reason}")

    def figures(self, workload: Workload) -> Iterator[Figure]:
        """Measure all sides in turn; yield each figure after the last round of its side."""
        sides = [side for side in self.sides if workload in side.workloads]
        found: dict[str, list[float]] = {side.name: [] for side in sides}
        for number in range(self.rounds):
            for side in sides:
                found[side.name].append(self.rate(side, workload))
                if number < self.rounds - 1:
                    continue
                yield Figure(
                    f"{workload.what}, {side.name}", "rows/CPU-s", Sample.of(found[side.name]),
                    remarks=[side.settings, *(self.absent if side is TENURE and workload is COUNTS else ())],
                )  # fmt: skip
                if side is not TENURE:
                    pairs = zip(found[TENURE.name], found[side.name], strict=True)
                    times = Sample.of([own / other for own, other in pairs])
                    yield Figure(
                        f"... Tenure, times {side.name}", "x", times, TIMES_MIN.get((workload.name, side.name))
                    )

    def rate(self, side: Side, workload: Workload) -> float:
        """Return records per processor second, from the differences between a large and a small input."""
        small, large = (self.input(workload, batches // (QUICK_PART if self.quick else 1)) for batches in side.batches)
        used_s = self.cpu_s(side, workload, large) - self.cpu_s(side, workload, small)
        return (large.records - small.records) / used_s

    def cpu_s(self, side: Side, workload: Workload, given: Input) -> float:
        """Run a side and check its output."""
        self.runs += 1
        output = f"out-{self.runs}"
        create_topic(self.broker, output, PARTITIONS)
        directory = self.directory / output
        directory.mkdir()
        used_s = side.cpu_s(Run(workload, given, output, self.broker.address, directory))
        check(workload, given, self.broker.address, output)
        return used_s

    def input(self, workload: Workload, batches: int) -> Input:
        key = (workload.topic, batches)
        if key not in self.inputs:
            self.inputs[key] = fill(self.broker, workload, batches)
        return self.inputs[key]
