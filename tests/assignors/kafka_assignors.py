"""Kafka's own assignors from its published jars, called by small Java programs of this repository."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.apache_kafka import javac, library, program, quick_jvm

OF_CLIENTS = "KafkaAssignors"
OF_THE_SERVER = "ServerAssignors"
TIMEOUT_S = 900.0
BENCHMARK_OPTIONS = ("-XX:+UseParallelGC",)
"""Options of Java for programs whose time is measured."""


def compiled(directory: Path, program_name: str = OF_CLIENTS) -> Path:
    """Compile a program into `directory`; return the class path entry."""
    javac(Path(__file__).with_name(f"{program_name}.java"), directory)
    return directory


def answers(classes: Path, lines: Sequence[str], program_name: str = OF_CLIENTS) -> list[str]:
    """Return the program's answers to cases, one a line."""
    return run(classes, "answer", lines=lines, program_name=program_name, options=quick_jvm())


def run(
    classes: Path,
    *arguments: str,
    lines: Sequence[str] = (),
    heap: str = "512M",
    program_name: str = OF_CLIENTS,
    options: Sequence[str] = BENCHMARK_OPTIONS,
) -> list[str]:
    """Run a program; return the lines that it prints."""
    class_path = f"{library() / '*'}:{classes}"  # The archive of classes needs the jars first.
    command = [program("java"), *options, f"-Xmx{heap}", "-cp", class_path, program_name, *arguments]
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{program_name} ended with status {done.returncode}: {done.stderr}")
    if done.stderr:
        print(done.stderr, file=sys.stderr)
    return done.stdout.splitlines()
