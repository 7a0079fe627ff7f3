"""Repartitioning of the state of a pipeline whose topic has grown (`tenure pipeline repartition`).

The group must be empty. Unprocessed records from before the growth are processed first, without Spark: the pipeline's
function runs in this process, with the usual commits and publications.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tenure.admin import Admin
from tenure.admin.offset_reset import ToListed
from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.errors import RequestRefused
from tenure.limits.pipeline import RUNNING_RECORDS
from tenure.pipeline.engine import topic_changes
from tenure.pipeline.engine.recover import recover
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.output.head_file import write_head
from tenure.pipeline.output.publish import publish
from tenure.pipeline.state.kept_lanes import OPERATOR, KeptLane
from tenure.pipeline.state.repartition import PartitionCounts, left_over, repartition
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values import plan as planning
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.membership import Bounds
from tenure.pipeline.values.plan import Position
from tenure.pipeline.values.stager import Failed, Staged
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.declarations.inputs import operator_input
from tenure.spark.declarations.topics import DeadLetter
from tenure.spark.formats.keys import key_partitions
from tenure.spark.jobs.job import job_of
from tenure.spark.kafka.dead_letter_topic import DeadLetterTopic
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.kept_state import state_of
from tenure.spark.operations.state import commit_pointers
from tenure.spark.pipeline import Pipeline
from tenure.spark.sinks.outputs import files_of, layout_of, publishers_of
from tenure.spark.workers.task import new_id
from tenure.values import TopicPartition

NO_GROWTH: Final = "its state has as many lanes as its topic has partitions"


@dataclass(frozen=True, slots=True)
class RepartitionPlan:
    """Changes that are needed after a topic got more partitions: the pipeline's offsets and state are repartitioned."""

    pipeline: Pipeline
    cluster: Mapping[str, str]
    counts: PartitionCounts
    positions: dict[Lane, Position]
    """Positions of the lanes that existed before the topic grew."""
    unpublished: frozenset[Lane]
    bounds: dict[TopicPartition, Bounds]
    """Bounds of all present partitions, including the new ones."""
    limits: dict[TopicPartition, int]
    """Offset after the last record that was written before the topic grew, for each old partition."""
    refusal: str
    """Reason why the plan cannot be executed now; "" if it can be executed."""

    @property
    def left_over(self) -> int:
        """Number of unprocessed records that were written before the topics got more partitions."""
        return sum(
            limit - self.positions[lane].offsets[at] for lane in self.positions for at, limit in self.limits_of(lane)
        )

    def limits_of(self, lane: Lane) -> list[tuple[TopicPartition, int]]:
        """Return each partition of a lane with the offset after its last record from before the topic grew."""
        return [(partition, self.limits[partition]) for partition in lane.partitions]


def plan_repartition(pipeline: Pipeline, cluster: Mapping[str, str]) -> RepartitionPlan:
    """Plan how to repartition the state, without changing anything.

    Raises:
        PipelineConfigError: There is nothing to repartition.
        PipelineStopped: The state cannot be repartitioned.
    """
    names = tuple(TopicName(topic.name) for topic in pipeline.topics)
    log = TopicLog(dict(cluster))
    now = topic_changes.partition_count(log, names)
    lanes = [Lane(names, PartitionId(number)) for number in range(now)]
    bounds = log.bounds([partition for lane in lanes for partition in lane.partitions])
    with Admin(cluster) as admin:
        committed = admin.committed_offsets(pipeline.name)
        refusal = admin.plan_reset(pipeline.name, ToListed({})).refusal
    files, layout = files_of(pipeline), layout_of(pipeline)
    found = {
        lane: recover(files, layout, lane, {at: committed.get(at) for at in lane.partitions}, bounds) for lane in lanes
    }
    kept = {lane: one.position for lane, one in found.items() if one.position.manifest is not None}
    old_counts = {position.manifest.partition_count for position in kept.values() if position.manifest}
    if old_counts in ({now}, set()) or operator_input(pipeline).key is None:
        raise PipelineConfigError(f"Pipeline {pipeline.name} needs no repartitioning: {NO_GROWTH}.")
    counts = PartitionCounts(min(old_counts), now, key_partitions)
    old = {lane: found[lane].position for lane in lanes[: counts.before]}
    fetch = partial(fetch_arrow, cluster)
    limits = {
        at: left_over(counts, fetch, at, offset, bounds[at].end_offset)
        for position in old.values()
        for at, offset in position.offsets.items()
    }
    unpublished = frozenset(lane for lane, one in found.items() if one.publish)
    plan = RepartitionPlan(pipeline, cluster, counts, old, unpublished, bounds, limits, refusal)
    if plan.left_over and len(names) > 1:
        raise PipelineStopped(
            Code.PARTITIONS_CHANGED,
            f"{format_count(plan.left_over, 'record')} of {' and '.join(names)} from before the topics grew must be"
            " processed first, and a pipeline that reads several topics cannot process them separately: compute the"
            " state again, with another sink and state directory",
        )
    return plan


