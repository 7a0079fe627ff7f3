"""A program with a session of its own, as users write it: it registers the source and reads a topic.

python -m tests.spark.source.registered ADDRESS TOPIC
"""

import os
import subprocess
import sys

from tenure.spark.java.class_archive import class_sharing
from tenure.spark.java.java_runtime import java_home
from tenure.spark.spark_session import QUICK_JVM
from tests.spark.patience import QUICK_PYTHON, repeat_slow_starts


def run_without_environment(address: str, topic: str) -> list[str]:
    """Run the program without an activated environment; returns its lines: rows of the query and of the stream.

    Its session has none of Tenure's settings, so it gets the options for a short run of Java from the environment.
    """
    kept = {name: os.environ[name] for name in ("HOME",) if name in os.environ}
    path = os.pathsep.join([place for place in (os.environ.get("PYTHONPATH"), QUICK_PYTHON) if place])
    home = java_home()
    java_options = f"{QUICK_JVM} {class_sharing(home)}".rstrip()
    variables = {
        **kept,
        "PATH": os.defpath,
        "PYTHONPATH": path,
        "JAVA_HOME": str(home),
        "JDK_JAVA_OPTIONS": java_options,
    }
    command = [sys.executable, "-m", "tests.spark.source.registered", address, topic]
    ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


def main(address: str, topic: str) -> None:
    from pyspark.sql import SparkSession

    from tenure.spark import register

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    before = spark.sparkContext.pythonExec
    register(spark)
    assert spark.sparkContext.pythonExec == before
    options = {"kafka.bootstrap.servers": address, "subscribe": topic, "startingOffsets": "earliest"}
    print(repeat_slow_starts(lambda: spark.read.format("tenure").options(**options).load().count()))

    def stream() -> int:
        rows = spark.readStream.format("tenure").options(**options, **{"kafka.group.id": "registered"}).load()
        rows.writeStream.format("memory").queryName("seen").trigger(availableNow=True).start().awaitTermination()
        return spark.table("seen").count()

    print(repeat_slow_starts(stream))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
