"""Time of `tenure serve` from exec until the first answer, and its memory when idle."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

from bench.figures import Figure, Sample
from compiled.installed import compiled_python
from tests.apache_kafka import answers, apache_kafka

READY_MS_MAX = 250.0
COMPILED_READY_MS_MAX = 200.0
IDLE_MB_MAX = 32.0
IDLE_S = 1.0
WITH_BYTE_CODE = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Environment in which the first start keeps the byte code of all modules, as an installation does."""


def measure(directory: Path, quick: bool) -> list[Figure]:
    runs = 3 if quick else 9
    start_tenure(directory / "first")
    ours = [start_tenure(directory / f"tenure-{n}") for n in range(runs)]
    again = [start_tenure(directory / "tenure-0") for _ in range(runs)]
    theirs = [start_kafka(directory / f"kafka-{n}") for n in range(1 if quick else 3)]
    return [
        *compiled(directory / "compiled", runs),
        Figure(
            "tenure serve, exec to ready, new directory",
            "ms",
            Sample.of([ready_ms for ready_ms, _ in ours]),
            READY_MS_MAX,
            less_is_better=True,
            peer="Apache Kafka",
            theirs=Sample.of([ready_ms for ready_ms, _ in theirs]),
        ),
        Figure(
            "tenure serve, exec to ready, its own directory",
            "ms",
            Sample.of([ready_ms for ready_ms, _ in again]),
            READY_MS_MAX,
            less_is_better=True,
        ),
        Figure(
            "resident memory, idle",
            "MB",
            Sample.of([megabytes for _, megabytes in ours]),
            IDLE_MB_MAX,
            less_is_better=True,
            peer="Apache Kafka",
            theirs=Sample.of([megabytes for _, megabytes in theirs]),
        ),
    ]


def compiled(directory: Path, runs: int) -> list[Figure]:
    """Return the time of starts of the compiled build, if there is one. The first one writes its byte code."""
    python = compiled_python()
    if python is None:
        return []
    directory.mkdir()
    _, *ready_ms = (start_tenure(directory / f"{n}", python)[0] for n in range(runs + 1))
    what = "tenure serve, exec to ready, new directory, compiled"
    return [Figure(what, "ms", Sample.of(ready_ms), COMPILED_READY_MS_MAX, less_is_better=True)]


def start_tenure(directory: Path, python: str | Path = sys.executable) -> tuple[float, float]:
    """Return the time in ms until the ready line, and the resident MB a second later."""
    command = [str(python), "-m", "tenure", "serve", str(directory), "--listen", "127.0.0.1:0"]
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=WITH_BYTE_CODE
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            ready_ms = (time.perf_counter() - started) * 1e3
            host, _, port = line.removeprefix("tenure: ready at ").strip().rpartition(":")
            assert answers(host, int(port)), "it said that it was ready, and did not answer"
            time.sleep(IDLE_S)
            return ready_ms, psutil.Process(process.pid).memory_info().rss / 1e6
        finally:
            process.terminate()


def start_kafka(directory: Path) -> tuple[float, float]:
    with apache_kafka(directory, options=()) as broker:
        time.sleep(IDLE_S)
        return broker.ready_s * 1e3, psutil.Process(broker.process.pid).memory_info().rss / 1e6
