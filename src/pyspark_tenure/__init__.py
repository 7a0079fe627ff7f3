"""Package that Spark finds by its prefix `pyspark_`, so that `format("tenure")` needs no registration."""

from tenure.spark.source.data_source import TenureSource as DefaultSource

__all__ = ["DefaultSource"]
