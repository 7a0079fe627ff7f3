"""Data source for Spark's Python API."""

from collections.abc import Mapping

from pyspark.sql.datasource import DataSource
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from tenure.spark.source.options import source_options
from tenure.spark.source.readers import BatchReader, StreamReader, UnlimitedStreamReader
from tenure.spark.source.rows import columns
from tenure.spark.spark_versions import passes_read_limits


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

    def reader(self, schema: StructType) -> BatchReader:
        return BatchReader(self.parsed, schema)

    def streamReader(self, schema: StructType) -> StreamReader:  # noqa: N802
        if not passes_read_limits():
            return UnlimitedStreamReader(self.parsed, schema)
        from tenure.spark.source.limited_stream_reader import LimitedStreamReader

        return LimitedStreamReader(self.parsed, schema)
