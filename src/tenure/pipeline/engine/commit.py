"""Commit of a bundle: one OffsetCommit for all lanes, which the broker applies completely or not at all.

The metadata of each offset is the pointer to the lane's manifest. So the commit changes position, state and output
together. Before the commit, staged files have no effect. The request is sent only once. If its outcome is unknown, the
broker may still apply the commit later. Then the member rejoins under a new member id, which fences the commit
(rule 2.6).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.plan import Bundle, Position
from tenure.pipeline.values.stager import Staged
from tenure.values import OffsetAndMetadata, TopicPartition


def offsets_of(staged: Iterable[Staged]) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return the new offsets of staged lanes, with the pointers to their manifests as metadata."""
    return {
        part.topic_partition: OffsetAndMetadata(part.end_offset, str(one.pointer), part.leader_epoch)
        for one in staged
        for part in one.manifest.ranges
    }


def offsets_again(positions: Iterable[Position]) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return the offsets and metadata of these positions, which are committed already, to commit them once more."""
    return {
        partition: OffsetAndMetadata(
            offset, "" if position.pointer is None else str(position.pointer), _epoch(position, partition)
        )
        for position in positions
        for partition, offset in position.offsets.items()
    }


def position_after(staged: Staged) -> Position:
    manifest = staged.manifest
    return Position(manifest.lane, manifest.end, manifest.sequence, manifest, staged.pointer)


def staged_of(bundle: Bundle, staged: Sequence[Staged]) -> list[Staged]:
    """Return the staged lanes that belong to this bundle: same bundle id (`run_id`), lanes and start offsets.

    The check keeps results of other plans out of the commit. End offsets may differ from the plan: a batch that merges
    several topics may end early.
    """
    plans = {plan.lane: plan for plan in bundle.lanes}
    return [
        one
        for one in staged
        if one.manifest.run_id == bundle.run_id
        and one.manifest.writer == bundle.writer
        and one.lane in plans
        and _within(one.manifest.ranges, plans[one.lane].ranges)
    ]


def _within(done: Sequence[Range], planned: Sequence[Range]) -> bool:
    return len(done) == len(planned) and all(
        part == replace(plan, end_offset=part.end_offset) and part.end_offset <= plan.end_offset
        for part, plan in zip(done, planned, strict=True)
    )


def _epoch(position: Position, partition: TopicPartition) -> int:
    ranges = () if position.manifest is None else position.manifest.ranges
    return next((part.leader_epoch for part in ranges if part.topic_partition == partition), -1)
