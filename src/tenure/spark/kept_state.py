"""Access to the state of a pipeline for other programs, such as tests and dashboards."""

import logging
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, TypeVar

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.state.kept_lanes import KeptLane, LaneResults, lanes_of, survey
from tenure.pipeline.state.keyed_state import visible
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.state.layers import Layers
from tenure.pipeline.state.step_states import ROW_ID
from tenure.pipeline.values.lanes import Lane
from tenure.spark.declarations.inputs import state_schema_of, state_version_of
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.sinks.outputs import files_of, layout_of

log: Final = logging.getLogger("tenure.pipeline")

T = TypeVar("T")

OnDamaged: TypeAlias = Literal["raise", "skip"]


def kept_state(pipeline: PipelineDeclaration, damaged: OnDamaged = "raise") -> pa.Table:
    """Return every key of every lane, with its state after the lane's last published batch.

    Args:
        pipeline: Pipeline, which need not be running.
        damaged: "skip" leaves out lanes that cannot be read, with one warning in the log for each of them.

    Raises:
        DamagedLanes: State, manifest or HEAD of a lane is damaged or missing, and `damaged` is "raise".
    """
    if damaged not in ("raise", "skip"):
        raise PipelineConfigError(f"Unknown value damaged={damaged!r}: use 'raise' or 'skip'.")
    schema = visible_state_schema(pipeline)
    rows = survey_state(pipeline, lambda layers: layers.scan().select(schema.names))
    if damaged == "skip":
        for lane, stopped in rows.damaged.items():
            log.warning(
                "pipeline %s: the result has no keys of lane %s, because its state is damaged: %s",
                pipeline.name,
                lane,
                stopped,
            )
        rows = LaneResults(rows.found, {})
    return pa.concat_tables([schema.empty_table(), *rows.all()])


def survey_state(pipeline: PipelineDeclaration, do: Callable[[Layers], T]) -> LaneResults[T]:
    """Call `do` with the state of each lane in the state directory; return its result for each lane."""

    def read_lane(kept: KeptLane) -> T:
        return do(state_of(pipeline, kept.lane).open(kept.manifest.state))

    return survey(files_of(pipeline), layout_of(pipeline), read_lane, lanes_of_pipeline(pipeline))


def lanes_of_pipeline(pipeline: PipelineDeclaration) -> list[Lane]:
    """Return the lanes of the pipeline's topics in its state directory."""
    found = lanes_of(files_of(pipeline), layout_of(pipeline))
    return [lane for lane in found if lane.topics == tuple(topic.name for topic in pipeline.topics)]


def state_of(pipeline: PipelineDeclaration, lane: Lane) -> LaneState:
    """Return access to the state of a lane. Raises PipelineConfigError if the pipeline has no state."""
    schema = state_schema_of(pipeline)
    if schema is None:
        raise PipelineConfigError(f"Pipeline {pipeline.name} has no state: none of its steps keeps state.")
    version, migrate = state_version_of(pipeline)
    return LaneState(files_of(pipeline), layout_of(pipeline), lane, schema, version=version, migrate=migrate)


def visible_state_schema(pipeline: PipelineDeclaration) -> pa.Schema:
    """Return the schema of the state: the key, then the declared columns.

    If several steps have state, the key is followed by one struct column for each of these steps.

    Raises:
        PipelineConfigError: The pipeline has no state.
    """
    schema = state_schema_of(pipeline)
    if schema is None:
        raise PipelineConfigError(f"Pipeline {pipeline.name} has no state: none of its steps keeps state.")
    return pa.schema([field for field in visible(schema) if field.name != ROW_ID])
