"""Archive of the Java classes that Spark loads (class data sharing), which shortens Spark's start.

Java maps the archive into memory instead of reading, checking and linking thousands of classes. The processes of one
host share this memory. `tenure pipeline prepare` creates the archive once in this Python environment. Java ignores an
archive of another Java version or of other jars.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tenure.spark.errors import SparkSetupError

QUIET_OPTIONS: Final = "-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off"
"""Java options that suppress messages about the archive, which Java would print to standard output."""


def archive_path(home: Path) -> Path:
    """Return the path of the archive for the Java in `home` and this Spark, whether the archive exists or not."""
    from pyspark import __version__ as spark

    release = home / "release"
    java = f"{home} {release.read_text(encoding='utf-8') if release.is_file() else ''}"
    which = hashlib.sha256(java.encode()).hexdigest()[:16]
    return Path(sys.prefix) / "share" / "tenure" / f"spark-{spark}-{which}.jsa"


def class_sharing(home: Path) -> str:
    """Return the Java options that use the archive of the Java in `home`; "" if there is none.

    In the process that `make_archive` starts, return the options that write the archive.
    """
    if draft := os.environ.get(DRAFT_VARIABLE):
        return f"{QUIET_OPTIONS} -XX:ArchiveClassesAtExit={draft}"
    archive = archive_path(home)
    return f"{QUIET_OPTIONS} -XX:SharedArchiveFile={archive}" if archive.is_file() and " " not in str(archive) else ""


DRAFT_VARIABLE: Final = "TENURE_CLASS_ARCHIVE_DRAFT"
"""Environment variable of the process that `make_archive` starts: path of the archive that Java writes."""


PROGRESS: Final = "progress: "
"""Prefix of the lines with which the child process reports its progress."""


def make_archive(archive: Path, log_line: Callable[[str], None] = lambda _: None) -> None:
    """Start Spark in a child process, use all its parts that pipelines need, and archive the loaded classes.

    Args:
        archive: Path of the archive.
        log_line: Function that logs a line. It is called when a part of the work begins.

    Raises:
        SparkSetupError: Java or the file system failed.
    """
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
            draft = Path(scratch, "draft.jsa")
            environment = {**os.environ, DRAFT_VARIABLE: str(draft)}
            command = [sys.executable, "-m", "tenure.spark.operations.load_classes"]
            with (
                tempfile.TemporaryFile("w+", errors="replace") as errors,
                subprocess.Popen(
                    command, env=environment, cwd=scratch, stdout=subprocess.PIPE, stderr=errors, text=True
                ) as process,
            ):
                assert process.stdout is not None
                for line in process.stdout:
                    if line.startswith(PROGRESS):
                        log_line(line.removeprefix(PROGRESS).strip())
                status = process.wait()
                errors.seek(0)
                java_output = errors.read().strip() or "nothing"
            if status or not draft.is_file():
                raise SparkSetupError(
                    f"Java did not write the archive of Spark's classes: {java_output.splitlines()[-1]}"
                )
            os.replace(draft, archive)
    except OSError as error:
        raise SparkSetupError(f"The archive of Spark's classes cannot be written: {error}") from error
