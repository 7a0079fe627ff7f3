"""Application with Spark's own connector and operators: `python -m bench.pipelines.theirs OPTIONS`.

It reads through Spark's Kafka connector into `mapInArrow`, `transformWithState` or `groupBy().count()`, and writes
Parquet.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.pipelines.application import serve
from bench.pipelines.audit import WINDOWS, decode, decode_batches
from bench.pipelines.connector import FETCHING, connector_jars
from bench.pipelines.functions import count_batches
from bench.pipelines.ours import CORES
from tenure.spark.java.java_runtime import java_home

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.python.authenticate.socketTimeout": "60s",  # The default of 15 s is too short on a busy machine.
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def session(settings: dict[str, str]) -> SparkSession:
    """Return a session on the machine's own Java, without limits for its compiler."""
    from pyspark.sql import SparkSession

    jars = connector_jars()
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(place) for place in sys.path)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {','.join(jars)} --driver-class-path {':'.join(jars)} pyspark-shell"
    builder = SparkSession.builder.appName("bench").master(f"local[{CORES}]")
    for key, value in (SETTINGS | settings).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


class Theirs:
    def __init__(self, directory: str, address: str, settings: dict[str, str] | None = None) -> None:
        self.directory = Path(directory)
        self.address = address
        self.spark = session(settings or {})

    # --- from a topic's beginning to its end --------------------------------------------------------------------------

    def read(self, topic: str) -> dict[str, Any]:
        """Read all records in one batch job, which returns only a sum."""
        started = time.monotonic()
        frame = self.spark.read.format("kafka").options(**self.source(topic)).load().select("key", "value")
        counted = frame.mapInArrow(count_batches, "key binary, records long")
        records = counted.groupBy().sum("records").collect()[0][0]
        return {"records": records, "wall_s": time.monotonic() - started}

    def audited(self, topic: str) -> dict[str, Any]:
        """Decode commits in batches of Arrow, and write windows of commits, in one batch job."""
        return self._windows(topic, lambda frame: frame.mapInArrow(decode_batches, WINDOWS))

    def audited_by_udf(self, topic: str) -> dict[str, Any]:
        """Decode commits in a function of columns, and write windows of commits, in one batch job."""
        from pyspark.sql import functions

        decoder = functions.udf(decode, WINDOWS)
        row = decoder("key", "value").alias("row")
        return self._windows(topic, lambda frame: frame.select(row).where("row is not null").select("row.*"))

    def _windows(self, topic: str, decoded: Callable[[Any], Any]) -> dict[str, Any]:
        from pyspark.sql import functions

        started = time.monotonic()
        frame = self.spark.read.format("kafka").options(**self.source(topic)).load().select("key", "value")
        keys = ("group", "topic", "partition", "window")
        committed = functions.max("committed").alias("last_offset")
        windows = decoded(frame).groupBy(*keys).agg(functions.count("*").alias("n"), committed)
        output = str(self.directory / f"audit-{topic}")
        windows.write.mode("overwrite").parquet(output)
        records = self.spark.read.parquet(output).groupBy().sum("n").collect()[0][0]
        return {"records": records, "wall_s": time.monotonic() - started}

    def counted(self, topic: str, operator: str, max_records: int) -> dict[str, Any]:
        """Run a stream up to the present end, with `max_records` per batch."""
        query = self.query(topic, operator, max_records, until_caught_up=True)
        query.awaitTermination()
        batches = [batch for batch in query.recentProgress if batch.numInputRows]
        records = [batch.numInputRows for batch in batches]
        ended_s = [ms / 1000 for ms in accumulate(batch.durationMs["triggerExecution"] for batch in batches)]
        return {"records": sum(records), "wall_s": ended_s[-1], "published": list(zip(ended_s, records, strict=True))}

    # --- until it is killed -------------------------------------------------------------------------------------------

    def followed(self, topic: str, operator: str, max_records: int, records: int) -> dict[str, Any]:
        """Start a stream and report when it has committed `records` records; it continues."""
        commits = self.directory / f"{operator}-{topic}-checkpoint" / "commits"
        before = set(commits.glob("[0-9]*"))
        started = time.monotonic()
        self.following = self.query(topic, operator, max_records, until_caught_up=False)
        while len(set(commits.glob("[0-9]*")) - before) * max_records < records:
            if error := self.following.exception():
                raise error
            time.sleep(0.005)
        return {"seconds": time.monotonic() - started}

    # --- queries ------------------------------------------------------------------------------------------------------

    def query(self, topic: str, operator: str, max_records: int, *, until_caught_up: bool) -> StreamingQuery:
        frame = (
            self.spark.readStream.format("kafka")
            .options(**self.source(topic), maxOffsetsPerTrigger=str(max_records))
            .load()
            .select("key", "value")
        )
        output = str(self.directory / f"{operator}-{topic}")
        counted, mode = self.operated(frame, operator)
        writer = counted.writeStream.option("checkpointLocation", f"{output}-checkpoint").outputMode(mode)
        if until_caught_up:
            writer = writer.trigger(availableNow=True)
        if mode == "append":
            return writer.format("parquet").option("path", output).start()
        return writer.foreachBatch(lambda batch, _: batch.write.mode("append").parquet(output)).start()

    def operated(self, frame: DataFrame, operator: str) -> tuple[DataFrame, str]:
        """Apply the operator. A file sink only appends, so updates are written batch by batch."""
        if operator == "mapInArrow":
            return frame.mapInArrow(count_batches, "key binary, records long"), "append"
        if operator == "groupBy":
            return frame.groupBy("key").count(), "update"
        from bench.pipelines.per_key import Counter

        self.spark.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKSDB)
        by_key = frame.groupBy("key")
        return by_key.transformWithState(Counter(), "key binary, records long", "append", "none"), "append"

    def source(self, topic: str) -> dict[str, str]:
        return {
            "kafka.bootstrap.servers": self.address,
            "subscribe": topic,
            "startingOffsets": "earliest",
            **FETCHING,
        }


def main() -> None:
    theirs = Theirs(**json.loads(sys.argv[1]))
    serve(
        {
            "read": theirs.read,
            "counted": theirs.counted,
            "audited": theirs.audited,
            "audited_by_udf": theirs.audited_by_udf,
            "followed": theirs.followed,
        }
    )
    theirs.spark.stop()


if __name__ == "__main__":
    main()
