"""Apache Kafka's metadata shell: shows the state in a metadata log or snapshot as directories and files."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from tests.apache_kafka import QUICK_JVM, ROOT, jars_of, program

VERSION: Final = "4.3.1"
"""Release in the pom. It also reads the records of 4.4."""
POM: Final = ROOT / "tests" / "oracle" / "shell_pom.xml"
TOPICS: Final = "/image/topics/byName"
ATTEMPTS: Final = 10
"""Runs of the shell. On a busy machine one run in ten shows an empty image, because the shell does not wait until its
loader has passed the image on. It may also wait forever, if the loader ends before the reader of the file."""
TIMEOUT_S: Final = 30.0


def assert_metadata_shell_finds(log: Path, partitions: set[str]) -> None:
    """Check that the shell finds these partitions (`TOPIC/NUMBER`), and no others."""
    found: set[str] = set()
    for _ in range(ATTEMPTS):
        found = partitions_in(log)
        if found == partitions:
            return
    raise AssertionError(f"{log} has {sorted(found)}, not {sorted(partitions)}")


def assert_metadata_shell_shows(log: Path, beginnings: set[str]) -> None:
    """Check that the shell shows a file or directory with each of these beginnings."""
    missing = beginnings
    for _ in range(ATTEMPTS):
        shown = paths_in(log, "/image")
        missing = {beginning for beginning in beginnings if not any(path.startswith(beginning) for path in shown)}
        if not missing:
            return
    raise AssertionError(f"{log} has no {sorted(missing)}")


def partitions_in(log: Path) -> set[str]:
    """Return the partitions of all topics."""
    paths = (path.removeprefix(f"{TOPICS}/") for path in paths_in(log, TOPICS))
    return {path for path in paths if path.rpartition("/")[2].isdecimal()}


def paths_in(log: Path, directory: str) -> list[str]:
    """Return what `kafka-metadata-shell.sh --snapshot LOG find DIRECTORY` prints; nothing after a timeout."""
    jars = jars_of(f"kafka-shell-{VERSION}", POM, f"kafka-shell-{VERSION}.jar")
    main = ["org.apache.kafka.shell.MetadataShell", "--snapshot", str(log), "find", directory]
    java = [program("java"), *QUICK_JVM, "-cp", f"{jars}/*", *main]
    try:
        done = subprocess.run(java, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return []
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
