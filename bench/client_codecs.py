"""Consumer into Arrow beside a tuned confluent-kafka, with each codec: rows per second of the client's processor time.

Values are sentences of few words, which every codec reduces to a third or less, as it does with JSON.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.brokers import tenure
from bench.client import PARTITIONS, Records, beside_confluent
from bench.figures import Figure
from bench.records import RECORDS_PER_BATCH, fill
from tenure.protocol.compression import Codec

VALUES: Final = 1_000
"""Different values of a topic."""
WORDS: Final = [start + end for start in ("order", "paid", "shipped", "customer") for end in ("", "-id", "-at", "-by")]


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, *((1, 100_000) if quick else (3, 1_000_000)))


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, *((1, 100_000) if quick else (3, 300_000)))


def measured(directory: Path, rounds: int, records: int) -> Iterator[Figure]:
    with tenure(directory, group_initial_rebalance_delay_ms="0") as broker:
        for kind in topics():
            count = int(records * kind.part)
            count = fill(broker, kind.topic, PARTITIONS, count, kind.per_batch, kind.value, codec=kind.codec)
            yield from beside_confluent(broker, "tenure serve", kind, count, rounds)


def topics() -> Iterator[Records]:
    short, long = values_of(100), values_of(1_000)
    for codec in Codec:
        name = codec.name.lower()
        yield Records(f"{name}-100", f"100 B values, {name}", short, RECORDS_PER_BATCH, 1, 4, codec=codec)
        yield Records(f"{name}-1000", f"1 KB values, {name}", long, 900, 0.25, 3, codec=codec)


def values_of(size: int) -> list[bytes]:
    """Return sentences of `size` bytes, the same ones in each run."""
    drawn = random.Random(size)
    return [" ".join(drawn.choices(WORDS, k=size // 4)).encode()[:size] for _ in range(VALUES)]
