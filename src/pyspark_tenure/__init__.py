"""Spark looks through packages named `pyspark_…` for data sources: so `format("tenure")` needs no registration."""

from tenure.spark.source.data_source import TenureSource as DefaultSource

__all__ = ["DefaultSource"]
