"""`through`: another key for a topic's rows, by way of a topic in between.

State is kept by what a topic is partitioned by. To keep it by another column the rows must be written anew under that
key, and read from there: as Kafka Streams' `repartition` does it. That is a pipeline of its own, with a group of its
own, which runs in the same application and beside the one that needs it.
"""

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import map_batches
from tenure.spark.declarations.topics import Through
from tenure.spark.sinks.outputs import layout_of


def repartition_pipelines(pipeline: PipelineDeclaration) -> Iterator[PipelineDeclaration]:
    """The pipelines that fill the topics which this one reads its own through; their groups are `<name>-<topic>`."""
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
    return rows
