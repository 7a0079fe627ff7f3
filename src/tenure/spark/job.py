"""From a declared pipeline to what the engine and its tasks work by."""

from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.client.bootstrap import ClusterConfig
from tenure.client.fetcher import fetch_arrow
from tenure.pipeline.files import Files, absolute, files_for
from tenure.pipeline.layout import Layout
from tenure.pipeline.state import state_schema
from tenure.pipeline.state_files import StateCache
from tenure.pipeline.task import Job, OnBadRecord
from tenure.protocol.types import GroupId
from tenure.spark.declare import DeadLetter, Stateful
from tenure.spark.keys import DDL, key_partitions
from tenure.spark.task import untouched

if TYPE_CHECKING:
    from tenure.spark.pipeline import Pipeline


def job_of(pipeline: "Pipeline", cluster: ClusterConfig) -> Job:
    """What travels to the tasks."""
    process, source = pipeline.process, pipeline.source
    return Job(
        layout=layout_of(pipeline),
        values=source.value,
        function=process.function if isinstance(process, Stateful) else untouched,
        fetch=partial(fetch_arrow, cluster),
        state=state_schema_of(pipeline),
        key_partitions=key_partitions,
        on_bad_record=on_bad_record_of(pipeline),
        cache=StateCache.of_this_host(),
    )


def layout_of(pipeline: "Pipeline") -> Layout:
    state = pipeline.state_directory and absolute(pipeline.state_directory)
    return Layout.of(GroupId(pipeline.name), pipeline.sink.path, state)


def files_of(pipeline: "Pipeline") -> Files:
    layout = layout_of(pipeline)
    return files_for(layout.sink, layout.state, options=pipeline.storage_options)


def state_schema_of(pipeline: "Pipeline") -> pa.Schema | None:
    """Key first; None for a pipeline without state."""
    process, source = pipeline.process, pipeline.source
    if not isinstance(process, Stateful) or source.key is None:
        return None
    kind = DDL[source.value.schema.field(source.key).type]
    return state_schema(f"`{source.key}` {kind}", process.state)


def on_bad_record_of(pipeline: "Pipeline") -> OnBadRecord:
    chosen = pipeline.on_bad_record
    return OnBadRecord.DEAD_LETTER if isinstance(chosen, DeadLetter) else OnBadRecord(chosen)
