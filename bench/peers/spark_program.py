"""Structured Streaming in `make bench ARGS=peers`: from a topic to a topic through Spark's own Kafka connector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.pipelines.application import serve
from bench.pipelines.connector import FETCHING
from bench.pipelines.theirs import session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BATCH_RECORDS = 1_000_000


def result(workload: str, events: DataFrame, segments: DataFrame) -> tuple[DataFrame, str]:
    """Return the rows to write, and Spark's output mode."""
    from pyspark.sql.functions import concat_ws, unix_millis, window

    match workload:
        case "windows":
            closed = events.withWatermark("timestamp", "0 seconds").groupBy(window("timestamp", "10 seconds"), "key")
            value = concat_ws(" ", unix_millis("window.start"), "count").alias("value")
            return closed.count().select("key", value), "append"
        case "join":
            return events.select("key").join(segments, "key"), "append"
        case _:
            return events.groupBy("key").count().selectExpr("key", "cast(count as string) as value"), "update"


def main() -> None:
    spark = session({})

    def run(workload: str, address: str, topic: str, table: str, output: str, directory: str, records: int) -> int:
        source = {"kafka.bootstrap.servers": address, "startingOffsets": "earliest", **FETCHING}
        events = spark.readStream.format("kafka").options(
            **source, subscribe=topic, maxOffsetsPerTrigger=str(BATCH_RECORDS)
        )
        segments = spark.read.format("kafka").options(**source, subscribe=table).load().select("key", "value")
        rows, mode = result(workload, events.load(), segments)
        query = (
            rows.writeStream.format("kafka")
            .options(**{"kafka.bootstrap.servers": address, "topic": output})
            .option("checkpointLocation", f"{directory}/checkpoint")
            .outputMode(mode)
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return records

    serve({"run": run})
    spark.stop()


if __name__ == "__main__":
    main()
