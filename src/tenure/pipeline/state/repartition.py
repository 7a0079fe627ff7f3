"""Repartitioning of a pipeline's state after its topic has grown: partitions were added.

The state of each key moves to the lane whose partition gets the key's new records. Offsets do not change: every lane
continues at its offset, and new lanes start at the beginning of their logs. Unprocessed records from before the growth
are processed first, in their old lanes (`left_over`). One commit for all lanes then switches to the rebuilt state.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.state.kept_lanes import OPERATOR, KeptLane, write_move_manifest
from tenure.pipeline.state.lane_state import LaneState
from tenure.pipeline.state.layers import Layers, combined
from tenure.pipeline.state.state_files import stage_base
from tenure.pipeline.values.decoded_records import Fetch, KeyPartitions
from tenure.pipeline.values.lane_times import Times
from tenure.pipeline.values.lanes import Lane, Range
from tenure.pipeline.values.manifest import Manifest, StateVersion
from tenure.pipeline.values.membership import Bounds
from tenure.protocol.types import PartitionId, TopicName
from tenure.values import TopicPartition


@dataclass(frozen=True, slots=True)
class PartitionCounts:
    """Old and new number of partitions, and the partitioner of the topic."""

    before: int
    now: int
    key_partitions: KeyPartitions

    def partitions_of(self, keys: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Return the old and the new partition of each key."""
        return self.key_partitions(keys, self.before), self.key_partitions(keys, self.now)


def left_over(counts: PartitionCounts, fetch: Fetch, partition: TopicPartition, start: int, end: int) -> int:
    """Return the offset after the last record that was written with the old number of partitions.

    Raises:
        PipelineStopped: PARTITIONS_CHANGED: such a record follows one that was written with the new number.
    """
    limit, early = start, None
    for batch in fetch(partition.topic, partition.partition, start, end):
        before, now = counts.partitions_of(batch["key"].cast(pa.binary()))
        offsets = batch["offset"]
        since = pc.fill_null(pc.not_equal(before, partition.partition), False)
        strays = offsets.filter(pc.fill_null(pc.not_equal(now, partition.partition), False))
        if early is None and pc.any(since).as_py():
            early = offsets.filter(since)[0].as_py()
        if len(strays):
            limit = strays[-1].as_py() + 1
            if early is not None and early < limit:
                raise _mixed(partition, early, limit - 1)
    return limit


def _mixed(partition: TopicPartition, early: int, late: int) -> PipelineStopped:
    return PipelineStopped(
        Code.PARTITIONS_CHANGED,
        f"{partition} has record {late}, which an old partition count put there, after record {early}, which the new"
        " count put there: a producer used the old partition count after the topic had grown. The order of the records"
        " of a key is lost, so compute the state again: reset the group to the earliest offsets, and run the pipeline"
        " with another sink and state directory",
    )


def repartition(
    states: Mapping[Lane, LaneState],
    kept: Mapping[Lane, KeptLane],
    counts: PartitionCounts,
    key: str,
    ends: Mapping[TopicPartition, Bounds],
    new_id: Callable[[], str],
) -> list[KeptLane]:
    """Write the state and manifest of every lane for the new number of partitions. Return the lanes; commit nothing.

    Args:
        states: Access to the state of each lane before the growth.
        kept: Last published batch of each lane before the growth.
        counts: Old and new number of partitions.
        key: Key column of the state.
        ends: Bounds of each partition. The `start_offset` is the offset at which the lane of the partition continues.
        new_id: Function that returns the id of a new manifest.
    """
    topics = next(iter(kept)).topics
    times = _latest([lane.manifest.times for lane in kept.values()])
    made = []
    for number in range(counts.now):
        lane = Lane(topics, PartitionId(number))
        ranges = tuple(_empty_range(partition, ends[partition]) for partition in lane.partitions)
        made.append(_make_lane(states, kept, counts, key, lane, ranges, times, new_id()))
    return made


def _make_lane(
    states: Mapping[Lane, LaneState],
    kept: Mapping[Lane, KeptLane],
    counts: PartitionCounts,
    key: str,
    lane: Lane,
    ranges: tuple[Range, ...],
    times: Times,
    manifest_id: str,
) -> KeptLane:
    home = next(iter(states.values()))
    files, layout = home.files, home.layout
    files.make_directory(layout.state_directory(lane))
    rows = [home.schema.empty_table()]
    for origin, state in states.items():
        layers = state.open(kept[origin].manifest.state)
        rows += _rows_for(layers, counts, key, lane.partition)
    begun = Manifest(manifest_id, layout.group, lane, 0, ranges, counts.now, OPERATOR, "")
    base = stage_base(files, layout, begun, "base", Layers(pa.concat_tables(rows)), None)
    version = StateVersion(base, rows=base.rows, schema_version=home.version)
    return write_move_manifest(files, layout, lane, ranges, version, counts.now, lambda: manifest_id, times)


def _rows_for(layers: Layers, counts: PartitionCounts, key: str, partition: int) -> Iterator[pa.Table]:
    for batch in layers.batches():
        _, now = counts.partitions_of(combined(batch[key]))
        rows = pa.Table.from_batches([batch]).filter(pc.fill_null(pc.equal(now, partition), False))
        if len(rows):
            yield rows


def _empty_range(partition: TopicPartition, at: Bounds) -> Range:
    topic, number = TopicName(partition.topic), PartitionId(partition.partition)
    return Range(topic, number, at.start_offset, at.start_offset, at.leader_epoch, at.topic_id)


def _latest(times: Sequence[Times]) -> Times:
    """Return the watermarks with which all new lanes begin: for each topic, the highest ones of all old lanes.

    A lane may get keys from several old lanes. With the highest times, a window that one old lane has closed does not
    open again. A record may therefore be late, although it would not have been late in its old lane.
    """
    known = [one for one in times if one.order_ms]
    if not known:
        return Times()
    events = zip(*(one.event_us for one in known), strict=True)
    return replace(
        known[0],
        order_ms=tuple(map(max, zip(*(one.order_ms for one in known), strict=True))),
        event_us=tuple(max((at for at in column if at is not None), default=None) for column in events),
        wake_ms=min((one.wake_ms for one in known if one.wake_ms is not None), default=None),
        idle_at_ms=min((one.idle_at_ms for one in known if one.idle_at_ms is not None), default=None),
    )
