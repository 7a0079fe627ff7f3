"""State that a pipeline keeps, read beside it: for people, tests and dashboards."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.state.kept_lanes import KeptLane, Survey, lanes_of, survey
from tenure.pipeline.state.keyed_state import visible
from tenure.pipeline.state.layers import Layers
from tenure.pipeline.values.lanes import Lane
from tenure.spark.job import files_of, layout_of, state_of

if TYPE_CHECKING:
    from tenure.spark.pipeline import Pipeline

log: Final = logging.getLogger("tenure.pipeline")

T = TypeVar("T")

OnDamaged: TypeAlias = Literal["raise", "skip"]


def kept_state(pipeline: "Pipeline", damaged: OnDamaged = "raise") -> pa.Table:
    """Return every key of every lane, as of the lane's last published run.

    Args:
        pipeline: Need not run.
        damaged: "skip" returns the keys of the other lanes, and logs one warning for each lane that cannot be read.

    Raises:
        DamagedLanes: State, manifest or HEAD of a lane is damaged or missing, and `damaged` is "raise".
    """
    if damaged not in ("raise", "skip"):
        raise PipelineConfigError(f"Unknown value damaged={damaged!r}: use 'raise' or 'skip'.")
    names = visible(pipeline.state_schema).names
    rows = survey_state(pipeline, lambda layers: layers.scan().select(names))
    if damaged == "skip":
        for lane, stopped in rows.damaged.items():
            log.warning("pipeline %s: skipped the damaged state of lane %s: %s", pipeline.name, lane, stopped)
        rows = Survey(rows.found, {})
    return pa.concat_tables([pipeline.state_schema.empty_table(), *rows.all()])


def survey_state(pipeline: "Pipeline", do: Callable[[Layers], T]) -> Survey[T]:
    """Call `do` with the state of each lane that the state directory has."""

    def opened(kept: KeptLane) -> T:
        return do(state_of(pipeline, kept.lane).open(kept.manifest.state))

    return survey(files_of(pipeline), layout_of(pipeline), opened, lanes_of_pipeline(pipeline))


def lanes_of_pipeline(pipeline: "Pipeline") -> list[Lane]:
    """Return the lanes of the pipeline's topics that its state directory has."""
    found = lanes_of(files_of(pipeline), layout_of(pipeline))
    return [lane for lane in found if lane.topics == tuple(topic.name for topic in pipeline.topics)]
