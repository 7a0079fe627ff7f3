"""Plans: the records of the next batch of each lane, and the lanes that share a task.

A bundle contains the member's identity *at plan time*, and its commits carry this identity. The lanes of a bundle share
one task. Lanes without transactions also share one OffsetCommit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from tenure.limits.pipeline import BUNDLE_SHARE_MIN
from tenure.pipeline.values.lane_times import NEVER, Times
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest, Output, Pointer, StateVersion, TransactionHandle
from tenure.pipeline.values.membership import Bounds
from tenure.protocol.types import PartitionId, TopicName
from tenure.values import TopicPartition

Weights = Mapping[Lane, float]
"""Weight of one record of each lane. A record of weight 2 counts as two records in a limit on records."""

EQUAL: Final[Weights] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Position:
    """Committed position of a lane, with its state."""

    lane: Lane
    offsets: Mapping[TopicPartition, int]
    sequence: int = 0
    """Sequence number of the last batch."""
    manifest: Manifest | None = None
    pointer: Pointer | None = None

    @property
    def state(self) -> StateVersion:
        return StateVersion() if self.manifest is None else self.manifest.state


@dataclass(frozen=True, slots=True)
class LanePlan:
    """Next batch of one lane: its records, and all values that the task needs to process them. Picklable."""

    lane: Lane
    ranges: tuple[Range, ...]
    partition_count: int
    sequence: int
    """Sequence number of this batch's manifest."""
    state: StateVersion
    """State before the batch."""
    previous: Pointer | None
    lag: int = 0
    """Records in the log that are left for later plans."""
    has_more: tuple[bool, ...] = ()
    """For each range, whether its log has more records after it. Such a record may be earlier than records in the
    ranges of other topics, which then wait for a later batch (see `mergeable_slices`)."""
    times: Times = NEVER
    """Watermarks before the batch."""
    now_ms: int = 0
    """Processing time in ms, constant during a batch."""
    max_bytes: int | None = None
    """Maximum bytes of records in memory. The batch ends before the record with which it would exceed this limit."""
    line: str = ""
    """Line of manifests that this batch continues; empty if it starts one."""
    growing: tuple[Output, ...] = ()
    """Growing files of the lane: small published files that this batch may extend."""
    transaction: TransactionHandle | None = None
    """Transaction for rows that go to topics; None if the pipeline has no such sink."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Lanes that share one task, and one commit unless they have transactions. Picklable."""

    run_id: str
    writer: Writer
    lanes: tuple[LanePlan, ...]


def plan_lanes(
    positions: Sequence[Position],
    bounds: Mapping[TopicPartition, Bounds],
    partition_count: int,
    max_records: int,
    weights: Weights = EQUAL,
    now_ms: int = 0,
    of_one_lane: int | None = None,
) -> list[LanePlan]:
    """Return a plan with the next records of each lane.

    A lane without records gets a plan only if a timer or its idle timeout is due at `now_ms`.

    All plans together have at most about `max_records` records, and each plan has at most `of_one_lane` records. In
    both limits a record of weight 2 counts as two. The lanes get equal shares of `max_records`. A lane with fewer
    records than its share is read to the end, and the other lanes share the rest.
    """
    backlogs = [(backlog(position, bounds), weights.get(position.lane, 1.0), position) for position in positions]
    backlogs.sort(key=lambda entry: entry[0] * entry[1])
    plans: list[LanePlan] = []
    left: float = max_records
    for index, (records, weight, position) in enumerate(backlogs):
        fair = min(left / (len(backlogs) - index), max_records if of_one_lane is None else of_one_lane)
        share = min(records, max(int(fair / weight), 1))
        share = share if left > 0 else 0
        if share > 0 or _times(position).is_due(now_ms):
            plans.append(replace(_lane_plan(position, bounds, partition_count, share), now_ms=now_ms))
            left -= share * weight
    return sorted(plans, key=lambda plan: plan.lane)


def tasks_for(plans: Sequence[LanePlan], max_records: int, tasks: int, weights: Weights = EQUAL) -> int:
    """Return the number of bundles for these plans, at most `tasks`. A small backlog is not divided."""
    weight = sum(_weight(plan, weights) for plan in plans)
    return min(tasks, len(plans), max(1, int(weight / max(max_records * BUNDLE_SHARE_MIN, 1.0))))


def bundles(
    plans: Sequence[LanePlan], writer: Writer, run_ids: Sequence[str], weights: Weights = EQUAL
) -> list[Bundle]:
    """Divide the lanes among bundles of about the same weight, at most one bundle for each id in `run_ids`."""
    shares: list[list[LanePlan]] = [[] for _ in run_ids[: len(plans)]]
    sizes = [0.0] * len(shares)
    for plan in sorted(plans, key=lambda plan: -_weight(plan, weights)):
        smallest = sizes.index(min(sizes))
        shares[smallest].append(plan)
        sizes[smallest] += _weight(plan, weights)
    return [
        Bundle(run_id, writer, tuple(sorted(share, key=lambda plan: plan.lane)))
        for run_id, share in zip(run_ids, shares, strict=False)
    ]


def backlog(position: Position, bounds: Mapping[TopicPartition, Bounds]) -> int:
    """Return the number of records that the lane has not processed."""
    return sum(bounds[partition].end_offset - offset for partition, offset in position.offsets.items())


def _lane_plan(
    position: Position, bounds: Mapping[TopicPartition, Bounds], partition_count: int, share: int
) -> LanePlan:
    """Return the plan of a lane. Its share of records is divided among its topics in proportion to their backlogs.

    Topics are merged by time, so each topic with records gets at least one record.
    """
    ranges, has_more = [], []
    lag, records = 0, backlog(position, bounds)
    for partition, start in position.offsets.items():
        end, epoch, topic_id = bounds[partition][1:]
        taken = -(-share * (end - start) // max(records, 1))
        lag += end - start - taken
        topic, number = TopicName(partition.topic), PartitionId(partition.partition)
        ranges.append(Range(topic, number, start, start + taken, epoch, topic_id))
        has_more.append(start + taken < end)
    line, growing = ("", ()) if position.manifest is None else (position.manifest.line, position.manifest.growing)
    return LanePlan(
        position.lane, tuple(ranges), partition_count, position.sequence + 1, position.state, position.pointer, lag,
        tuple(has_more), _times(position), line=line, growing=growing,
    )  # fmt: skip


def _times(position: Position) -> Times:
    return NEVER if position.manifest is None else position.manifest.times


def _weight(plan: LanePlan, weights: Weights) -> float:
    return sum(map(len, plan.ranges)) * weights.get(plan.lane, 1.0)
