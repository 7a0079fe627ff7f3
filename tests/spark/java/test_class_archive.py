"""Archive of Spark's classes: created once, and used by each start of Spark."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tenure.spark.errors import SparkSetupError
from tenure.spark.java.class_archive import archive_path, class_sharing, make_archive
from tenure.spark.java.java_runtime import java_home

MAPPED = """
import sys
from pathlib import Path
sys.prefix = sys.argv[1]
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


def test_make_archive__directory_not_writable__error_names_it(tmp_path: Path) -> None:
    (tmp_path / "share").touch()
    with pytest.raises(SparkSetupError, match=r"archive of Spark's classes cannot be written: .*share"):
        make_archive(tmp_path / "share" / "spark.jsa")


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.skipif(sys.platform != "linux", reason="what a process has mapped is read from /proc")
def test_make_archive__session_started_afterwards__uses_the_archive_and_steps_were_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    archive = archive_path(java_home())
    steps = list[str]()
    make_archive(archive, steps.append)
    assert [step.split()[0] for step in steps] == ["starting", "running", "writing"]
    assert os.listdir(archive.parent) == [archive.name]
    ended = subprocess.run(
        [sys.executable, "-c", MAPPED, str(tmp_path)], capture_output=True, text=True, check=True, timeout=600
    )
    assert ended.stdout.splitlines()[-1] == "in its memory: True"
