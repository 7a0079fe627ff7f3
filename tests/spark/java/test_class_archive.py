"""Archive of Spark's classes: created once, and used by each start of Spark.

`make archive-of-spark` runs the test that makes the archive of this environment, which later tests use.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tenure.spark.errors import SparkSetupError
from tenure.spark.java import class_archive
from tenure.spark.java.class_archive import archive_path, class_sharing, make_archive
from tenure.spark.java.java_runtime import java_home
from tenure.spark.operations import load_classes

MAPPED = """
import sys
from pathlib import Path
from tenure.spark.spark_session import local_session
spark = local_session("archived", cores=1)
print("in its memory:", sys.argv[1] in Path(f"/proc/{spark.sparkContext._gateway.proc.pid}/maps").read_text())
spark.stop()
"""


def test_class_sharing__no_class_archive__no_java_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert class_sharing(tmp_path) == ""


def test_class_sharing__class_archive_of_another_java_version__no_java_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    archive = archive_path(tmp_path)
    archive.parent.mkdir(parents=True)
    archive.touch()
    assert str(archive) in class_sharing(tmp_path)
    (tmp_path / "release").write_text('JAVA_VERSION="21.0.9"\n')
    assert class_sharing(tmp_path) == ""


def test_make_archive__directory_not_writable__error_names_the_directory(tmp_path: Path) -> None:
    (tmp_path / "share").touch()
    with pytest.raises(SparkSetupError, match=r"archive of Spark's classes cannot be written: .*share"):
        make_archive(tmp_path / "share" / "spark.jsa")


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.skipif(sys.platform != "linux", reason="what a process has mapped is read from /proc")
def test_prepare_command__session_started_afterwards__uses_the_class_archive() -> None:
    """An archive that is newer than the code that makes it was made by an earlier run of this test."""
    archive = archive_path(java_home())
    code = [Path(str(module.__file__)) for module in (class_archive, load_classes)]
    if not archive.is_file() or archive.stat().st_mtime < max(path.stat().st_mtime for path in code):
        told, reported = output_of("-m", "tenure", "pipeline", "prepare")
        assert told.startswith(f"Wrote {archive} (")
        assert [line.split()[1] for line in reported.splitlines()] == ["starting", "running", "writing"]
        assert [path for path in archive.parent.iterdir() if path.is_dir()] == [], "what was half written"
    assert output_of("-c", MAPPED, str(archive.resolve()))[0].splitlines()[-1] == "in its memory: True"


def output_of(*arguments: str) -> tuple[str, str]:
    """Return what a Python program printed, and its messages."""
    ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, timeout=600)
    return ended.stdout, ended.stderr
