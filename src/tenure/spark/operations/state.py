"""`tenure pipeline state`: what a pipeline keeps, looked at, copied and put back, while it runs or not.

What changes something is done only while nobody is in the group, as with every offset that is set from outside: a
member would go on from where it stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from tenure.admin import Admin
from tenure.admin.group_offsets import ResetPlan
from tenure.admin.offset_reset import ToListed
from tenure.client import values
from tenure.client.errors import RequestRefused
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped
from tenure.pipeline.files import Files, absolute, files_for
from tenure.pipeline.head import write_head
from tenure.pipeline.kept_lanes import (
    ATTEMPTS,
    KeptLane,
    copy_lane,
    copy_state,
    kept_lanes,
    lanes_of,
    of_newest,
    stand_at,
    trouble_with,
)
from tenure.pipeline.lanes import Lane, TopicPartition
from tenure.pipeline.layout import Layout
from tenure.pipeline.recover import recover
from tenure.pipeline.seat import Bounds, Committed
from tenure.protocol.errors import ErrorCode
from tenure.spark.job import files_of, layout_of, state_of
from tenure.spark.kept_state import kept_state, lane_layers, lanes_of_pipeline
from tenure.spark.pipeline import Pipeline
from tenure.spark.seat import TopicLog
from tenure.spark.task import new_id

TABLES: Final = (".parquet", ".csv", ".arrow")


# --- look -------------------------------------------------------------------------------------------------------------


def standing(pipeline: Pipeline) -> list[KeptLane]:
    """Each lane as of its last published batch."""
    return kept_lanes(files_of(pipeline), layout_of(pipeline))


def rows_of_key(pipeline: Pipeline, key: str) -> list[tuple[Lane, dict[str, Any]]]:
    """What is kept of one key: in its lane, or nowhere. In several lanes only if something is wrong."""
    kind = pipeline.state_schema.field(0).type
    try:
        keys = pa.array([key], pa.string()).cast(kind)
    except pa.ArrowInvalid:
        raise ValueError(f"the state is kept by a {kind}, and {key!r} is none") from None
    found = []
    for lane in lanes_of_pipeline(pipeline):
        layers = lane_layers(state_of(pipeline, lane))
        (row,) = layers.take(layers.rows_of(keys)).to_pylist()
        if row[layers.key] is not None:
            found.append((lane, row))
    return found


def troubles(pipeline: Pipeline, cluster: Mapping[str, str] | None) -> dict[Lane, str]:
    """Each lane, and what is wrong with it: every byte of its state is read; with `cluster`, the group is asked too."""
    files, layout = files_of(pipeline), layout_of(pipeline)
    troubled = {lane: trouble_with(files, layout, lane) for lane in lanes_of(files, layout)}
    found = {lane: trouble for lane, trouble in troubled.items() if trouble is not None}
    if cluster is not None:
        for lane, stopped in disagreements(pipeline, cluster).items():
            found[lane] = found.get(lane) or ("" if stopped is None else str(stopped))
    return found


def disagreements(pipeline: Pipeline, cluster: Mapping[str, str]) -> dict[Lane, PipelineStopped | None]:
    """What a pipeline that starts now would stop for, of every lane that the group or the state directory knows."""
    committed = committed_by(pipeline, cluster)
    kept = {kept.lane for kept in standing(pipeline)}
    topics = next((lane.topics for lane in kept), tuple(sorted({at.topic for at in committed})))
    lanes = sorted(kept | {Lane(topics, at.partition) for at in committed if at.topic in topics})
    bounds = TopicLog(dict(cluster)).bounds([partition for lane in lanes for partition in lane.partitions])
    return {lane: disagreement(pipeline, cluster, lane, committed, bounds) for lane in lanes}


def disagreement(
    pipeline: Pipeline,
    cluster: Mapping[str, str],
    lane: Lane,
    committed: Mapping[TopicPartition, Committed],
    bounds: Mapping[TopicPartition, Bounds],
) -> PipelineStopped | None:
    """Where the pipeline runs, and has gone on while we looked, we look again."""
    at = {partition: committed.get(partition) for partition in lane.partitions}
    for _ in range(ATTEMPTS):
        try:
            recover(files_of(pipeline), layout_of(pipeline), lane, at, bounds)
        except PipelineStopped as found:
            stopped, before = found, at
        else:
            return None
        committed = committed_by(pipeline, cluster)
        at = {partition: committed.get(partition) for partition in lane.partitions}
        if at == before:
            break
    return stopped


def committed_by(pipeline: Pipeline, cluster: Mapping[str, str]) -> dict[TopicPartition, Committed]:
    with Admin(cluster) as admin:
        offsets = admin.committed_offsets(pipeline.name)
    return {TopicPartition(*at): Committed(*said) for at, said in offsets.items()}  # type: ignore[arg-type]


# --- copy -------------------------------------------------------------------------------------------------------------


def write_table(pipeline: Pipeline, to: str) -> int:
    """Every key with its state as one table: Parquet, CSV or Arrow, as its name ends. Returns how many there are."""
    rows = kept_state(pipeline)
    try:
        with pa.OSFile(to, "wb") as file:
            if to.endswith(".parquet"):
                pyarrow.parquet.write_table(rows, file)
            elif to.endswith(".csv"):
                pyarrow.csv.write_csv(rows, file)
            else:
                with pa.ipc.new_file(file, rows.schema) as writer:
                    writer.write_table(rows)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{to} cannot hold this state ({error}): write Parquet or Arrow") from None
    return len(rows)


def write_copy(pipeline: Pipeline, to: str) -> list[KeptLane]:
    """All that a lane needs to go on from where it is now, for every lane, in a directory of its own."""
    files, source, target = _both(pipeline, to)

    def copied(kept: KeptLane) -> KeptLane:
        copy_lane(files, kept, source, target)
        return kept

    lanes = [of_newest(files, source, lane, copied) for lane in lanes_of(files, source)]
    return [kept for kept in lanes if kept is not None]


def _both(pipeline: Pipeline, place: str) -> tuple[Files, Layout, Layout]:
    """The pipeline's own layout, and that of a copy of its state."""
    layout, copy = layout_of(pipeline), absolute(place)
    return files_for(layout.state, copy, options=pipeline.storage_options), layout, Layout.of(layout.group, copy, copy)


