"""From a declared pipeline to what the engine and its tasks work by."""

import re
from functools import partial
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from tenure.client.bootstrap import ClusterConfig
from tenure.client.fetcher import fetch_arrow
from tenure.pipeline.digest import MAIN
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.files import Files, absolute, files_for
from tenure.pipeline.lane_state import LaneState
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layout import Layout
from tenure.pipeline.publish import Publisher
from tenure.pipeline.state import state_schema
from tenure.pipeline.state_cache import StateCache
from tenure.pipeline.task import Job, OnBadRecord
from tenure.protocol.types import GroupId
from tenure.spark.declare import DeadLetter, Stateful
from tenure.spark.keys import DDL, key_partitions
from tenure.spark.sinks import SINKS, Sink
from tenure.spark.task import in_background, untouched

if TYPE_CHECKING:
    from tenure.spark.pipeline import Pipeline

SIDE: Final = re.compile(r"[A-Za-z0-9_-]+")


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
        sinks={side: sink.staged for side, sink in outputs_of(pipeline).items()},
        state_version=process.version if isinstance(process, Stateful) else 1,
        migrate=process.migrate if isinstance(process, Stateful) else None,
        cache=StateCache.of_this_host(),
        in_background=in_background,
    )


def layout_of(pipeline: "Pipeline") -> Layout:
    state = pipeline.state_directory and absolute(pipeline.state_directory)
    sides = {side: sink.path for side, sink in pipeline.side.items()}
    return Layout.of(GroupId(pipeline.name), pipeline.sink.path, state, sides)


def outputs_of(pipeline: "Pipeline") -> dict[str, Sink]:
    """Every sink by the name of its output, the main one's being empty."""
    return {MAIN: pipeline.sink, **pipeline.side}


def publishers_of(pipeline: "Pipeline") -> dict[str, Publisher]:
    return {side: sink.publisher(side) for side, sink in outputs_of(pipeline).items()}


def check_outputs(pipeline: "Pipeline") -> None:
    """Raises PipelineConfigError for what can be seen without looking at any sink."""
    for side, sink in pipeline.side.items():
        if not isinstance(side, str) or not SIDE.fullmatch(side):
            raise PipelineConfigError(f"A side output's name is of letters, digits, - and _, not {side!r}.")
        if not isinstance(sink, SINKS):
            raise PipelineConfigError(f"The side output '{side}' of pipeline {pipeline.name} must be Parquet('…').")
    if not pipeline.sink.path and not pipeline.state_directory:
        raise PipelineConfigError(
            f"Pipeline {pipeline.name} writes to {pipeline.sink.where}, so it needs a state_directory of its own."
        )
    paths = [sink.path for sink in outputs_of(pipeline).values() if sink.path]
    if shared := [path for path in paths if paths.count(path) > 1]:
        raise PipelineConfigError(f"Two outputs of pipeline {pipeline.name} have one directory, {shared[0]}.")


def files_of(pipeline: "Pipeline") -> Files:
    layout = layout_of(pipeline)
    places = [layout.directory(side) for side in outputs_of(pipeline)]
    return files_for(*places, layout.state, options=pipeline.storage_options)


def state_schema_of(pipeline: "Pipeline") -> pa.Schema | None:
    """Key first; None for a pipeline without state."""
    process, source = pipeline.process, pipeline.source
    if not isinstance(process, Stateful) or source.key is None:
        return None
    kind = DDL[source.value.schema.field(source.key).type]
    return state_schema(f"`{source.key}` {kind}", process.state)


def state_of(pipeline: "Pipeline", lane: Lane) -> LaneState:
    """The state of a lane, to be read from beside: without copies on this host."""
    process, schema = pipeline.process, pipeline.state_schema
    assert isinstance(process, Stateful)
    return LaneState(
        files_of(pipeline), layout_of(pipeline), lane, schema, version=process.version, migrate=process.migrate
    )


def on_bad_record_of(pipeline: "Pipeline") -> OnBadRecord:
    chosen = pipeline.on_bad_record
    return OnBadRecord.DEAD_LETTER if isinstance(chosen, DeadLetter) else OnBadRecord(chosen)
