"""One row of the matrix: some cells, one after another, on one broker and on the Spark that this process imports.

python -m tests.spark.matrix.row BROKER RESULTS CELL...

Starting a broker and Spark takes longer than most cells, so the cells of a row share both. Each result is written to
the file RESULTS at once; errors go to standard error.
"""

import ctypes
import itertools
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from bench.pipelines.application import cpu_s
from tenure.admin import Admin
from tests.pipeline.crashes.__main__ import running
from tests.spark import test_examples, test_readme
from tests.spark.cluster.standalone import java_options
from tests.spark.counting import counting, create_topic, expected, produce, visible, words
from tests.spark.crashes import AFTERMATHS, SparkCase
from tests.spark.crashing import IN_THE_FUNCTION
from tests.spark.patience import repeat_slow_starts
from tests.spark.sinks import test_topic_sink

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOPIC: Final = "records"
NUMBERS: Final = itertools.count(1)
CORES: Final = 2
CLUSTER: Final = "local-cluster[2,1,512]"
"""Master of a cluster whose workers belong to the driver. Its two executors are Java processes as on any cluster."""
PR_SET_CHILD_SUBREAPER: Final = 36


def readme(_: "SparkSession", address: str, directory: Path) -> None:
    test_readme.test_readme__pipeline_run_as_printed__every_flight_numbered(address, directory)


def topic_sink(spark: "SparkSession", address: str, directory: Path) -> None:
    create_topic(address, TOPIC)
    test_topic_sink.test_topic_sink__rows_written__records_with_the_declared_key(spark, address, TOPIC, directory)


def kill(spark: "SparkSession", address: str, directory: Path) -> None:
    SparkCase(address, TOPIC, directory, spark).play(IN_THE_FUNCTION, AFTERMATHS["restarted"])


def source(spark: "SparkSession", address: str, directory: Path) -> None:
    from tenure.spark.errors import SparkSetupError
    from tenure.spark.spark_versions import spark_version

    if spark_version() < (4, 0):
        with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later"):
            import_module("tenure.spark.source")
        return
    from tests.spark.source.test_data_source import check_stream_continues
    from tests.spark.source.test_topic_writer import check_write

    create_topic(address, TOPIC)
    check_stream_continues(spark, address, TOPIC, directory, repeat_slow_starts)

    def write() -> None:
        topic = f"written-{next(NUMBERS)}"  # A write that failed may have left rows.
        create_topic(address, topic)
        check_write(spark, address, topic)

    repeat_slow_starts(write)


def register(_: "SparkSession", address: str, __: Path) -> None:
    from tenure.spark.errors import SparkSetupError
    from tenure.spark.spark_versions import spark_version

    if spark_version() < (4, 0):
        with pytest.raises(SparkSetupError, match=r"needs Spark 4.0 or later"):
            import_module("tenure.spark").register(None)
        return
    from tests.spark.source.query import produce as produce_for_query
    from tests.spark.source.registered import run_without_environment

    create_topic(address, TOPIC)
    produce_for_query(address, TOPIC, 40)
    assert run_without_environment(address, TOPIC) == ["40", "40"]


def cluster(spark: "SparkSession", address: str, directory: Path) -> None:
    """Count words on executors in separate processes. The Spark session of the other cells ends first."""
    spark.stop()
    records, topic = words(0, 400), "counted-on-a-cluster"  # Its group has no member of another cell.
    create_topic(address, topic)
    produce(address, topic, records)
    counting(topic, directory / topic).run(
        bootstrap_servers=address,
        master=CLUSTER,
        conf={
            "spark.executor.memory": "512m",
            "spark.executor.extraJavaOptions": java_options(),
            "spark.ui.enabled": "false",
        },
        shared_directory=True,
        until="caught-up",
    )
    assert visible(directory / topic) == expected(records)


CELLS: Final[dict[str, Callable[["SparkSession", str, Path], None]]] = {
    "README": readme,
    "windows": test_examples.test_example_departures_per_hour__late_row__each_closed_hour_once,
    "transform": test_examples.test_example_planes_of_flights__known_and_unknown_aircraft__every_flight_in_one_output,
    "topic-sink": topic_sink,
    "kill-9": kill,
    "source": source,
    "register": register,
    "cluster": cluster,  # Last, because it ends the session of the other cells.
}


def main(broker: str, results: str, *cells: str) -> int:
    """Run the cells. Return 1 if one of them failed."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # Processes of killed applications count for their cell, too.
    began, failed = Clock(), False
    with tempfile.TemporaryDirectory() as name, running(broker, Path(name)) as address:
        from tenure.spark.spark_session import local_session

        spark = local_session("matrix", cores=CORES)
        tell(results, "start", began)
        for cell in cells:
            began = Clock()
            directory = Path(name, cell)
            directory.mkdir()
            try:
                CELLS[cell](spark, address, directory)
                tell(results, cell, began)
            except Exception:
                print(f"\n--- {cell}", file=sys.stderr)
                traceback.print_exc()
                failed = True
            delete_topics(address)
        spark.stop()
    return int(failed)


class Clock:
    """Time and processor time of this process and all below it since the object was created."""

    def __init__(self) -> None:
        self.wall_s = time.monotonic()
        self.cpu_s = cpu_s(os.getpid())

    def __str__(self) -> str:
        """Return seconds and processor seconds, as two words."""
        return f"{time.monotonic() - self.wall_s:.1f} {cpu_s(os.getpid()) - self.cpu_s:.1f}"


def tell(results: str, cell: str, began: Clock) -> None:
    with open(results, "a", encoding="utf-8") as file:
        file.write(f"{cell} {began}\n")


def delete_topics(address: str) -> None:
    """Delete all topics: two cells may use the same name."""
    with Admin(address) as admin:
        if names := [found.topic for found in admin.list_topics() if not found.is_internal]:
            admin.delete_topics(names)
        while any(not found.is_internal for found in admin.list_topics()):
            time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
