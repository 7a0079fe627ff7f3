"""Conversion of a declared pipeline to the job that Spark pickles for its tasks."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.task.job import Job, OnBadRecord
from tenure.protocol.special_values import READ_COMMITTED
from tenure.spark.declarations.inputs import bind_operator, operator_input, state_version_of, topic_rows
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.topics import DeadLetter
from tenure.spark.formats.keys import key_partitions
from tenure.spark.kafka.lane_transactions import write_in_transaction
from tenure.spark.sinks.outputs import layout_of, outputs_of
from tenure.spark.sinks.topic_sink import TopicSink
from tenure.spark.workers.task import pass_rows, run_in_background


def job_of(pipeline: PipelineDeclaration, cluster: str | Mapping[str, Any]) -> Job:
    """Return the picklable job of a pipeline. It contains all settings and functions that its tasks need."""
    work, given = bind_operator(pipeline), operator_input(pipeline)
    state_version, migrate = state_version_of(pipeline)
    first, outputs = pipeline.topics[0], outputs_of(pipeline)
    return Job(
        layout=layout_of(pipeline),
        values=first.value,
        function=pass_rows if work is None else work.function,
        fetch=partial(fetch_arrow, cluster, isolation_level=READ_COMMITTED),
        state=None if work is None else work.state,
        key=None if work is None or work.state is None else given.key,
        topics={topic.name: topic_rows(topic, work, given) for topic in pipeline.topics},
        key_partitions=first.partitioner or key_partitions,
        on_bad_record=on_bad_record_of(pipeline),
        sinks={side: sink.staged for side, sink in outputs.items() if not isinstance(sink, TopicSink)},
        to_topics={side: sink.records for side, sink in outputs.items() if isinstance(sink, TopicSink)},
        write=partial(write_in_transaction, cluster),
        state_version=state_version,
        migrate=migrate,
        cache=StateCache.of_this_host(),
        in_background=run_in_background,
    )


def on_bad_record_of(pipeline: PipelineDeclaration) -> OnBadRecord:
    """Return the pipeline's action for bad records."""
    chosen = pipeline.on_bad_record
    return OnBadRecord.DEAD_LETTER if isinstance(chosen, DeadLetter) else OnBadRecord(chosen)
