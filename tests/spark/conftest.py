"""One Spark session for the whole run: starting one takes longer than most tests."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    from tenure.spark.session import local_session

    session = local_session("tenure-tests", cores=2)
    yield session
    session.stop()
