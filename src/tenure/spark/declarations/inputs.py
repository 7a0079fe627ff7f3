"""Input of a declared pipeline: the columns of its topics' rows, and the operator that is bound to these columns."""

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.chain import StepOperator, bind_chain, states_of
from tenure.pipeline.operators.operator import BoundOperator, EventTime, OperatorInput
from tenure.pipeline.operators.rows import TopicRows, unite_tables
from tenure.pipeline.state.lane_state import Migrate
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.processing import TaskStep
from tenure.spark.declarations.topics import Topic
from tenure.spark.formats.record_values import Raw


def check_topics(pipeline: PipelineDeclaration) -> None:
    """Raise PipelineConfigError if the topics cannot be read together."""
    names = [topic.name for topic in pipeline.topics]
    if twice := [name for name in names if names.count(name) > 1]:
        raise PipelineConfigError(f"Pipeline {pipeline.name} lists the topic {twice[0]} twice: list it once.")
    if pipeline.transformed is not None and len(pipeline.steps) > 1:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} has other steps beside transform(…), which Spark runs over several partitions:"
            " write its rows to a topic, and read that topic with the other steps."
        )
    if len(names) > 1 and pipeline.transformed is not None:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} uses transform(…), which reads only one topic: use one topic, or join with"
            " join_streams(…)."
        )


def operator_input(pipeline: PipelineDeclaration) -> OperatorInput:
    """Return the columns, keys and event times of all topics, as one input."""
    topics = {topic.name: topic.value.schema for topic in pipeline.topics}
    keys = {topic.name: topic.key for topic in pipeline.topics}
    events = {topic.name: topic.watermark for topic in pipeline.topics if topic.watermark is not None}
    key = pipeline.topics[0].key
    rows = pipeline.topics[0].value.schema
    if len(topics) > 1:
        rows = united_schema(pipeline, key)
    return OperatorInput(pipeline.name, rows, topics, key, keys, events, frozenset(pipeline.side))


def united_schema(pipeline: PipelineDeclaration, key: str | None) -> pa.Schema:
    """Return the columns of the rows of all topics. Raises PipelineConfigError if a column has different types."""
    if None in (unkeyed := {topic.key for topic in pipeline.topics}) and len(unkeyed) > 1:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} reads topics with and without a key: add .keyed_by('column') to each."
        )
    for topic in pipeline.topics:
        if topic.key != key and key in topic.value.schema.names:
            raise PipelineConfigError(
                f"The rows of pipeline {pipeline.name} have the key column {key}. Topic {topic.name} has the key column"
                f" {topic.key}, and also a column {key}: rename that column {key}."
            )
    empty = {topic.name: (topic.value.schema.empty_table(), topic.key) for topic in pipeline.topics}
    try:
        return unite_tables(empty, key).schema
    except pa.ArrowTypeError as error:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} reads topics whose columns have the same name but different types: {error}"
        ) from error


def bind_operator(pipeline: PipelineDeclaration) -> BoundOperator | None:
    """Return the pipeline's steps as one operator, bound to its input; None for transform(…).

    Raises PipelineConfigError if a step does not fit its input.
    """
    steps = task_steps(pipeline)
    if not steps:
        return None
    work = bind_chain([StepOperator(step.form, step.work, step.joined) for step in steps], operator_input(pipeline))
    if len(states_of(work)) > 1 and any(step.version > 1 or step.migrate is not None for step in steps):
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} has several steps with state, which version= and migrate= do not support: to"
            " change a state, start the pipeline under another name."
        )
    return work


def task_steps(pipeline: PipelineDeclaration) -> list[TaskStep]:
    """Return the steps that tasks run, in order; an empty list for transform(…)."""
    return [step for step in pipeline.steps if isinstance(step, TaskStep)]


def state_version_of(pipeline: PipelineDeclaration) -> tuple[int, Migrate | None]:
    """Return the declared version of the state, and the function that converts older versions, or None without one."""
    versions = [(step.version, step.migrate) for step in task_steps(pipeline)]
    return max(versions, key=lambda one: (one[0], one[1] is not None), default=(1, None))


def topic_rows(topic: Topic, work: BoundOperator | None, whole_input: OperatorInput) -> TopicRows:
    """Return the object that converts the topic's records to rows.

    Args:
        topic: Topic to read.
        work: Steps of the pipeline as one operator; None for transform(…).
        whole_input: Input of all topics, to which `work` is bound.
    """
    event = topic.watermark
    if event is None and work is not None and work.event_time and not whole_input.events:
        event = EventTime(timestamp_of(topic), 0)
    if work is None or event is None:
        return TopicRows(topic.value, topic.key)
    idle_us = event.idle_us if work.state is not None else None
    return TopicRows(topic.value, topic.key, event.column, event.delay_us, idle_us)


def timestamp_of(topic: Topic) -> str:
    """Return the column with the records' timestamps, whose name depends on the format of the values."""
    return "timestamp" if isinstance(topic.value, Raw) else "_timestamp"


def state_schema_of(pipeline: PipelineDeclaration) -> pa.Schema | None:
    """Return the columns of the state, including internal columns; None for a pipeline without state."""
    work = bind_operator(pipeline)
    return None if work is None else work.state
