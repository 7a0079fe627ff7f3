"""Conversion of records to rows with the columns of Spark's Kafka source. Runs in Python workers."""

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.errors import OffsetOutOfRange
from tenure.client.queries.blocking import list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import EARLIEST
from tenure.spark.source.options import SourceOptions
from tenure.spark.source.task_ranges import TaskRange

COLUMNS: Final = pa.schema(
    [
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("us", "UTC")),
        ("timestampType", pa.int32()),
    ]
)
HEADERS: Final = pa.field("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())])))


def columns(options: SourceOptions) -> pa.Schema:
    """Return the columns of the source's rows: those of Spark's Kafka source, with headers if requested."""
    return COLUMNS.append(HEADERS) if options.include_headers else COLUMNS


def rows(options: SourceOptions, task_range: TaskRange, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a range. If `failOnDataLoss` is false, offsets whose records were deleted are skipped."""
    start = task_range.start
    while start < task_range.end:
        try:
            for fetched in fetched_rows(options, task_range._replace(start=start)):
                start = fetched["offset"][-1].as_py() + 1
                yield row_batch(fetched, task_range, schema)
        except OffsetOutOfRange:
            first = first_offset(options, task_range)
            if options.fail_on_data_loss or first <= start:
                raise
            start = first
        else:
            return


def fetched_rows(options: SourceOptions, task_range: TaskRange) -> Iterator[pa.RecordBatch]:
    """Yield the records of a range in the batches in which they are fetched."""
    return fetch_arrow(
        options.cluster,
        *task_range,
        max_bytes=options.max_bytes,
        client_id=options.member["client_id"],
        isolation_level=options.isolation_level,
        headers=options.include_headers,
        timestamp_types=True,
    )


def first_offset(options: SourceOptions, task_range: TaskRange) -> int:
    """Return the first offset of the partition's log."""
    partition = TopicPartition(task_range.topic, task_range.partition)
    return list_offsets(options.cluster, {partition: EARLIEST})[partition].offset


def row_batch(fetched: pa.RecordBatch, task_range: TaskRange, schema: pa.Schema) -> pa.RecordBatch:
    """Return fetched records with the columns that Spark requests."""
    count = len(fetched)
    found = {
        "key": fetched["key"],
        "value": fetched["value"],
        "topic": pa.repeat(pa.scalar(task_range.topic), count),
        "partition": pa.repeat(pa.scalar(task_range.partition, pa.int32()), count),
        "offset": fetched["offset"],
        "timestamp": fetched["timestamp"],
        "timestampType": fetched["timestamp_types"],
    }
    if "headers" in schema.names:
        headers = fetched["headers"]
        has_some = pc.greater(pc.list_value_length(headers), 0)
        found["headers"] = pc.if_else(has_some, headers, pa.scalar(None, headers.type))
    return pa.record_batch([found[field.name].cast(field.type) for field in schema], schema=schema)
