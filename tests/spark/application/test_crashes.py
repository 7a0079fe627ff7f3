"""Six crashes through Spark, on both brokers.

`python -m tests.spark.crashes` runs all others; tests/pipeline/crashes has those without Spark.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.oracle.conftest import require_kafka
from tests.pipeline.crashes.__main__ import running
from tests.spark.crashes import AFTERMATHS, SparkCase
from tests.spark.crashing import IN_THE_FUNCTION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def tenure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running("tenure", tmp_path_factory.mktemp("tenure")) as address:
        yield address


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()
    with running("kafka", tmp_path_factory.mktemp("kafka")) as address:
        yield address


@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.parametrize(
    ("broker", "arrow", "aftermath"),
    [
        ("tenure", IN_THE_FUNCTION, "restarted"),
        ("tenure", "commit sent (2)", "is replaced"),
        ("tenure", "commit applied (2)", "resumed and fenced"),
        pytest.param("kafka", "staged (2)", "resumed and fenced", marks=pytest.mark.oracle),
        pytest.param("kafka", "synced: directory of sink (2)", "is replaced", marks=pytest.mark.oracle),
        pytest.param("kafka", "published (2)", "restarted", marks=pytest.mark.oracle),
    ],
)
def test_application_killed__at_a_crash_point__next_application_has_every_row_once(
    request: pytest.FixtureRequest, spark: "SparkSession", tmp_path: Path, broker: str, arrow: str, aftermath: str
) -> None:
    address = request.getfixturevalue(broker)
    SparkCase(address, f"words-{next(NUMBERS)}", tmp_path, spark).play(arrow, AFTERMATHS[aftermath])
