"""Sessions without pyspark or without Java."""

import subprocess
import sys

import pytest

from tenure.spark.errors import SparkSetupError
from tenure.spark.spark_session import local_session, require_pyspark

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


def test_import__without_pyspark__declaring_works_and_running_names_the_package() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT_PYSPARK], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert (
        "pipelines need pyspark, which is not installed: run `pip install 'tenure[spark]'`"
        in ended.stderr.splitlines()[-1]
    )


def test_require_pyspark__too_old__refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "4.1.4")
    with pytest.raises(SparkSetupError, match=r"pyspark 4.2 or later, but 4.1.4 is installed"):
        require_pyspark()


def test_local_session__wrong_java_home__refused_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/no/java/here")
    with pytest.raises(SparkSetupError, match="JAVA_HOME is /no/java/here, where bin/java does not run: install Java"):
        local_session("count")
