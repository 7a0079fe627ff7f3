"""Versions of Spark that the matrix installs."""

import sys

import pytest

from tests.spark.matrix.environments import NotInstalled, environment


def test_spark_environment__version_that_pip_does_not_find__error_names_the_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(NotInstalled, match=r"^pip cannot install pyspark==0\.0\.\*: ERROR: Could not find a version"):
        environment(sys.executable, "0.0")
