"""Sides of the comparison: each runs to the end of a topic, and its processor time is measured.

A side reads a topic from its beginning, writes its output to another topic and ends. The processor time is that of its
whole process tree, its start included; the broker is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bench.peers import kafka_streams, venv
from bench.peers.workloads import COUNTS, EACH, JOIN, LARGE, TABLE, WINDOWS, Input, Workload
from bench.pipelines.application import LOG_CHARACTERS, READY_S, running

RUN_S = 1_800.0
CORES = 2


class Run(NamedTuple):
    """One run of a side."""

    workload: Workload
    given: Input
    output: str
    address: str
    directory: Path

    @property
    def arguments(self) -> dict[str, str | int]:
        return {
            "workload": self.workload.name,
            "address": self.address,
            "topic": self.given.topic,
            "table": TABLE,
            "output": self.output,
            "records": self.given.records,
            "directory": str(self.directory),
        }


@dataclass(frozen=True)
class Side(ABC):
    """Stream processor with its settings."""

    name: str
    settings: str
    workloads: Sequence[Workload]
    batches: tuple[int, int]
    """Sizes of the two inputs, as batches in a partition. A faster side gets larger ones."""

    @abstractmethod
    def prepare(self) -> None:
        """Install what is missing. Raises `Unavailable`."""

    @abstractmethod
    def cpu_s(self, run: Run) -> float:
        """Run to the end of the input; return the processor time."""


@dataclass(frozen=True)
class OnSpark(Side):
    """Application on Spark, in this environment."""

    module: str

    def prepare(self) -> None:
        """Do nothing: the project's own environment has Spark."""

    def cpu_s(self, run: Run) -> float:
        with running([sys.executable, "-m", self.module], run.directory / "output.txt") as application:
            application.hear(READY_S)
            application.ask("run", **run.arguments)
            return application.cpu_s()


@dataclass(frozen=True)
class InJava(Side):
    """Kafka Streams in a Java process."""

    chosen: Mapping[str, str]
    """Settings of Kafka Streams."""

    def prepare(self) -> None:
        kafka_streams.classes()

    def cpu_s(self, run: Run) -> float:
        return ended(kafka_streams.command(self.chosen, run.arguments), run.directory)


@dataclass(frozen=True)
class InPython(Side):
    """Program for a Python library that has an environment of its own."""

    requirement: str

    def prepare(self) -> None:
        venv.python(self.name, self.requirement)

    def cpu_s(self, run: Run) -> float:
        program = Path(__file__).with_name(f"{self.name}_program.py")
        python = venv.python(self.name, self.requirement)
        return ended([str(python), str(program), json.dumps(run.arguments)], run.directory)


def ended(command: Sequence[str], directory: Path) -> float:
    """Run a command to its end; return the processor time of it and of all processes that it has waited for."""
    log = directory / "output.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=directory)
    limit = threading.Timer(RUN_S, process.kill)
    limit.start()
    _, status, usage = os.wait4(process.pid, 0)
    limit.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        told = log.read_text(errors="replace")[-LOG_CHARACTERS:]
        raise RuntimeError(f"{command[0]} ended with status {process.returncode}: {told}")
    return usage.ru_utime + usage.ru_stime


def streams(guarantee: str, settings: Mapping[str, str], batches: tuple[int, int], how: str) -> InJava:
    chosen = {"processing.guarantee": guarantee, **settings}
    name = f"Kafka Streams, {guarantee}{how}"
    return InJava(name, kafka_streams.settings_text(chosen), COMMON, batches, chosen)


COMMON = (COUNTS, EACH, WINDOWS, JOIN)
TENURE = OnSpark(
    "Tenure",
    f"exactly once into a topic, {CORES} tasks, state in files, no other settings",
    (*COMMON, LARGE),
    (100, 1000),
    "bench.peers.tenure_program",
)
EXACTLY_ONCE = streams("exactly_once_v2", kafka_streams.DEFAULTS, (20, 120), "")
EXACTLY_ONCE_TUNED = streams("exactly_once_v2", kafka_streams.TUNED, (40, 240), ", tuned")
STRUCTURED = OnSpark(
    "Structured Streaming",
    "at least once into a topic, 1,000,000 records to a batch, larger fetches",
    (COUNTS, WINDOWS, JOIN, LARGE),
    (40, 240),
    "bench.peers.spark_program",
)
SIDES: Sequence[Side] = (
    TENURE,
    EXACTLY_ONCE,
    EXACTLY_ONCE_TUNED,
    streams("at_least_once", kafka_streams.DEFAULTS, (20, 120), ""),
    STRUCTURED,
    InPython("bytewax", "one worker, batches of 10,000, no recovery", COMMON, (20, 100), "bytewax[kafka]"),
    InPython("quixstreams", "at least once, changelog topics", COMMON, (20, 60), "quixstreams"),
)
