"""Repartition: the state of a pipeline whose topic has grown, in as many lanes as there are partitions now.

Each key's state goes to the lane of the partition that its records come to now. Offsets stay as they are, so every lane
goes on where it was, and the new ones begin where their logs do. Records that were written before the topic grew and
have not been worked on belong where they are, under the old number; they are worked off first, each lane up to the last
one of them (`left_over`). What is rebuilt becomes true by one commit for all lanes, as everything does here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.kept_lanes import OPERATOR, KeptLane, stand_at
from tenure.pipeline.lane_state import LaneState
from tenure.pipeline.lanes import Lane, Range, TopicPartition
from tenure.pipeline.layers import Layers, combined
from tenure.pipeline.manifest import Manifest, StateVersion
from tenure.pipeline.records import Fetch, KeyPartitions
from tenure.pipeline.seat import Bounds
from tenure.pipeline.state_files import stage_base
from tenure.pipeline.times import Times
from tenure.protocol.types import PartitionId


@dataclass(frozen=True, slots=True)
class Grown:
    """What a topic's growth means for a pipeline's lanes."""

    before: int
    now: int
    key_partitions: KeyPartitions

    def partitions_of(self, keys: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Of each key, before and now."""
        return self.key_partitions(keys, self.before), self.key_partitions(keys, self.now)


def left_over(grown: Grown, fetch: Fetch, partition: TopicPartition, start: int, end: int) -> int:
    """Up to where records are of the time before: the offset behind the last one that would come elsewhere now.

    Raises PARTITIONS_CHANGED where a record of the time since stands before that: a producer was late to notice.
    """
    limit, early = start, None
    for batch in fetch(partition.topic, partition.partition, start, end):
        before, now = grown.partitions_of(batch["key"].cast(pa.binary()))
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
        f"{partition} has record {late}, which belongs where it was before the topic grew, behind record {early}, which"
        " came here since: a producer went on by the old number for a while. No order of work is right for both, so"
        " compute the state anew: reset the group to the earliest offsets, and run the pipeline with another sink and"
        " state directory",
    )


def repartition(
    states: Mapping[Lane, LaneState],
    kept: Mapping[Lane, KeptLane],
    grown: Grown,
    key: str,
    ends: Mapping[TopicPartition, Bounds],
    new_id: Callable[[], str],
) -> list[KeptLane]:
    """The lanes as they will be: state and manifest written, nothing committed. `ends` has, of every partition there is
    now, the offset at which its lane goes on as `start_offset`."""
    topics = next(iter(kept)).topics
    times = _latest([lane.manifest.times for lane in kept.values()])
    made = []
    for number in range(grown.now):
        lane = Lane(topics, PartitionId(number))
        ranges = tuple(_standing(partition, ends[partition]) for partition in lane.partitions)
        made.append(_lane_made(states, kept, grown, key, lane, ranges, times, new_id()))
    return made


def _lane_made(
    states: Mapping[Lane, LaneState],
    kept: Mapping[Lane, KeptLane],
    grown: Grown,
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
        rows += _rows_for(layers, grown, key, lane.partition)
    begun = Manifest(manifest_id, layout.group, lane, 0, ranges, grown.now, OPERATOR, "")
    base = stage_base(files, layout, begun, "base", Layers(pa.concat_tables(rows)), None)
    version = StateVersion(base, rows=base.rows, schema_version=home.version)
    return stand_at(files, layout, lane, ranges, version, grown.now, lambda: manifest_id, times)


def _rows_for(layers: Layers, grown: Grown, key: str, partition: int) -> Iterator[pa.Table]:
    for batch in layers.prepared().batches():
        _, now = grown.partitions_of(combined(batch[key]))
        rows = pa.Table.from_batches([batch]).filter(pc.fill_null(pc.equal(now, partition), False))
        if len(rows):
            yield rows


def _standing(partition: TopicPartition, at: Bounds) -> Range:
    return Range(partition.topic, partition.partition, at.start_offset, at.start_offset, at.leader_epoch, at.topic_id)


def _latest(times: Sequence[Times]) -> Times:
    """Lanes that share their keys anew share their time, too: as far as the furthest has come, so that no window that
    was closed is opened again. What is behind that in another lane is late."""
    known = [one for one in times if one.order_ms]
    if not known:
        return Times()
    events = zip(*(one.event_us for one in known), strict=True)
    return replace(
        known[0],
        order_ms=tuple(map(max, zip(*(one.order_ms for one in known), strict=True))),
        event_us=tuple(max((at for at in column if at is not None), default=None) for column in events),
        wake_ms=min((one.wake_ms for one in known if one.wake_ms is not None), default=None),
    )
