"""The state that a pipeline keeps, read from beside: for people, tests and dashboards."""

from typing import TYPE_CHECKING

import pyarrow as pa

from tenure.pipeline.kept_lanes import lanes_of, of_newest
from tenure.pipeline.lane_state import LaneState
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layers import Layers
from tenure.pipeline.state import visible
from tenure.spark.job import files_of, layout_of, state_of

if TYPE_CHECKING:
    from tenure.spark.pipeline import Pipeline


def kept_state(pipeline: "Pipeline") -> pa.Table:
    """Every key of every lane, as of the lane's last published run."""
    states = [state_of(pipeline, lane) for lane in lanes_of_pipeline(pipeline)]
    schema = visible(pipeline.state_schema)
    rows = [lane_layers(state).scan().select(schema.names) for state in states]
    return pa.concat_tables([schema.empty_table(), *rows])


def lanes_of_pipeline(pipeline: "Pipeline") -> list[Lane]:
    """Those that its state directory has."""
    found = lanes_of(files_of(pipeline), layout_of(pipeline))
    return [lane for lane in found if lane.topics == tuple(topic.name for topic in pipeline.topics)]


def lane_layers(state: LaneState) -> Layers:
    layers = of_newest(state.files, state.layout, state.lane, lambda kept: state.open(kept.manifest.state))
    return Layers(state.schema.empty_table()) if layers is None else layers
