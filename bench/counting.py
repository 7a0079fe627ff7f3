"""Two applications that count records of 100 bytes per key in Python: our pipeline, and Spark's own Kafka connector.

`python -m bench.counting tenure|connector ADDRESS TOPIC WARM_UP_TOPIC SCRATCH [JAR ...]` says `begin` when it is warm,
works through the topic and says what it counted. After each it waits for a line: then the bench reads off what its
processes have used.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.progress import Progress, Step
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, raw, stateful
from tenure.spark.session import local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CORES = 2


def count(rows: pa.Table, seen: KeyedState) -> pa.Table:
    """How often each key came, up to and with these rows."""
    counted = counts(rows["key"])
    known = pc.fill_null(seen.get(counted["key"])["records"], 0)
    table = pa.table({"key": counted["key"], "records": pc.add(counted["records"], known)})
    seen.put(table["key"], table)
    return table


def counts(keys: pa.ChunkedArray) -> pa.Table:
    found = pc.value_counts(keys.combine_chunks())
    return pa.table({"key": found.field("values"), "records": found.field("counts")})


class Ours:
    def __init__(self, address: str, scratch: Path) -> None:
        self.address = address
        self.scratch = scratch
        self.spark = local_session("bench", cores=CORES)

    def run(self, topic: str, max_records: int = 1_000_000, tasks: int = CORES) -> dict[str, Any]:
        steps: list[tuple[float, Progress]] = []
        pipeline = Pipeline(
            f"count-{topic}-{self.scratch.name}",
            source=Topic(topic, value=raw()).keyed_by("key"),
            process=stateful(count, state="records long"),
            sink=Parquet(str(self.scratch / topic)),
        )
        pipeline.run(
            bootstrap_servers=self.address,
            group_instance_id="bench",
            until="caught-up",
            tasks=tasks,
            max_records=max_records,
            spark=self.spark,
            observer=lambda progress: steps.append((time.perf_counter(), progress)),
        )
        planned = [at for at, progress in steps if progress.step is Step.PLANNED]
        published = [at for at, progress in steps if progress.step is Step.PUBLISHED]
        return {
            "records": sum(progress.records for _, progress in steps if progress.step is Step.STAGED),
            "wall_s": published[-1] - planned[0],
            # With one task a batch is one bundle: from plan to plan is a whole turn.
            "batch_ms": statistics.median(after - before for before, after in pairwise(planned)) * 1e3
            if tasks == 1
            else None,
        }


class Connector:
    def __init__(self, address: str, jars: list[str]) -> None:
        self.address = address
        self.spark = session_with(jars)

    def run(self, topic: str) -> dict[str, Any]:
        started = time.perf_counter()
        frame = (
            self.spark.read.format("kafka")
            .option("kafka.bootstrap.servers", self.address)
            .option("subscribe", topic)
            .option("startingOffsets", "earliest")
            .load()
            .select("key", "value")
            .mapInArrow(count_batches, "key binary, records long")
        )
        records = frame.groupBy().sum("records").collect()[0][0]
        return {"records": records, "wall_s": time.perf_counter() - started}


def count_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        table = counts(pa.chunked_array([batch.column("key")]))
        yield from table.cast(pa.schema([("key", pa.binary()), ("records", pa.int64())])).to_batches()


def session_with(jars: list[str]) -> SparkSession:
    """The same session as ours, with the connector on its class path; set before the first JVM starts."""
    import os

    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {','.join(jars)} --driver-class-path {':'.join(jars)} pyspark-shell"
    return local_session("bench", cores=CORES)


def main() -> None:
    kind, address, topic, warm_up_topic, scratch, *jars = sys.argv[1:]
    application = Ours(address, Path(scratch)) if kind == "tenure" else Connector(address, jars)
    application.run(warm_up_topic)
    tell("begin")
    found = application.run(topic)
    tell(json.dumps(found))
    if isinstance(application, Ours):
        tell(json.dumps(application.run("trivial", max_records=8, tasks=1)))
    application.spark.stop()


def tell(line: str) -> None:
    """Say it, and wait to be told to go on."""
    print(f"bench: {line}", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
