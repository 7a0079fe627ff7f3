"""An archive of the classes that Spark loads (Java's class data sharing): Spark starts a good deal sooner with it.

Java maps what is in it, where it would read, check and link thousands of classes one by one; machines of one host
share the pages. It is made once, by `tenure pipeline prepare`, and stands in this Python environment. Java itself sees
whether an archive fits: one of another Java, or of other jars, is as good as none.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tenure.spark.errors import SparkSetupError

SILENT: Final = "-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off"
"""Java tells on standard output what it cannot archive, and what does not fit."""


def archive_of(home: Path) -> Path:
    """Where the archive for this Java and this Spark is, or would be."""
    from pyspark import __version__ as spark

    release = home / "release"
    java = f"{home} {release.read_text(encoding='utf-8') if release.is_file() else ''}"
    which = hashlib.sha256(java.encode()).hexdigest()[:16]
    return Path(sys.prefix) / "share" / "tenure" / f"spark-{spark}-{which}.jsa"


def class_sharing(home: Path) -> str:
    """Java's options, to be given to a Spark that this Java is to run; none where there is no archive."""
    if draft := os.environ.get(DRAFT):
        return f"{SILENT} -XX:ArchiveClassesAtExit={draft}"
    archive = archive_of(home)
    return f"{SILENT} -XX:SharedArchiveFile={archive}" if archive.is_file() and " " not in str(archive) else ""


DRAFT: Final = "TENURE_CLASS_ARCHIVE_DRAFT"
"""In the environment of the process that `make_archive` starts: where Java is to write what it has loaded."""


def make_archive(archive: Path) -> None:
    """Starts Spark in a process of its own, does a little of everything, and keeps what was loaded. Raises
    `SparkSetupError`."""
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
            draft = Path(scratch, "draft.jsa")
            environment = {**os.environ, DRAFT: str(draft)}
            ended = subprocess.run(
                [sys.executable, "-m", "tenure.spark.operations.load_classes"],
                env=environment, cwd=scratch, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if ended.returncode or not draft.is_file():
                said = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()[-1]
                raise SparkSetupError(f"Java did not write the archive of Spark's classes: {said}")
            os.replace(draft, archive)
    except OSError as error:
        raise SparkSetupError(f"The archive of Spark's classes cannot be written: {error}") from error
