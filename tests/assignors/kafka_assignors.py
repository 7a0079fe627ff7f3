"""Kafka's own assignors, from its published jars: a small program of ours in a JVM asks them."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.apache_kafka import library, program

SOURCE = Path(__file__).with_name("KafkaAssignors.java")
TIMEOUT_S = 900.0


def compiled(directory: Path) -> Path:
    """The class path entry of our program, compiled into `directory`."""
    command = [program("javac"), "-nowarn", "-cp", str(library() / "*"), "-d", str(directory), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{SOURCE.name} does not compile: {done.stderr}")
    return directory


def run(classes: Path, *arguments: str, lines: Sequence[str] = (), heap: str = "512M") -> list[str]:
    """The lines that it answers."""
    class_path = f"{classes}:{library() / '*'}"
    command = [program("java"), f"-Xmx{heap}", "-XX:+UseParallelGC", "-cp", class_path, "KafkaAssignors", *arguments]
    told = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=told, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"KafkaAssignors ended with status {done.returncode}: {done.stderr}")
    if done.stderr:
        print(done.stderr, file=sys.stderr)
    return done.stdout.splitlines()
