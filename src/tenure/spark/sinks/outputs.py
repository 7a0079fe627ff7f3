"""Outputs of a declared pipeline: its sinks by name, and the directories of their files."""

from typing import Final

from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.output.files import Files, absolute
from tenure.pipeline.output.fsspec_files import files_for
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import Publisher
from tenure.protocol.types import GroupId
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.sink import Sink
from tenure.spark.declarations.topics import Topic
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.for_each_batch import ForEachBatch
from tenure.spark.sinks.iceberg_sink import Iceberg
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql
from tenure.spark.sinks.topic_sink import TopicSink

SINKS: Final = (Parquet, Delta, Iceberg, Sql, ForEachBatch)


def outputs_of(pipeline: PipelineDeclaration) -> dict[str, Sink]:
    """Return each sink by the name of its output; the name "" is the main output."""
    outputs = {MAIN: pipeline.sink, **pipeline.side}
    return {side: TopicSink(sink) if isinstance(sink, Topic) else sink for side, sink in outputs.items()}


def layout_of(pipeline: PipelineDeclaration) -> Layout:
    """Return the layout of the pipeline's directories."""
    state = pipeline.state_directory and absolute(pipeline.state_directory)
    main, *sides = outputs_of(pipeline).items()
    return Layout.of(GroupId(pipeline.name), main[1].path, state, {side: sink.path for side, sink in sides})


def files_of(pipeline: PipelineDeclaration) -> Files:
    """Return access to the files of all outputs and of the state."""
    layout = layout_of(pipeline)
    directories = [layout.directory(side) for side in outputs_of(pipeline)]
    return files_for(*directories, layout.state, options=pipeline.storage_options)


def publishers_of(pipeline: PipelineDeclaration) -> dict[str, Publisher]:
    """Return the publisher of each output."""
    return {side: sink.publisher(side) for side, sink in outputs_of(pipeline).items()}
