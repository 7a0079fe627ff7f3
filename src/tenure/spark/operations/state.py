"""Commands for the state of a pipeline: show, verify, copy and restore (`tenure pipeline state`).

The pipeline may be running, except during a restore. A restore changes the group's offsets, so the group must be empty:
a running member would continue from its own position.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from tenure.admin import Admin
from tenure.admin.group_offsets import ResetPlan
from tenure.admin.offset_reset import ToListed
from tenure.client.errors import RequestRefused
from tenure.pipeline.engine.recover import recover
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped
from tenure.pipeline.output.files import Files, absolute
from tenure.pipeline.output.fsspec_files import files_for
from tenure.pipeline.output.head_file import ATTEMPTS, write_head
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.kept_lanes import (
    KeptLane,
    LaneResults,
    copy_lane,
    copy_state,
    kept_lanes,
    survey,
    verify_lanes,
    write_move_manifest,
)
from tenure.pipeline.state.keyed_state import visible
from tenure.pipeline.state.layers import Layers
from tenure.pipeline.state.step_states import ROW_ID
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.membership import Bounds
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.kept_state import OnDamaged, kept_state, survey_state
from tenure.spark.pipeline import Pipeline
from tenure.spark.sinks.outputs import files_of, layout_of
from tenure.spark.workers.task import new_id
from tenure.values import OffsetAndMetadata, TopicPartition

TABLES: Final = (".parquet", ".csv", ".arrow")


# --- look -------------------------------------------------------------------------------------------------------------


def published_lanes(pipeline: Pipeline) -> LaneResults[KeptLane]:
    """Return each lane with its last published batch."""
    return kept_lanes(files_of(pipeline), layout_of(pipeline))


def rows_of_key(pipeline: Pipeline, key: str) -> LaneResults[dict[str, Any] | None]:
    """Return for each lane the row of a key, or None. Normally at most one lane has the key."""
    kind = pipeline.state_schema.field(0).type
    try:
        keys = pa.array([key], pa.string()).cast(kind)
    except pa.ArrowInvalid:
        raise ValueError(f"{key!r} is not a valid key: the key of the state is of type {kind}") from None

    def row_of(layers: Layers) -> dict[str, Any] | None:
        if layers.key == ROW_ID:
            return row_of_steps(layers, keys)
        (row,) = layers.take(layers.rows_of(keys)).to_pylist()
        return None if row[layers.key] is None else row

    return survey_state(pipeline, row_of)


def row_of_steps(layers: Layers, keys: pa.Array) -> dict[str, Any] | None:
    """Return {key column: key, step: rows of the step for this key, …}; None if no step has a row."""
    key, *steps = visible(layers.schema).names[1:]
    rows = layers.scan()
    found = rows.filter(pc.is_in(rows[key], value_set=keys)).to_pylist()
    states = {step: [row[step] for row in found if row[step] is not None] for step in steps}
    return {key: keys[0].as_py(), **states} if found else None


def lane_problems(pipeline: Pipeline, cluster: Mapping[str, str] | None) -> dict[Lane, str]:
    """Return the problem of each lane; "" if its state is intact. Reads every byte of the state.

    With `cluster`, the state is also compared with the committed offsets.
    """
    verified = verify_lanes(files_of(pipeline), layout_of(pipeline))
    found = {**dict.fromkeys(verified.found, ""), **{lane: one.sentence for lane, one in verified.damaged.items()}}
    if cluster is not None:
        for lane, stopped in disagreements(pipeline, cluster).items():
            found[lane] = found.get(lane) or ("" if stopped is None else str(stopped))
    return dict(sorted(found.items()))


def disagreements(pipeline: Pipeline, cluster: Mapping[str, str]) -> dict[Lane, PipelineStopped | None]:
    """Compare the committed offsets of each lane with its state.

    Return for each lane the error with which the pipeline would stop; None if offsets and state agree. The lanes are
    those with committed offsets, and those in the state directory.
    """
    committed = committed_by(pipeline, cluster)
    found = published_lanes(pipeline)
    kept = {*found.found, *found.damaged}
    topics = next((lane.topics for lane in kept), tuple(sorted({TopicName(at.topic) for at in committed})))
    lanes = sorted(kept | {Lane(topics, PartitionId(at.partition)) for at in committed if at.topic in topics})
    bounds = TopicLog(dict(cluster)).bounds([partition for lane in lanes for partition in lane.partitions])
    return {lane: disagreement(pipeline, cluster, lane, committed, bounds) for lane in lanes}


def disagreement(
    pipeline: Pipeline,
    cluster: Mapping[str, str],
    lane: Lane,
    committed: Mapping[TopicPartition, OffsetAndMetadata],
    bounds: Mapping[TopicPartition, Bounds],
) -> PipelineStopped | None:
    """Compare the committed offsets of a lane with its state.

    Return the error with which the pipeline would stop; None if offsets and state agree. If the pipeline commits during
    the check, both are read again.
    """
    offsets = {partition: committed.get(partition) for partition in lane.partitions}
    for _ in range(ATTEMPTS):
        try:
            recover(files_of(pipeline), layout_of(pipeline), lane, offsets, bounds)
        except PipelineStopped as found:
            stopped, checked = found, offsets
        else:
            return None
        committed = committed_by(pipeline, cluster)
        offsets = {partition: committed.get(partition) for partition in lane.partitions}
        if offsets == checked:
            break
    return stopped


def committed_by(pipeline: Pipeline, cluster: Mapping[str, str]) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return the group's committed offsets."""
    with Admin(cluster) as admin:
        return admin.committed_offsets(pipeline.name)