# --- put back ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Restore:
    """What would be put back, and where the group would stand then."""

    pipeline: Pipeline
    copy: str | None
    lanes: tuple[KeptLane, ...]
    offsets: ResetPlan


def plan_restore(pipeline: Pipeline, cluster: Mapping[str, str], copy: str | None) -> Restore:
    """From a copy all its lanes; without one, out of the state directory itself, those lanes that the group has lost or
    that were reset: they go on from where their state ends."""
    if copy is None:
        wrong = {lane for lane, stopped in disagreements(pipeline, cluster).items() if stopped is not None}
        lanes = [kept for kept in standing(pipeline) if kept.lane in wrong]
        if not lanes and wrong:
            raise PipelineConfigError(
                f"The state directory has nothing of {min(wrong)}: restore it from a copy, --from."
            )
    else:
        files, _, source = _both(pipeline, copy)
        lanes = kept_lanes(files, source)
        if not lanes:
            raise PipelineConfigError(
                f"{copy} has no state of pipeline {pipeline.name}: name a directory that `export` wrote."
            )
    offsets = planned_offsets(pipeline, cluster, lanes)
    if short := [move for move in offsets.moves if move.note]:
        raise RequestRefused(
            f"The log of {short[0].partition} does not have where its state ends: {short[0].note}.",
            ErrorCode.OFFSET_OUT_OF_RANGE,
        )
    return Restore(pipeline, copy, tuple(lanes), offsets)


def planned_offsets(pipeline: Pipeline, cluster: Mapping[str, str], lanes: Sequence[KeptLane]) -> ResetPlan:
    with Admin(cluster) as admin:
        return admin.plan_reset(pipeline.name, ToListed(pointers(lanes)), None)


def pointers(lanes: Sequence[KeptLane]) -> dict[values.TopicPartition, values.OffsetAndMetadata]:
    """What is to be committed for these lanes."""
    return {
        values.TopicPartition(*part.topic_partition): values.OffsetAndMetadata(
            part.end_offset, str(kept.pointer), part.leader_epoch
        )
        for kept in lanes
        for part in kept.manifest.ranges
    }


def restore(plan: Restore, cluster: Mapping[str, str]) -> None:
    """Raises RequestRefused when somebody is in the group."""
    pipeline, lanes = plan.pipeline, plan.lanes
    if plan.copy is None:
        commit_pointers(pipeline, cluster, lanes)
        return
    if plan.offsets.refusal:
        raise RequestRefused(plan.offsets.refusal, ErrorCode.NON_EMPTY_GROUP)
    files, target, source = _both(pipeline, plan.copy)
    restored = []
    for kept in lanes:
        copy_state(files, kept, source, target)
        manifest = kept.manifest
        state, count = manifest.state, manifest.partition_count
        restored.append(stand_at(files, target, kept.lane, manifest.ranges, state, count, new_id, manifest.times))
    commit_pointers(pipeline, cluster, restored)
    for kept in restored:
        write_head(files, target, kept.manifest, kept.pointer)


def commit_pointers(pipeline: Pipeline, cluster: Mapping[str, str], lanes: Sequence[KeptLane]) -> None:
    """One commit for all of them, under nobody's name. Raises RequestRefused when somebody is in the group."""
    with Admin(cluster) as admin:
        admin.write_plan(admin.plan_reset(pipeline.name, ToListed(pointers(lanes)), None))
