"""Consumer into Arrow beside a tuned confluent-kafka, with each codec: rows per second of the client's processor time.

Values are sentences of few words, which every codec reduces to a third or less, as it does with JSON.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.brokers import tenure
from bench.client import PARTITIONS, Records, beside_confluent
from bench.figures import Figure, Sample
from bench.records import RECORDS_PER_BATCH, batch_of, fill
from tenure.limits.protocol import BATCH_UNPACKED_BYTES_MAX
from tenure.protocol.batches import HEADER
from tenure.protocol.compression import Codec, decompress

VALUES: Final = 1_000
"""Different values of a topic."""
SOME_BYTES: Final = 20_000_000
"""Compressed bytes that are decompressed in a round."""
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
            figures = beside_confluent(broker, "tenure serve", kind, count, rounds)
            yield from figures
            yield decompression(kind, figures[0], rounds)


def decompression(kind: Records, consumer: Figure, rounds: int) -> Figure:
    """Measure the codec's library alone. Both consumers need it, so it bounds what the ratio can be."""
    batch = batch_of([b"key"], kind.per_batch, kind.value, kind.codec)[HEADER.size :]
    repeated = range(max(1, SOME_BYTES // len(batch)))
    spent_us = []
    for _ in range(rounds):
        began_s = time.process_time()
        for _ in repeated:
            decompress(kind.codec, batch, BATCH_UNPACKED_BYTES_MAX)
        spent_us.append((time.process_time() - began_s) / len(repeated) / kind.per_batch * 1e9)
    assert consumer.theirs is not None
    ours, theirs = 1e9 / consumer.ours.median, 1e9 / consumer.theirs.median
    allowed = theirs / kind.times_confluent
    remark = f"all in all ours {ours:.0f}, confluent-kafka {theirs:.0f}; {kind.times_confluent:g} times as fast is "
    remark += f"{allowed:.0f}"
    return Figure("... of it decompression", "µs for 1,000 rows", Sample.of(spent_us), remarks=[remark])


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