# --- copy -------------------------------------------------------------------------------------------------------------


def write_table(pipeline: Pipeline, to: str, damaged: OnDamaged = "raise") -> int:
    """Write every key with its state to one file; return the number of keys.

    The suffix of the file name determines the format: Parquet, CSV or Arrow.
    """
    rows = kept_state(pipeline, damaged)
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
        raise ValueError(f"File {to} cannot store this state ({error}): use Parquet or Arrow") from None
    return len(rows)


def write_copy(pipeline: Pipeline, to: str) -> LaneResults[KeptLane]:
    """Copy to the directory `to` all files that lanes need to continue from their current positions."""
    files, source, target = _layouts(pipeline, to)

    def copy(kept: KeptLane) -> KeptLane:
        copy_lane(files, kept, source, target)
        return kept

    return survey(files, source, copy)


def _layouts(pipeline: Pipeline, copy: str) -> tuple[Files, Layout, Layout]:
    """Return the file access, the pipeline's layout, and the layout of a copy of its state in the directory `copy`."""
    layout, path = layout_of(pipeline), absolute(copy)
    return files_for(layout.state, path, options=pipeline.storage_options), layout, Layout.of(layout.group, path, path)


# --- put back ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """Lanes to restore, and the offsets that the group gets."""

    pipeline: Pipeline
    copy: str | None
    lanes: tuple[KeptLane, ...]
    offsets: ResetPlan
    lost: Mapping[Lane, PipelineStopped]
    """Lanes that cannot be restored from the state directory, each with the reason. Only a copy can restore them."""


def plan_restore(pipeline: Pipeline, cluster: Mapping[str, str], copy: str | None) -> RestorePlan:
    """Plan to restore all lanes of a copy.

    Without a copy, plan to restore the lanes whose committed offsets were lost or reset. These lanes then continue at
    the end of their state.
    """
    if copy is None:
        wrong = {lane: one for lane, one in disagreements(pipeline, cluster).items() if one is not None}
        found = published_lanes(pipeline).found
        lanes = [found[lane] for lane in wrong if lane in found]
        lost = {lane: stopped for lane, stopped in wrong.items() if lane not in found}
        if lost and not lanes:
            names = ", ".join(map(str, lost))
            raise PipelineConfigError(
                f"The state directory has no usable state of lanes {names}: restore from a copy with --from."
            )
    else:
        files, _, source = _layouts(pipeline, copy)
        lost = {}
        lanes = kept_lanes(files, source).all()
        if not lanes:
            raise PipelineConfigError(
                f"Copy {copy} has no state of pipeline {pipeline.name}: name a directory that `tenure pipeline state"
                " export` wrote."
            )
    offsets = planned_offsets(pipeline, cluster, lanes)
    if change := next((change for change in offsets.changes if change.note), None):
        raise RequestRefused(
            f"The state of partition {change.partition} ends at an offset that its log does not have: {change.note}.",
            ErrorCode.OFFSET_OUT_OF_RANGE,
        )
    return RestorePlan(pipeline, copy, tuple(lanes), offsets, lost)


def planned_offsets(pipeline: Pipeline, cluster: Mapping[str, str], lanes: Sequence[KeptLane]) -> ResetPlan:
    """Return the plan that sets the group's committed offsets to the ends of these lanes' states."""
    with Admin(cluster) as admin:
        return admin.plan_reset(pipeline.name, ToListed(pointers(lanes)), None)


def pointers(lanes: Sequence[KeptLane]) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return the offsets and metadata to commit for these lanes."""
    return {
        part.topic_partition: OffsetAndMetadata(part.end_offset, str(kept.pointer), part.leader_epoch)
        for kept in lanes
        for part in kept.manifest.ranges
    }


def restore(plan: RestorePlan, cluster: Mapping[str, str]) -> None:
    """Restore the state. Raises RequestRefused if the group has members."""
    pipeline, lanes = plan.pipeline, plan.lanes
    if plan.copy is None:
        commit_pointers(pipeline, cluster, lanes)
        return
    if plan.offsets.refusal:
        raise RequestRefused(plan.offsets.refusal, ErrorCode.NON_EMPTY_GROUP)
    files, target, source = _layouts(pipeline, plan.copy)
    restored = []
    for kept in lanes:
        copy_state(files, kept, source, target)
        manifest = kept.manifest
        state, count = manifest.state, manifest.partition_count
        restored.append(
            write_move_manifest(files, target, kept.lane, manifest.ranges, state, count, new_id, manifest.times)
        )
    commit_pointers(pipeline, cluster, restored)
    for kept in restored:
        write_head(files, target, kept.manifest, kept.pointer)


def commit_pointers(pipeline: Pipeline, cluster: Mapping[str, str], lanes: Sequence[KeptLane]) -> None:
    """Commit the offsets of all lanes at once, as an administrator. Raises RequestRefused if the group has members."""
    with Admin(cluster) as admin:
        admin.write_plan(admin.plan_reset(pipeline.name, ToListed(pointers(lanes)), None))
