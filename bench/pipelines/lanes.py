"""Recovery of many lanes: from a ready Spark session to the first commit of each lane, on the host that had them.

Each lane has state. Its owner was killed, and one more record per lane has arrived since.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.brokers import tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.records import fill, write_batches

LANES: Final = 100
KEYS_PER_LANE: Final = 1_000
TOPIC: Final = "lanes"


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, lanes = (1, 20) if quick else (3, LANES)
    host, scratch = directory / "host", directory / "run"
    taken: list[float] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        count = fill(broker, TOPIC, lanes, lanes * KEYS_PER_LANE, KEYS_PER_LANE)
        with application("ours", scratch, address=broker.address, temporary=str(host)) as killed:
            killed.ask("followed", topic=TOPIC, records=count)
            killed.kill()
        for _ in range(rounds):
            write_batches(broker, TOPIC, lanes, batches=1, per_batch=1)
            with application("ours", scratch, address=broker.address, temporary=str(host)) as successor:
                successor.ask("run_python")
                taken.append(successor.ask("followed", topic=TOPIC, records=lanes)["seconds"])
                successor.kill()
    return [Figure(f"recovery of {lanes} lanes, until each has committed", "s", Sample.of(taken), less_is_better=True)]
