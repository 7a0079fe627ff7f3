"""From a declared pipeline to what the engine and its tasks work by."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.pipeline.engine.task import Job, OnBadRecord
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.operator import BoundOperator, EventTime, OperatorInput
from tenure.pipeline.operators.rows import TopicRows, unite_tables
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.output.files import Files, absolute, files_for
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import Publisher
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.values.lanes import Lane
from tenure.protocol.types import GroupId
from tenure.spark.client_membership import READ_COMMITTED
from tenure.spark.declarations import DeadLetter, Stateful, Topic
from tenure.spark.keys import key_partitions
from tenure.spark.sinks import Sink
from tenure.spark.task import in_background, untouched
from tenure.spark.topic_sink import TopicSink
from tenure.spark.transactions import write_in_transaction
from tenure.spark.values import Raw

if TYPE_CHECKING:
    from tenure.spark.pipeline import Pipeline


def job_of(pipeline: "Pipeline", cluster: str | Mapping[str, Any]) -> Job:
    """What travels to the tasks."""
    work, given, process = bound(pipeline), input_of(pipeline), pipeline.process
    first, outputs = pipeline.topics[0], outputs_of(pipeline)
    return Job(
        layout=layout_of(pipeline),
        values=first.value,
        function=untouched if work is None else work.function,
        fetch=partial(fetch_arrow, cluster, isolation_level=READ_COMMITTED),
        state=None if work is None else work.state,
        key=None if work is None or work.state is None else given.key,
        topics={topic.name: topic_rows(topic, work, given) for topic in pipeline.topics},
        key_partitions=key_partitions,
        on_bad_record=on_bad_record_of(pipeline),
        sinks={side: sink.staged for side, sink in outputs.items() if not isinstance(sink, TopicSink)},
        to_topics={side: sink.records for side, sink in outputs.items() if isinstance(sink, TopicSink)},
        write=partial(write_in_transaction, cluster),
        state_version=process.version if isinstance(process, Stateful) else 1,
        migrate=process.migrate if isinstance(process, Stateful) else None,
        cache=StateCache.of_this_host(),
        in_background=in_background,
    )


def layout_of(pipeline: "Pipeline") -> Layout:
    state = pipeline.state_directory and absolute(pipeline.state_directory)
    main, *sides = outputs_of(pipeline).items()
    return Layout.of(GroupId(pipeline.name), main[1].path, state, {side: sink.path for side, sink in sides})


def outputs_of(pipeline: "Pipeline") -> dict[str, Sink]:
    """Every sink by the name of its output, the main one's being empty."""
    outputs = {MAIN: pipeline.sink, **pipeline.side}
    return {side: TopicSink(sink) if isinstance(sink, Topic) else sink for side, sink in outputs.items()}


def publishers_of(pipeline: "Pipeline") -> dict[str, Publisher]:
    return {side: sink.publisher(side) for side, sink in outputs_of(pipeline).items()}


def files_of(pipeline: "Pipeline") -> Files:
    layout = layout_of(pipeline)
    places = [layout.directory(side) for side in outputs_of(pipeline)]
    return files_for(*places, layout.state, options=pipeline.storage_options)


def check_topics(pipeline: "Pipeline") -> None:
    """Raises PipelineConfigError for topics that cannot be read together."""
    names = [topic.name for topic in pipeline.topics]
    if twice := [name for name in names if names.count(name) > 1]:
        raise PipelineConfigError(f"Pipeline {pipeline.name} lists the topic {twice[0]} twice: list it once.")
    if len(names) > 1 and not isinstance(pipeline.process, Stateful):
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} uses transform(…), which reads only one topic: use one topic, or join with"
            " join_streams(…)."
        )


def input_of(pipeline: "Pipeline") -> OperatorInput:
    """What the rows of all topics look like as one table."""
    topics = {topic.name: topic.value.schema for topic in pipeline.topics}
    keys = {topic.name: topic.key for topic in pipeline.topics}
    events = {topic.name: topic.watermark for topic in pipeline.topics if topic.watermark is not None}
    key = pipeline.topics[0].key
    rows = pipeline.topics[0].value.schema
    if len(topics) > 1:
        rows = united_schema(pipeline, key)
    return OperatorInput(pipeline.name, rows, topics, key, keys, events, frozenset(pipeline.side))


def united_schema(pipeline: "Pipeline", key: str | None) -> pa.Schema:
    if None in (unkeyed := {topic.key for topic in pipeline.topics}) and len(unkeyed) > 1:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} reads topics with and without a key: add .keyed_by('column') to each."
        )
    for topic in pipeline.topics:
        if topic.key != key and key in topic.value.schema.names:
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} is keyed by {key}, but topic {topic.name}, which is keyed by {topic.key},"
                f" has another column {key}: rename that column."
            )
    empty = {topic.name: (topic.value.schema.empty_table(), topic.key) for topic in pipeline.topics}
    try:
        return unite_tables(empty, key).schema
    except pa.ArrowTypeError as error:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} reads topics whose columns have the same name but different types: {error}"
        ) from error


def bound(pipeline: "Pipeline") -> BoundOperator | None:
    """The pipeline's work on its input; None for transform(…). Raises PipelineConfigError."""
    process = pipeline.process
    return process.work.bound(input_of(pipeline)) if isinstance(process, Stateful) else None


def topic_rows(topic: Topic, work: BoundOperator | None, given: OperatorInput) -> TopicRows:
    event = topic.watermark
    if event is None and work is not None and work.event_time and not given.events:
        event = EventTime(timestamp_of(topic), 0)
    if work is None or event is None:
        return TopicRows(topic.value, topic.key)
    return TopicRows(topic.value, topic.key, event.column, event.delay_us)


def timestamp_of(topic: Topic) -> str:
    """The column of the records' own timestamps."""
    return "timestamp" if isinstance(topic.value, Raw) else "_timestamp"


def state_schema_of(pipeline: "Pipeline") -> pa.Schema | None:
    """What is kept, Tenure's own columns included; None for a pipeline without state."""
    work = bound(pipeline)
    return None if work is None else work.state


def state_of(pipeline: "Pipeline", lane: Lane) -> LaneState:
    """The state of a lane, to be read from beside: without copies on this host."""
    process, schema = pipeline.process, state_schema_of(pipeline)
    if not isinstance(process, Stateful) or schema is None:
        raise PipelineConfigError(f"Pipeline {pipeline.name} has no state: only pipelines with stateful(…) have.")
    return LaneState(
        files_of(pipeline), layout_of(pipeline), lane, schema, version=process.version, migrate=process.migrate
    )


def on_bad_record_of(pipeline: "Pipeline") -> OnBadRecord:
    chosen = pipeline.on_bad_record
    return OnBadRecord.DEAD_LETTER if isinstance(chosen, DeadLetter) else OnBadRecord(chosen)
