"""Checks of a pipeline's outputs.

`check_outputs` checks the declaration and connects to no sink. `check_rows` compares the columns with the sinks, before
the pipeline starts.
"""

import re
from collections.abc import Iterable
from itertools import permutations
from typing import Final

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.user_function import MAIN
from tenure.spark.declarations.inputs import bind_operator
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.topics import Topic
from tenure.spark.formats.record_values import Json, Raw
from tenure.spark.sinks.outputs import SINKS, layout_of, outputs_of
from tenure.spark.sinks.topic_sink import TopicSink

SIDE: Final = re.compile(r"[A-Za-z0-9_-]+")


def check_outputs(pipeline: PipelineDeclaration) -> None:
    """Raise PipelineConfigError if names, directories or topics of the outputs are invalid."""
    for side, sink in pipeline.side.items():
        if not isinstance(side, str) or not SIDE.fullmatch(side):
            raise PipelineConfigError(f"Invalid name {side!r} of a side output: use letters, digits, - and _.")
        if not isinstance(sink, (*SINKS, Topic)):
            raise PipelineConfigError(
                f"The side output '{side}' of pipeline {pipeline.name} must be a sink, such as Parquet('…')."
            )
    main = outputs_of(pipeline)[MAIN]
    if not main.path and not pipeline.state_directory:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} writes to {main.where}, so it needs a state directory: set state_directory."
        )
    paths = [sink.path for sink in outputs_of(pipeline).values() if sink.path]
    for outer, inner in permutations(paths, 2):
        if outer == inner:
            raise PipelineConfigError(
                f"Two outputs of pipeline {pipeline.name} have the same directory {outer}: set different directories."
            )
    check_visible(pipeline, paths)
    check_topics_written(pipeline)


def check_visible(pipeline: PipelineDeclaration, paths: Iterable[str]) -> None:
    """Raise PipelineConfigError if readers of an output would also read the state or another output.

    Readers of a directory skip subdirectories whose names begin with "_" or ".". `paths` are all output directories.
    """
    state = layout_of(pipeline).state
    for outer in paths:
        for inner, content in ((state, "state"), *((path, "another output") for path in paths)):
            below = inner.removeprefix(f"{outer.rstrip('/')}/")
            if below != inner and not below.startswith(("_", ".")):
                raise PipelineConfigError(
                    f"Readers of {outer}, an output of pipeline {pipeline.name}, would find {content} there, because"
                    f" {inner} is inside it: set a directory outside of it."
                )


def check_topics_written(pipeline: PipelineDeclaration) -> None:
    """Raise PipelineConfigError if a topic cannot be a sink of this pipeline.

    A pipeline must not write to a topic that it reads. A `transform` cannot write to topics, because its rows belong to
    no lane and therefore to no lane's transaction.
    """
    written = [sink.topic for sink in outputs_of(pipeline).values() if isinstance(sink, TopicSink)]
    for topic in written:
        if topic.name in (read.name for read in pipeline.topics):
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} reads and writes the topic {topic.name}: write to another topic."
            )
        if not isinstance(topic.value, Json | Raw):
            topic.value.check_writable()
    if written and pipeline.transformed is not None:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} writes to the topic {written[0].name} in one transaction for each partition,"
            " which transform(…) does not support: use map_batches(…) or stateful(…)."
        )


def check_rows(pipeline: PipelineDeclaration) -> None:
    """Check that the sinks of all outputs can store the pipeline's rows.

    Only columns that are known before the first batch can be checked. A function over batches does not declare the
    columns of its side outputs. The columns of its main output are known only if it declares them with `output=`.

    Raises:
        PipelineConfigError: A sink cannot store them.
        PipelineStopped: The sink is not reachable.
    """
    work = bind_operator(pipeline)
    if work is None:
        return
    outputs = outputs_of(pipeline)
    if work.output is not None:
        outputs[MAIN].check_rows(work.output)
    for side, columns in work.sides.items():
        outputs[side].check_rows(columns)
