"""Rows per CPU-second from record batches into Arrow columns, in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from bench.figures import Figure, Sample
from bench.records import RECORDS_PER_BATCH, batch_of, keys_of

ROWS_MIN = 3_000_000
IN_MEMORY_BATCHES = 20
"""Batches of about 16 MB, as one fetch returns."""


def measure(directory: Path, quick: bool) -> list[Figure]:  # noqa: ARG001
    rounds, repeats = (2, 4) if quick else (5, 20)
    decoded = Sample.of([in_memory(repeats) for _ in range(rounds)])
    return [Figure("columnar decode into Arrow, 100 B values, in memory", "rows/CPU-s", decoded, ROWS_MIN)]


def in_memory(rounds: int) -> float:
    from tenure.protocol.columnar.decode import to_arrow

    data = batch_of(keys_of(0, 1), RECORDS_PER_BATCH) * IN_MEMORY_BATCHES
    rows = to_arrow(data).num_rows
    assert rows == RECORDS_PER_BATCH * IN_MEMORY_BATCHES
    return cpu_rate(rows * rounds, lambda: sum(to_arrow(data).num_rows for _ in range(rounds)))


def cpu_rate(expected: int, work: Callable[[], int]) -> float:
    """Return rows per second of processor time, over all threads of this process."""
    started = time.process_time()
    rows = work()
    seconds = time.process_time() - started
    assert rows == expected, f"{rows} rows of {expected}"
    return rows / seconds
