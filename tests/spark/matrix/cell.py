"""One cell of the matrix: one pipeline on one broker, in this process with the Spark that it imports.

python -m tests.spark.matrix.cell CELL BROKER
"""

import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.pipeline.crashes.__main__ import running
from tests.spark import test_examples, test_readme
from tests.spark.counting import create_topic
from tests.spark.crashes import AFTERMATHS, SparkCase
from tests.spark.crashing import IN_THE_FUNCTION
from tests.spark.sinks import test_topic_sink

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOPIC: Final = "records"


def readme(_: "SparkSession", address: str, directory: Path) -> None:
    test_readme.test_readme__pipeline_as_printed__numbers_every_flight(address, directory)


def topic_sink(spark: "SparkSession", address: str, directory: Path) -> None:
    create_topic(address, TOPIC)
    test_topic_sink.test_topic_sink__rows__become_records_with_declared_key(spark, address, TOPIC, directory)


def kill(spark: "SparkSession", address: str, directory: Path) -> None:
    SparkCase(address, TOPIC, directory, spark).play(IN_THE_FUNCTION, AFTERMATHS["comes back"])


def source(spark: "SparkSession", address: str, directory: Path) -> None:
    from tenure.spark.errors import SparkSetupError
    from tenure.spark.spark_versions import spark_version

    if spark_version() < (4, 0):
        with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later"):
            import_module("tenure.spark.source")
        return
    from tests.spark.source.test_data_source import check_stream_continues

    create_topic(address, TOPIC)
    check_stream_continues(spark, address, TOPIC, directory)


def register(_: "SparkSession", address: str, directory: Path) -> None:
    from tenure.spark.errors import SparkSetupError
    from tenure.spark.spark_versions import spark_version
    from tests.spark.source.query import produce
    from tests.spark.source.registered import run_without_environment

    create_topic(address, TOPIC)
    produce(address, TOPIC, 40)
    if spark_version() < (4, 0):
        with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later"):
            import_module("tenure.spark").register(None)
        return
    assert run_without_environment(address, TOPIC, directory / "checkpoint") == ["40", "40"]


CELLS: Final[dict[str, Callable[["SparkSession", str, Path], None]]] = {
    "README": readme,
    "windows": test_examples.test_departures_per_hour__with_late_row__each_closed_hour_once,
    "transform": test_examples.test_planes_of_flights__known_and_unknown_aircraft__every_flight_in_one_output,
    "topic-sink": topic_sink,
    "kill-9": kill,
    "source": source,
    "register": register,
}


def main(cell: str, broker: str) -> None:
    from tenure.spark.spark_session import local_session

    with tempfile.TemporaryDirectory() as name, running(broker, Path(name)) as address:
        directory = Path(name, cell)
        directory.mkdir()
        spark = local_session(cell, cores=2)
        CELLS[cell](spark, address, directory)
        spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
