"""Sessions without pyspark or without Java."""

import subprocess
import sys

import pytest

from tenure.spark.errors import SparkSetupError
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


def test_import__without_pyspark__declaring_works_and_running_names_the_package() -> None:
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


def test_require_python_data_sources__spark_3__refused_with_alternatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later, because Spark 3.5.9 .* write a pipeline"):
        require_python_data_sources()


def test_local_session__wrong_java_home__refused_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/no/java/here")
    with pytest.raises(SparkSetupError, match="JAVA_HOME is /no/java/here, where bin/java does not run: install Java"):
        local_session("count")
