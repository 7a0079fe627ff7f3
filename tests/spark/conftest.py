"""One Spark session and one broker for the whole run: starting them takes longer than most tests."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.postgres import postgres
from tests.serving import serving
from tests.spark.counting import create_topic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    from tenure.spark.spark_session import local_session

    session = local_session("tenure-tests", cores=2)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker.address


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Of PostgreSQL."""
    with postgres() as url:
        yield url


@pytest.fixture
def topic(address: str) -> str:
    name = f"words-{next(NUMBERS)}"
    create_topic(address, name)
    return name
