"""Pipelines that repartition topics by another key, for `Topic.through`.

State is kept by the column that a topic is partitioned by. To keep it by another column, a pipeline of its own writes
the rows to another topic under that key, as a repartition topic in Kafka Streams. It has its own group and runs in the
same application.
"""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import map_batches
from tenure.spark.declarations.topics import Through
from tenure.spark.sinks.outputs import layout_of


def repartition_pipelines(pipeline: PipelineDeclaration) -> Iterator[PipelineDeclaration]:
    """Yield the pipelines that fill the topics of `Topic.through`. Their groups are `<name>-<topic>`."""
    for source in pipeline.sources:
        if isinstance(source, Through):
            yield replace(
                pipeline,
                name=f"{pipeline.name}-{source.topic.name}",
                source=source.source,
                process=map_batches(pass_rows),
                sink=source.topic,
                side={},
                state_directory=layout_of(pipeline).state,
            )


def pass_rows(rows: pa.Table) -> pa.Table:
    """Return the rows unchanged."""
    return rows
