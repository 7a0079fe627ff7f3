"""Spark pipelines, stateful or not, that are members of a Kafka group and publish each record's work exactly once.

    from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful

Declaring a pipeline and testing its function need no Spark; running it needs pyspark and a Java runtime, and says so
where one is missing.
"""

from tenure.pipeline.errors import PipelineConfigError, PipelineStopped
from tenure.pipeline.operators.record_rows import to_side
from tenure.pipeline.operators.timers import Timers
from tenure.pipeline.operators.windows.kinds import session, sliding, tumbling
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.ddl import schema
from tenure.spark.declarations.processing import (
    aggregate,
    join_state_table,
    join_static,
    join_streams,
    map_batches,
    map_with_state,
    stateful,
    transform,
    windowed,
)
from tenure.spark.declarations.static_table import StaticTable
from tenure.spark.declarations.topics import DeadLetter, Stream, Topic
from tenure.spark.errors import SparkSetupError
from tenure.spark.formats.avro_values import avro
from tenure.spark.formats.json_schema_values import json_schema
from tenure.spark.formats.protobuf_values import protobuf
from tenure.spark.formats.record_values import json, raw
from tenure.spark.formats.schema_registry import SchemaRegistry
from tenure.spark.pipeline import Pipeline
from tenure.spark.reporting.progress_lines import batch_lines, json_lines
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.for_each_batch import for_each_batch
from tenure.spark.sinks.iceberg_sink import Iceberg
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql
from tenure.spark.source_registration import register

__all__ = [
    "DeadLetter",
    "Delta",
    "Iceberg",
    "KeyedState",
    "Parquet",
    "Pipeline",
    "PipelineConfigError",
    "PipelineStopped",
    "SchemaRegistry",
    "SparkSetupError",
    "Sql",
    "StaticTable",
    "Stream",
    "Timers",
    "Topic",
    "aggregate",
    "avro",
    "batch_lines",
    "for_each_batch",
    "join_state_table",
    "join_static",
    "join_streams",
    "json",
    "json_lines",
    "json_schema",
    "map_batches",
    "map_with_state",
    "protobuf",
    "raw",
    "register",
    "schema",
    "session",
    "sliding",
    "stateful",
    "to_side",
    "transform",
    "tumbling",
    "windowed",
]
