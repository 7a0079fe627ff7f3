"""Spark pipelines that are members of a Kafka group and publish the result of each record exactly once.

    from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful

Declaring a pipeline and testing its function need no Spark. Running a pipeline needs pyspark and a Java runtime; if one
is missing, the error message names it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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

MODULE_OF: Final = {
    "DeadLetter": "tenure.spark.declarations.topics",
    "Delta": "tenure.spark.sinks.delta_sink",
    "Iceberg": "tenure.spark.sinks.iceberg_sink",
    "KeyedState": "tenure.pipeline.state.keyed_state",
    "Parquet": "tenure.spark.sinks.parquet_sink",
    "Pipeline": "tenure.spark.pipeline",
    "PipelineConfigError": "tenure.pipeline.errors",
    "PipelineStopped": "tenure.pipeline.errors",
    "SchemaRegistry": "tenure.spark.formats.schema_registry",
    "SparkSetupError": "tenure.spark.errors",
    "Sql": "tenure.spark.sinks.sql_sink",
    "StaticTable": "tenure.spark.declarations.static_table",
    "Stream": "tenure.spark.declarations.topics",
    "Timers": "tenure.pipeline.operators.timers",
    "Topic": "tenure.spark.declarations.topics",
    "aggregate": "tenure.spark.declarations.processing",
    "avro": "tenure.spark.formats.avro_values",
    "batch_lines": "tenure.spark.reporting.progress_lines",
    "for_each_batch": "tenure.spark.sinks.for_each_batch",
    "join_state_table": "tenure.spark.declarations.processing",
    "join_static": "tenure.spark.declarations.processing",
    "join_streams": "tenure.spark.declarations.processing",
    "json": "tenure.spark.formats.record_values",
    "json_lines": "tenure.spark.reporting.progress_lines",
    "json_schema": "tenure.spark.formats.json_schema_values",
    "map_batches": "tenure.spark.declarations.processing",
    "map_with_state": "tenure.spark.declarations.processing",
    "protobuf": "tenure.spark.formats.protobuf_values",
    "raw": "tenure.spark.formats.record_values",
    "register": "tenure.spark.source_registration",
    "schema": "tenure.pipeline.values.ddl",
    "session": "tenure.pipeline.operators.windows.kinds",
    "sliding": "tenure.pipeline.operators.windows.kinds",
    "stateful": "tenure.spark.declarations.processing",
    "to_side": "tenure.pipeline.operators.record_rows",
    "transform": "tenure.spark.declarations.processing",
    "tumbling": "tenure.pipeline.operators.windows.kinds",
    "windowed": "tenure.spark.declarations.processing",
}
"""Module of each public name. The first use of a name imports its module, so that Java can start before the imports."""


def __getattr__(name: str) -> Any:
    """Import a public name of this package when it is first used."""
    if name not in MODULE_OF:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    globals()[name] = found = getattr(import_module(MODULE_OF[name]), name)
    return found


def __dir__() -> list[str]:
    """Return all names of the module, also public names that are not imported yet."""
    return sorted({*globals(), *MODULE_OF})
