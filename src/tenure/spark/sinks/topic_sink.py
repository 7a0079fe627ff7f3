"""Topic as a sink. The same declaration serves the pipeline that writes the topic and one that reads it.

The task that computes the rows writes them as records, in a transaction (`pipeline/output/transactions.py`). No row is
staged or published.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadFunction, PipelineConfigError
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.publish import Publisher
from tenure.pipeline.output.transactions import TopicRecords
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.spark.declarations.topics import Topic
from tenure.spark.formats.keys import key_bytes
from tenure.spark.formats.record_values import TIMESTAMP, Raw


@dataclass(frozen=True, slots=True)
class TopicSink:
    """Sink that writes to a declared topic."""

    topic: Topic

    @property
    def path(self) -> str:
        return ""

    @property
    def where(self) -> str:
        return self.topic.where

    @property
    def staged(self) -> ParquetFiles:
        return ParquetFiles()

    @property
    def records(self) -> TopicRecords:
        """Encoder of the rows for the topic."""
        return TopicRecords(self.topic.name, TopicRowEncoder(self.topic))

    def check(self) -> None:
        """Check access to the schema registry. The topic itself is checked together with the input topics."""
        self.topic.check_writable()

    def check_rows(self, columns: pa.Schema) -> None:
        try:
            TopicRowEncoder(self.topic).columns(columns.empty_table())
        except BadFunction as error:
            raise PipelineConfigError(f"The pipeline's rows do not fit its sink: {error}.") from error

    def publisher(self, side: str) -> Publisher:
        del side
        return TopicPublisher()


class TopicPublisher:
    """Publisher that does nothing, because committed rows are in the topic already."""

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        del files, layout, manifest, outputs
        return []

    def close(self) -> None:
        """Do nothing: no file is open."""


@dataclass(frozen=True, slots=True)
class TopicRowEncoder:
    """Encoder of rows as records of the topic. Picklable.

    The declared columns of a row become the value, and the key column becomes the key. A row whose declared columns are
    all null becomes a null value (a tombstone), as when a topic is read. The timestamp is the event time of the topic.
    Without event time it is the timestamp of the input record if the row has that column, else the current time.
    """

    topic: Topic

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Return the columns value, key and timestamp. Raises BadFunction if the rows do not fit the topic."""
        values, others = self.columns(rows)
        try:
            value = self.topic.value.encode(values, self.topic.name)
        except ValueError as error:
            raise BadFunction(f"a row cannot be written to the topic {self.topic.name}: {error}") from error
        return pa.table({"value": self.with_tombstones(values, value), **others})

    def columns(self, rows: pa.Table) -> tuple[pa.Table, dict[str, pa.Array]]:
        """Return the columns of the value, and the key and timestamp.

        Raises BadFunction if the rows do not fit the topic.
        """
        columns = self.topic.value.columns
        values = pa.table({field.name: self.column(rows, field.name, field.type) for field in columns})
        others = {}
        if self.key is not None:
            declared = self.key in values.column_names  # `values` has the column in its declared type.
            others["key"] = key_bytes(self.column(values if declared else rows, self.key, None))
        if (timestamp := self.timestamp(rows)) is not None:
            others["timestamp"] = self.column(rows, timestamp, TIMESTAMP)
        return values, others

    @property
    def key(self) -> str | None:
        """Column of the key; None for records without a key."""
        return "key" if self.topic.key is None and isinstance(self.topic.value, Raw) else self.topic.key

    def timestamp(self, rows: pa.Table) -> str | None:
        """Return the name of the timestamp column; None to use the current time."""
        if self.topic.watermark is not None:
            return self.topic.watermark.column
        own = "timestamp" if isinstance(self.topic.value, Raw) else "_timestamp"
        return own if own in rows.column_names else None

    def column(self, rows: pa.Table, name: str, kind: pa.DataType | None) -> pa.Array:
        """Return the column, cast to `kind` unless that is None. Raises BadFunction."""
        if name not in rows.column_names:
            known = ", ".join(rows.column_names)
            raise BadFunction(
                f"the topic {self.topic.name} is declared with the column '{name}', but the rows have only {known}"
            )
        column = rows[name].combine_chunks()
        try:
            return column if kind is None else column.cast(kind, safe=kind != TIMESTAMP)
        except pa.ArrowException as error:
            raise BadFunction(
                f"the topic {self.topic.name} is declared with '{name}' as {kind}, but the rows have {column.type}:"
                f" {error}"
            ) from error

    @staticmethod
    def with_tombstones(values: pa.Table, value: pa.Array) -> pa.Array:
        """Return the values, with null for rows whose columns are all null."""
        is_there = values.column(0).is_valid()
        for column in values.columns[1:]:
            is_there = pc.or_(is_there, column.is_valid())
        return pc.if_else(is_there, value, pa.scalar(None, value.type))
