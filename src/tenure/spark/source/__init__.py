"""Data source `format("tenure")`: topics of Kafka as rows, at least once, in batches and streams.

A streaming query is a member of its group: it shares partitions with other queries, and the usual tools show its lag.
Spark's checkpoint decides where the query continues; see `source_stream.py`.
"""

from tenure.spark.spark_versions import require_python_data_sources

require_python_data_sources()
