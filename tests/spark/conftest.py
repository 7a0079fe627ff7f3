"""One Spark session and one broker for the whole run: starting them takes longer than most tests."""

import itertools
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.spark.application.run_directory import DIRECTORY_VARIABLE
from tests.postgres import postgres
from tests.serving import serving
from tests.spark.counting import create_topic
from tests.spark.patience import QUICK_PYTHON, patiently

__all__ = ["patiently"]

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NUMBERS = itertools.count(1)

BALANCED_AT_ONCE = (
    "group.consumer.assignment.interval.ms=0",
    "group.consumer.min.heartbeat.interval.ms=50",
    "group.streams.assignment.interval.ms=0",
    "group.streams.initial.rebalance.delay.ms=0",
    "group.streams.min.heartbeat.interval.ms=50",
    "group.streams.heartbeat.interval.ms=50",
)
"""Settings with which a new member gets its partitions at once, so that each thread gets some work."""

NO_RETENTION = "log.retention.ms=-1"
"""Setting with which the broker keeps the tests' records, which have old timestamps."""

ANSWER_S = 60.0
"""Timeout for the answer of an application; users get an error after five seconds."""


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    from tenure.spark.spark_session import local_session

    sys.path.append(QUICK_PYTHON)  # Spark passes this import path to the processes that it starts.
    session = local_session("tenure-tests", cores=2)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("kafka"), *BALANCED_AT_ONCE, NO_RETENTION) as broker:
        yield broker.address


@pytest.fixture(autouse=True)
def own_run_directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Use a run directory of this test, apart from other tests and from the user."""
    monkeypatch.setattr("tenure.spark.application.control_socket.CONTROL_ANSWER_S", ANSWER_S)
    with tempfile.TemporaryDirectory(prefix="tenure-") as directory:  # tmp_path is too long for a socket's name.
        monkeypatch.setenv(DIRECTORY_VARIABLE, directory)
        yield Path(directory)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server."""
    with postgres() as url:
        yield url


@pytest.fixture
def topic(address: str) -> str:
    name = f"words-{next(NUMBERS)}"
    create_topic(address, name)
    return name
