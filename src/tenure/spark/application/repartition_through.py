"""Pipelines that repartition topics or streams by another key, for `through`.

State is kept by the column that partitions a topic. To keep state by another column, a separate pipeline writes the
rows to another topic with that column as the key, like a repartition topic in Kafka Streams. The separate pipeline has
its own group, and runs in the same application.
"""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import map_batches
from tenure.spark.declarations.topics import Through, Topic
from tenure.spark.sinks.outputs import layout_of


def repartition_pipelines(pipeline: PipelineDeclaration) -> Iterator[PipelineDeclaration]:
    """Yield the pipelines that write the topics of `through`, in the order of processing.

    Their groups are `<name>-<topic>`.
    """
    for source in pipeline.sources:
        if isinstance(source, Through):
            part = replace(
                pipeline,
                name=f"{pipeline.name}-{source.topic.name}",
                source=source.source,
                process=map_batches(pass_rows) if isinstance(source.source, Topic) else None,
                sink=source.topic,
                side={},
                state_directory=layout_of(pipeline).state,
            )
            yield from repartition_pipelines(part)
            yield part


def pass_rows(rows: pa.Table) -> pa.Table:
    """Return the rows unchanged."""
    return rows
