"""Duration of batches of eight records: from the lookup of the log end until the output is visible and durable."""

from __future__ import annotations

from pathlib import Path
from statistics import median, quantiles

from bench.brokers import tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.records import fill

MEDIAN_MS_MAX = 300.0
P99_MS_MAX = 600.0
PARTITIONS = 4
RECORDS = 8
WARM = 20


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, batches = (1, 50) if quick else (3, 1_000)
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        fill(broker, "trivial", PARTITIONS, (batches + WARM) * RECORDS, per_batch=RECORDS // PARTITIONS)
        taken_ms = [one_run(broker.address, directory / f"run-{number}")[WARM:] for number in range(rounds)]
    assert all(len(each) == batches for each in taken_ms)
    p99_ms = [quantiles(each, n=100)[-1] for each in taken_ms]
    return [
        Figure(
            "trivial batch, end to end, median",
            "ms",
            Sample.of([median(each) for each in taken_ms]),
            MEDIAN_MS_MAX,
            less_is_better=True,
        ),
        Figure(f"... p99 over {batches} batches", "ms", Sample.of(p99_ms), P99_MS_MAX, less_is_better=True),
    ]


def one_run(address: str, scratch: Path) -> list[float]:
    with application("ours", scratch, address=address) as ours:
        found = ours.ask("counted", topic="trivial", max_records=RECORDS, tasks=1)
    return [seconds * 1e3 for seconds in found["batch_s"]]
