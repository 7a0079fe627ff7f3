"""Data source with the format name "tenure", for Spark's Python API."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from tenure.client.configuration import ConfigurationError
from tenure.spark.source.options import SourceOptions, source_options
from tenure.spark.source.readers import BatchReader, StreamReader, UnlimitedStreamReader
from tenure.spark.source.rows import columns
from tenure.spark.spark_versions import passes_read_limits

if TYPE_CHECKING:
    from tenure.spark.source.topic_writer import TopicWriter


class TenureSource(DataSource):
    """Data source of the format "tenure"."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))

    @cached_property
    def read_options(self) -> SourceOptions:
        """Parsed options of a read. A write has other options."""
        return source_options(self.options)

    @classmethod
    def name(cls) -> str:
        return "tenure"

    def schema(self) -> StructType:
        return from_arrow_schema(columns(self.read_options))

    def reader(self, schema: StructType) -> BatchReader:
        return BatchReader(self.read_options, schema)

    def streamReader(self, schema: StructType) -> StreamReader:  # noqa: N802
        if not passes_read_limits():
            return UnlimitedStreamReader(self.read_options, schema)
        from tenure.spark.source.limited_stream_reader import LimitedStreamReader

        return LimitedStreamReader(self.read_options, schema)

    def writer(self, schema: StructType, overwrite: bool) -> "TopicWriter":
        if overwrite:
            raise ConfigurationError('A topic cannot be overwritten: write with .mode("append").')
        from tenure.spark.source.topic_writer import TopicWriter, write_options

        return TopicWriter(write_options(self.options, schema.names))
