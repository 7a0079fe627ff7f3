"""Data source for Spark's Python API. It only translates.

Spark creates a streaming reader twice. One lives as long as the query, in a process of the driver, and answers what
there is to read; the other is only sent to the tasks. So a reader does nothing before it is asked.
"""

import signal
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any, NoReturn

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    ReadMinRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from tenure.client.configuration import ConfigurationError
from tenure.spark.source.offset_bounds import from_json, resolve, to_json
from tenure.spark.source.options import SourceOptions, batch_bounds, source_options, stream_start
from tenure.spark.source.rows import columns, rows
from tenure.spark.source.source_stream import SourceStream
from tenure.spark.source.task_ranges import TaskRange, divide_into_tasks, ranges
from tenure.spark.source.topics import partitions

Offset = dict[str, dict[str, int]]


class SourceInputPartition(InputPartition):
    """Ranges that one task reads."""

    def __init__(self, pieces: tuple[TaskRange, ...]) -> None:
        self.pieces = pieces


class TenureSource(DataSource):
    """The format "tenure"."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        self.parsed = source_options(options)

    @classmethod
    def name(cls) -> str:
        return "tenure"

    def schema(self) -> StructType:
        return from_arrow_schema(columns(self.parsed))

    def reader(self, schema: StructType) -> "BatchReader":
        return BatchReader(self.parsed, schema)

    def streamReader(self, schema: StructType) -> "StreamReader":  # noqa: N802
        return StreamReader(self.parsed, schema)


class RowReader:
    """Base class of the readers: the part that runs in tasks."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        if schema != from_arrow_schema(columns(options)):
            given = ", ".join(columns(options).names)
            raise ConfigurationError(f"The source has the fixed columns {given}: leave out .schema(…).")
        self.options = options
        self.arrow = to_arrow_schema(schema, timezone="UTC")

    def splits(self, pieces: list[TaskRange]) -> list[SourceInputPartition]:
        limits = self.options.min_partitions, self.options.max_records_per_partition
        return [SourceInputPartition(task) for task in divide_into_tasks(pieces, *limits)]

    def read(self, partition: InputPartition | None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a partition. Without anything to read, Spark gives a task an empty partition of its own."""
        for piece in partition.pieces if isinstance(partition, SourceInputPartition) else ():
            yield from rows(self.options, piece, self.arrow)


class BatchReader(RowReader, DataSourceReader):
    """Reads from one bound to another. It joins no group and commits nothing."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        super().__init__(options, schema)
        self.first, self.last = batch_bounds(options)

    def partitions(self) -> list[SourceInputPartition]:
        existing = partitions(self.options)
        cluster, level = self.options.cluster, self.options.isolation_level
        start = resolve(self.first, existing, cluster, level)
        return self.splits(ranges(start, resolve(self.last, existing, cluster, level)))


class StreamReader(RowReader, DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads a stream as a member of its group."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        super().__init__(options, schema)
        stream_start(options)  # Raises before the query starts if the options fit no stream.
        self.opened: SourceStream | None = None

    @property
    def stream(self) -> SourceStream:
        if self.opened is None:
            signal.signal(signal.SIGTERM, exit_on_signal)
            self.opened = SourceStream(self.options)
        return self.opened

    def initialOffset(self) -> Offset:  # noqa: N802
        return to_json(self.stream.first())

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        if self.options.max_offsets is not None:
            return ReadMaxRows(self.options.max_offsets)
        return ReadAllAvailable() if self.options.min_offsets is None else ReadMinRows(self.options.min_offsets)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # noqa: N802
        max_records = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        min_records = None if isinstance(limit, ReadAllAvailable) else self.options.min_offsets
        return to_json(self.stream.next(from_json(start), max_records, min_records))

    def reportLatestOffset(self) -> Offset:  # noqa: N802
        return to_json(self.stream.newest())

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self.stream.stop_at_end()

    def partitions(self, start: Offset, end: Offset) -> list[SourceInputPartition]:
        return self.splits(ranges(from_json(start), from_json(end)))

    def commit(self, end: Offset) -> None:
        """Do nothing: Spark calls it only after it has planned the next batch. See `SourceStream.next`."""

    def stop(self) -> None:
        if self.opened is not None:
            self.opened.close()

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options, "arrow": self.arrow}


def exit_on_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    """Exit on the first SIGTERM, and ignore the second. Spark sends two; leaving the group must not be interrupted."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit
