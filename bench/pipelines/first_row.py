"""Time from `tenure pipeline run` of a new pipeline until its first row is readable, on a prepared host.

The peer is the minimum of any application on PySpark: a local session, and one row through a Python function.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from bench.records import fill
from tenure.spark.java.class_archive import archive_path
from tenure.spark.java.java_runtime import java_home

FIRST_ROW_S_MAX = 3.0
JOB = Path(__file__).with_name("first_row_job.py")
PATIENCE_S = 300.0
END_S = 60.0
PYSPARK = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
print(spark.range(1).rdd.map(lambda row: row.id).collect())
"""


def measure(directory: Path, quick: bool) -> list[Figure]:
    # A short run uses the archive of Spark's classes that is there, because making one takes longer than both starts.
    if not (quick and archive_path(java_home()).is_file()):
        subprocess.run([sys.executable, "-m", "tenure", "pipeline", "prepare"], check=True, stdout=subprocess.DEVNULL)
    ours: list[float] = []
    theirs: list[float] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        fill(broker, "started", partitions=4, records=400, per_batch=100)
        for number in range(1 if quick else 9):
            ours.append(first_row_s(broker, directory / f"start-{number}"))
            theirs.append(pyspark_s())
    return [
        Figure(
            "tenure pipeline run, until the first row of a new pipeline", "s", Sample.of(ours), FIRST_ROW_S_MAX,
            less_is_better=True, peer="PySpark, one row through a Python function", theirs=Sample.of(theirs),
        ),
        Figure("... parts of PySpark's time", "x", Sample.of([a / b for a, b in zip(ours, theirs, strict=True)])),
    ]  # fmt: skip


def first_row_s(broker: Broker, directory: Path) -> float:
    directory.mkdir()
    rows = directory / "rows"
    command = [sys.executable, "-m", "tenure", "pipeline", "run", f"{JOB}:pipeline"]
    options = ["--bootstrap-servers", broker.address, "--group-instance-id", "bench"]
    environment = os.environ | {"TENURE_BENCH_DIRECTORY": str(directory)}
    began_s = time.monotonic()
    with (directory / "output.txt").open("wb") as output:
        process = subprocess.Popen([*command, *options], env=environment, stdout=output, stderr=output)
    try:
        while not has_row(rows):
            if process.poll() is not None or time.monotonic() > began_s + PATIENCE_S:
                raise RuntimeError(f"no row was written: {(directory / 'output.txt').read_text(errors='replace')}")
            time.sleep(0.005)
        return time.monotonic() - began_s
    finally:
        process.terminate()
        process.wait(END_S)


def has_row(rows: Path) -> bool:
    """Return whether the directory has a file with rows for its readers."""
    return any(not part.name.startswith(("_", ".")) for part in rows.glob("*.parquet"))


def pyspark_s() -> float:
    environment = os.environ | {
        "JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
    }  # fmt: skip
    began_s = time.monotonic()
    subprocess.run([sys.executable, "-c", PYSPARK], env=environment, check=True, capture_output=True)
    return time.monotonic() - began_s