def execute(plan: RepartitionPlan) -> list[KeptLane]:
    """Repartition the state; return the changed lanes. After an interruption, call this function again.

    Raises:
        RequestRefused: The group has members.
    """
    if plan.refusal:
        raise RequestRefused(plan.refusal, ErrorCode.NON_EMPTY_GROUP)
    positions = {lane: _process_left_over(plan, lane, position) for lane, position in plan.positions.items()}
    kept = {lane: _kept_lane(position) for lane, position in positions.items() if position.manifest is not None}
    ends = dict(plan.bounds)
    for position in positions.values():
        for at, offset in position.offsets.items():
            ends[at] = ends[at]._replace(start_offset=offset)
    pipeline, key = plan.pipeline, operator_input(plan.pipeline).key
    assert key is not None
    states = {lane: state_of(pipeline, lane) for lane in kept}
    made = repartition(states, kept, plan.counts, key, ends, new_id)
    commit_pointers(pipeline, plan.cluster, made)
    for lane in made:
        write_head(files_of(pipeline), layout_of(pipeline), lane.manifest, lane.pointer)
    return made


def _process_left_over(plan: RepartitionPlan, lane: Lane, position: Position) -> Position:
    """Process the unprocessed records from before the growth; return the new position."""
    if lane in plan.unpublished:
        _publish(plan, _kept_lane(position))
    limits = {at: plan.bounds[at]._replace(end_offset=limit) for at, limit in plan.limits_of(lane)}
    job = replace(job_of(plan.pipeline, dict(plan.cluster)), cache=None, in_background=None)
    files = files_of(plan.pipeline)
    while plans := planning.plan_lanes([position], limits, plan.counts.before, RUNNING_RECORDS):
        (bundle,) = planning.bundles(plans, OPERATOR, [new_id()])
        (result,) = run_bundle(job, bundle, files, new_id)
        if isinstance(result, Failed):
            raise PipelineStopped(result.code, result.reason, lane)
        position = _commit(plan, result)
    return position


def _commit(plan: RepartitionPlan, staged: Staged) -> Position:
    manifest = staged.manifest
    kept = KeptLane(manifest.lane, staged.pointer, manifest)
    commit_pointers(plan.pipeline, plan.cluster, [kept])
    _publish(plan, kept)
    return Position(manifest.lane, manifest.end, manifest.sequence, manifest, staged.pointer)


def _publish(plan: RepartitionPlan, kept: KeptLane) -> None:
    chosen = plan.pipeline.on_bad_record
    letters = DeadLetterTopic(plan.cluster, chosen.topic) if isinstance(chosen, DeadLetter) else None
    publishers = publishers_of(plan.pipeline)
    try:
        publish(files_of(plan.pipeline), layout_of(plan.pipeline), kept.manifest, kept.pointer, letters, publishers)
    finally:
        for publisher in publishers.values():
            publisher.close()


def _kept_lane(position: Position) -> KeptLane:
    assert position.manifest is not None
    assert position.pointer is not None
    return KeptLane(position.lane, position.pointer, position.manifest)
