"""Readers of the data source: adapters to Spark's Python API.

Spark creates a streaming reader twice. One lives as long as the query, in a process of the driver, and determines the
offsets of each batch. The other one is only pickled for the tasks. Therefore a reader opens connections only on its
first use.
"""

import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from tenure.client.configuration import ConfigurationError
from tenure.spark.source.offset_bounds import from_json, resolve, to_json
from tenure.spark.source.options import SourceOptions, batch_bounds, stream_start
from tenure.spark.source.rows import columns, rows
from tenure.spark.source.source_stream import SourceStream
from tenure.spark.source.task_ranges import TaskRange, divide_into_tasks, ranges
from tenure.spark.source.topics import partitions
from tenure.spark.spark_versions import arrow_schema

Offset = dict[str, dict[str, int]]


class SourceInputPartition(InputPartition):
    """Offset ranges that one task reads."""

    def __init__(self, pieces: tuple[TaskRange, ...]) -> None:
        self.pieces = pieces


class RowReader:
    """Base class of the readers, with the code that runs in tasks."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        if schema != from_arrow_schema(columns(options)):
            names = ", ".join(columns(options).names)
            raise ConfigurationError(f"The source has the fixed columns {names}: leave out .schema(…).")
        self.options = options
        self.arrow = arrow_schema(schema, "UTC")

    def splits(self, pieces: list[TaskRange]) -> list[SourceInputPartition]:
        limits = self.options.min_partitions, self.options.max_records_per_partition
        return [SourceInputPartition(task) for task in divide_into_tasks(pieces, *limits)]

    def read(self, partition: InputPartition | None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a partition.

        For an empty batch, Spark passes an object of another class, for which nothing is yielded.
        """
        for piece in partition.pieces if isinstance(partition, SourceInputPartition) else ():
            yield from rows(self.options, piece, self.arrow)


class BatchReader(RowReader, DataSourceReader):
    """Reader of a range between two bounds. It joins no group and commits nothing."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        super().__init__(options, schema)
        self.first, self.last = batch_bounds(options)

    def partitions(self) -> list[SourceInputPartition]:
        existing = partitions(self.options)
        cluster, level = self.options.cluster, self.options.isolation_level
        start = resolve(self.first, existing, cluster, level)
        return self.splits(ranges(start, resolve(self.last, existing, cluster, level)))


class StreamReader(RowReader, DataSourceStreamReader):
    """Base class of stream readers. Each reader is a member of its group."""

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        super().__init__(options, schema)
        stream_start(options)  # Checks the options: an error is raised before the query starts.
        self.opened: SourceStream | None = None

    @property
    def stream(self) -> SourceStream:
        if self.opened is None:
            signal.signal(signal.SIGTERM, exit_on_signal)
            self.opened = SourceStream(self.options)
        return self.opened

    def initialOffset(self) -> Offset:  # noqa: N802
        return to_json(self.stream.first_offsets())

    def partitions(self, start: Offset, end: Offset) -> list[SourceInputPartition]:
        return self.splits(ranges(from_json(start), from_json(end)))

    def commit(self, end: Offset) -> None:
        """Do nothing: Spark calls this only after it has planned the next batch. See `SourceStream.next_offsets`."""

    def stop(self) -> None:
        if self.opened is not None:
            self.opened.close()

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options, "arrow": self.arrow}


class UnlimitedStreamReader(StreamReader):
    """Stream reader for Spark 4.0 and 4.1, which request only the newest offset.

    Spark calls `latestOffset` without the start of the new batch. The new batch starts where the last planned batch
    ends. A restarted query knows this end, because Spark first plans the last batch of the checkpoint again.
    """

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        super().__init__(options, schema)
        if options.max_offsets is not None:  # A query with availableNow would end after this number of records.
            raise ConfigurationError(
                "The option 'maxOffsetsPerTrigger' needs Spark 4.2 or later: leave it out. A batch then has all new"
                " records."
            )
        self.first: Offset | None = None
        self.planned: Offset | None = None

    def initialOffset(self) -> Offset:  # noqa: N802
        if self.first is None:
            self.first = super().initialOffset()
        return self.first

    def latestOffset(self) -> Offset:  # noqa: N802
        start = from_json(self.planned or self.initialOffset())
        return to_json(self.stream.next_offsets(start, None, self.options.min_offsets))

    def partitions(self, start: Offset, end: Offset) -> list[SourceInputPartition]:
        self.planned = end
        return super().partitions(start, end)


def exit_on_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    """Exit on the first SIGTERM and ignore later ones.

    Spark sends two, and the second must not interrupt leaving the group.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit
