"""Memory of the driver over 10,000 batches: its Python process, and the live objects of the Java machine.

The first batches fill Spark's history for its pages (a thousand jobs, stages and queries). After that, memory must not
grow with the number of batches.
"""

from __future__ import annotations

from pathlib import Path

from bench.brokers import tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.records import fill

GROWTH_MB_MAX = 10.0
"""Maximum growth from the first fifth of the batches to the end, which allocators and compilers may cause."""
PARTITIONS = 4
RECORDS = 8


def measure(directory: Path, quick: bool) -> list[Figure]:
    batches = 100 if quick else 10_000
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        fill(broker, "many", PARTITIONS, batches * RECORDS, per_batch=RECORDS // PARTITIONS)
        with application("ours", directory / "run", address=broker.address) as ours:
            held = ours.ask("watched", topic="many", max_records=RECORDS, every=batches // 10)
    at = [number for number, _, _ in held]
    assert at[-1] >= batches, f"{at[-1]} batches of {batches}"
    return [
        Figure(
            f"driver, {what}, growth from batch {at[1]} to {at[-1]}",
            "MB",
            Sample.of([(series[-1] - series[1]) / 1e6]),
            GROWTH_MB_MAX,
            less_is_better=True,
            remarks=[", ".join(f"{number}: {size / 1e6:.0f} MB" for number, size in zip(at, series, strict=True))],
        )
        for what, series in (
            ("Python, resident", [python for _, python, _ in held]),
            ("Java, heap after a collection", [java for _, _, java in held]),
        )
    ]
