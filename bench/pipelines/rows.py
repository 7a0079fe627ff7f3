"""Rows per CPU-second from a broker into a Python function and on to a commit, beside Spark's own connector.

Both count records by key in whole columns, write the counts to Parquet and commit, in batches of equal size. The
processor time is that of the whole application with its JVM and Python workers, without the broker. Ours also keeps the
count of each key as state, which a stream of the connector into `mapInArrow` cannot.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import Application, application
from bench.pipelines.connector import FETCHING
from bench.records import RECORDS_PER_BATCH, VALUE, fill

TIMES_THE_CONNECTOR_MIN = 3.0
FIRST_TIMES_THE_CONNECTOR_MIN = 5.0
PARTITIONS = 4
BATCH_RECORDS = 1_000_000
CONNECTOR = {"operator": "mapInArrow", "max_records": BATCH_RECORDS}


class Records(NamedTuple):
    topic: str
    what: str
    value: bytes
    per_batch: int


TOPICS = (
    Records("bench-100", "100 B", VALUE, RECORDS_PER_BATCH),
    Records("bench-1000", "1 KB", VALUE * 10, 900),
)


class Run(NamedTuple):
    per_cpu_second: float
    per_second: float


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (1, 200_000) if quick else (3, 4_000_000)
    ours: list[list[Run]] = []
    theirs: list[list[Run]] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        counts = [fill(broker, kind.topic, PARTITIONS, records, kind.per_batch, kind.value) for kind in TOPICS]
        fill(broker, "warm-up", PARTITIONS, 120_000)
        for number in range(rounds):
            scratch = directory / f"run-{number}"
            ours.append(runs("ours", scratch, broker, counts, quick, {"max_records": BATCH_RECORDS}))
            theirs.append(runs("theirs", scratch, broker, counts, quick, CONNECTOR))
    return [
        figure
        for number, kind in enumerate(TOPICS)
        for figure in figures(kind, [run[number] for run in ours], [run[number] for run in theirs])
    ]


def measure_first(directory: Path, quick: bool) -> list[Figure]:
    """Measure the first million records of 1 KB of applications that have processed nothing before."""
    return first_records(directory, quick, rounds=1 if quick else 5)


def measure_first_goals(directory: Path, quick: bool) -> list[Figure]:
    return first_records(directory, quick, rounds=1 if quick else 2)


def first_records(directory: Path, quick: bool, rounds: int) -> list[Figure]:
    records = 200_000 if quick else 1_000_000
    kind = TOPICS[1]
    found: dict[str, list[Run]] = {"ours": [], "theirs": []}
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        count = fill(broker, kind.topic, PARTITIONS, records, kind.per_batch, kind.value)
        for number in range(rounds):
            for module, how in (("ours", {"max_records": BATCH_RECORDS}), ("theirs", CONNECTOR)):
                with application(module, directory / f"run-{number}", quick=quick, address=broker.address) as measured:
                    found[module].append(run(measured, "counted", kind.topic, count, **how))
    return figures(kind, found["ours"], found["theirs"], "the first million ", FIRST_TIMES_THE_CONNECTOR_MIN)


def runs(
    module: str, scratch: Path, broker: Broker, counts: list[int], quick: bool, how: dict[str, object]
) -> list[Run]:
    """Run one application over every topic, after a warm-up."""
    with application(module, scratch, quick=quick, address=broker.address) as measured:
        measured.ask("counted", topic="warm-up", **how)
        return [run(measured, "counted", kind.topic, count, **how) for kind, count in zip(TOPICS, counts, strict=True)]


def run(measured: Application, do: str, topic: str, expected: int, **how: object) -> Run:
    before = measured.cpu_s()
    found = measured.ask(do, topic=topic, **how)
    used = measured.cpu_s() - before
    assert found["records"] == expected, f"{found['records']} records of {topic} were counted, of {expected}"
    return Run(expected / used, expected / found["wall_s"])


def figures(
    kind: Records,
    ours: list[Run],
    theirs: list[Run],
    which: str = "",
    times_min: float = TIMES_THE_CONNECTOR_MIN,
) -> list[Figure]:
    ratios = [own.per_cpu_second / other.per_cpu_second for own, other in zip(ours, theirs, strict=True)]
    settings = ", ".join(f"{key}={value}" for key, value in FETCHING.items())
    return [
        Figure(
            f"pipeline, {which}{kind.what} records into a Python function, broker to commit",
            "rows/CPU-s",
            Sample.of([each.per_cpu_second for each in ours]),
            peer="Spark's connector and mapInArrow",
            theirs=Sample.of([each.per_cpu_second for each in theirs]),
            remarks=[f"{BATCH_RECORDS} records to a batch; the connector with {settings}"],
        ),
        Figure("... times Spark's connector", "x", Sample.of(ratios), times_min),
        Figure(
            "... wall",
            "rows/s",
            Sample.of([each.per_second for each in ours]),
            peer="Spark's connector and mapInArrow",
            theirs=Sample.of([each.per_second for each in theirs]),
        ),
    ]
