"""Time of `tenure serve` from exec until the first answer, and its memory when idle."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from bench.figures import Figure, Sample
from compiled.installed import compiled_python
from tests.apache_kafka import apache_kafka, is_answering

READY_MS_MAX = 250.0
COMPILED_READY_MS_MAX = 200.0
IDLE_MB_MAX = 32.0
IDLE_S = 1.0
WITH_BYTE_CODE = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Environment in which the first start keeps the byte code of all modules, as an installation does."""


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, ours=1 if quick else 9, theirs=1 if quick else 3)


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, ours=1 if quick else 5, theirs=1)


def measured(directory: Path, ours: int, theirs: int) -> Iterator[Figure]:
    """Start our builds and Apache Kafka so many times, and measure time and memory."""
    kafka = [start_kafka(directory / f"kafka-{number}") for number in range(theirs)]
    builds = {"": (Path(sys.executable), READY_MS_MAX)}
    if python := compiled_python():
        builds[", compiled"] = python, COMPILED_READY_MS_MAX
    for build, (python, ready_ms_max) in builds.items():
        place = directory / f"tenure{build}"
        place.mkdir()
        start_tenure(place / "first", python)
        new = [start_tenure(place / f"{number}", python) for number in range(ours)]
        again = [start_tenure(place / "first", python) for _ in range(ours)]
        for what, unit, values, bound, peer in (
            ("tenure serve, exec to ready, new directory", "ms", [ms for ms, _ in new], ready_ms_max, 0),
            ("tenure serve, exec to ready, its own directory", "ms", [ms for ms, _ in again], ready_ms_max, 0),
            ("resident memory, idle", "MB", [megabytes for _, megabytes in new], IDLE_MB_MAX, 1),
        ):
            sample = Sample.of([run[peer] for run in kafka])
            yield Figure(f"{what}{build}", unit, Sample.of(values), bound, True, "Apache Kafka", sample)


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
            assert is_answering(host, int(port)), "it said that it was ready, and did not answer"
            time.sleep(IDLE_S)
            return ready_ms, psutil.Process(process.pid).memory_info().rss / 1e6
        finally:
            process.terminate()


def start_kafka(directory: Path) -> tuple[float, float]:
    with apache_kafka(directory, options=()) as broker:
        time.sleep(IDLE_S)
        return broker.ready_s * 1e3, psutil.Process(broker.process.pid).memory_info().rss / 1e6
