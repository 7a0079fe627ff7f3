"""Our side of `make bench ARGS=peers`: a pipeline from a topic to a topic, exactly once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from bench.pipelines.application import serve
from bench.pipelines.functions import counts
from tenure.spark import KeyedState, Pipeline, Topic, raw, tumbling
from tenure.spark.declarations.topics import Stream
from tenure.spark.spark_session import local_session
from tests.topic_records import table_of

CORES = 2
OUTPUT = "key binary, value binary"


def count(rows: pa.Table, seen: KeyedState) -> pa.Table:
    """Return the number of records of each key so far, these rows included."""
    counted = counts(rows["key"])
    known = pc.fill_null(seen.get(counted["key"])["records"], 0)
    records = pc.add(counted["records"], known)
    seen.put(counted["key"], pa.table({"records": records}))
    return pa.table({"key": counted["key"], "value": text(records)})


def number(record: Mapping[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    """Return the number of records of the key so far, as a row for each record."""
    seen["records"] = (seen["records"] or 0) + 1
    return {"key": record["key"], "value": b"%d" % seen["records"]}


def window_text(rows: pa.Table) -> pa.Table:
    """Return start and count of each window as one text."""
    start = pc.struct_field(rows["window"], "start").cast(pa.timestamp("ms", "UTC")).cast(pa.int64())
    told = pc.binary_join_element_wise(start.cast(pa.string()), rows["n"].cast(pa.string()), " ")
    return pa.table({"key": rows["key"], "value": told.cast(pa.binary())})


def text(numbers: pa.Array) -> pa.Array:
    return numbers.cast(pa.string()).cast(pa.binary())


def stream(workload: str, address: str, topic: str, table: str) -> Stream:
    events = Topic(topic, value=raw()).keyed_by("key")
    match workload:
        case "each":
            return events.map_with_state(number, state="records long", output=OUTPUT)
        case "windows":
            closed = events.with_watermark("timestamp").windowed(tumbling("10 seconds"), "count(*) as n")
            return closed.map_batches(window_text, output=OUTPUT)
        case "join":
            joined = events.join_static(partial(table_of, address, table), on="key", how="inner")
            return joined.select("key", "value_right as value")
        case _:
            return events.stateful(count, state="records long", output=OUTPUT)


def main() -> None:
    spark = local_session("bench", cores=CORES)

    def run(workload: str, address: str, topic: str, table: str, output: str, directory: str, records: int) -> int:
        Pipeline(
            output,
            stream(workload, address, topic, table),
            sink=Topic(output, value=raw()).keyed_by("key"),
            state_directory=f"{directory}/state",
        ).run(bootstrap_servers=address, until="caught-up", tasks=CORES, spark=spark)
        return records

    serve({"run": run})
    spark.stop()


if __name__ == "__main__":
    main()
