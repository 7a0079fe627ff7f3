"""Plans of batches, and the encoding of manifests and pointers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.pipeline.values.lane_times import Times
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import (
    BadManifest,
    BadPointer,
    Manifest,
    Output,
    StateFile,
    StateVersion,
    decode,
    encode,
    parse_pointer,
    pointer,
)
from tenure.pipeline.values.membership import Bounds
from tenure.pipeline.values.plan import Position, bundles, plan_lanes
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicName
from tenure.values import TopicPartition
from tests.pipeline.coordinator import TOPIC, part

WRITER = Writer(MemberId("m"), GenerationId(3), InstanceId("a"))


def lane(number: int) -> Lane:
    return Lane((TOPIC,), PartitionId(number))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.integers(1, 60), st.integers(1, 4))
def test_plan__random_backlogs__within_max_records_and_fair_to_all_lanes(
    backlogs: list[int], max_records: int, tasks: int
) -> None:
    positions = [Position(lane(number), {part(number): 10}) for number in range(len(backlogs))]
    bounds = {part(number): Bounds(0, 10 + backlog) for number, backlog in enumerate(backlogs)}
    plans = plan_lanes(positions, bounds, len(backlogs), max_records)
    taken = {plan.lane.partition: len(plan.ranges[0]) for plan in plans}
    assert sum(taken.values()) == min(sum(backlogs), max_records)
    assert all(0 < count <= backlogs[number] for number, count in taken.items())
    cut = [taken.get(number, 0) for number, backlog in enumerate(backlogs) if taken.get(number, 0) < backlog]
    assert not cut or max(taken.values()) <= max(cut) + 1 or min(cut) + 1 >= max_records // len(backlogs)
    spread = bundles(plans, WRITER, [f"run{number}" for number in range(tasks)])
    assert sorted(plan.lane for bundle in spread for plan in bundle.lanes) == [plan.lane for plan in plans]
    assert len(spread) == min(tasks, len(plans))


@pytest.mark.parametrize("times", [Times(wake_ms=500), Times(idle_at_ms=500)])
def test_plan__timer_or_idle_timeout_due__batch_planned_without_records(times: Times) -> None:
    timed = replace(manifest(), times=times)
    position = Position(lane(3), {part(3): 9}, 7, timed, pointer(timed))
    bounds = {part(3): Bounds(0, 9)}
    assert plan_lanes([position], bounds, 8, 10, now_ms=499) == []
    (plan,) = plan_lanes([position], bounds, 8, 10, now_ms=500)
    assert (plan.ranges[0].start_offset, plan.ranges[0].end_offset, plan.now_ms) == (9, 9, 500)
    assert [bundle.lanes for bundle in bundles([plan], WRITER, ["run"])] == [(plan,)]


def test_plan__lane_of_several_topics__each_topic_with_records_gets_a_share() -> None:
    topics = (TOPIC, TopicName("rare"))
    partitions = [TopicPartition(topic, PartitionId(0)) for topic in topics]
    position = Position(Lane(topics, PartitionId(0)), dict.fromkeys(partitions, 0))
    bounds = {partitions[0]: Bounds(0, 1000), partitions[1]: Bounds(0, 3)}
    (plan,) = plan_lanes([position], bounds, 1, 100)
    assert [part.end_offset for part in plan.ranges] == [100, 1]
    assert plan.has_more == (True, True)


def manifest() -> Manifest:
    file = StateFile("x.base.arrow", 10, 2, "d" * 43)
    return Manifest(
        id="i" * 22,
        group=GroupId("g"),
        lane=lane(3),
        sequence=7,
        ranges=(Range(TOPIC, PartitionId(3), 5, 9, 2, "t" * 22),),
        partition_count=8,
        writer=WRITER,
        run_id="r" * 22,
        state=StateVersion(file, (file,)),
        outputs=(Output("s", "f", 1, 2, "d" * 43),),
        dead_letters=file,
        records=4,
        previous="tenure1:a:b",
    )


def test_manifest__encoded_and_decoded__same_manifest() -> None:
    data = encode(manifest())
    assert decode(data, pointer(manifest())) == manifest()
    assert len(str(pointer(manifest()))) == len("tenure1:") + 22 + 1 + 43
    assert parse_pointer(str(pointer(manifest()))) == pointer(manifest())


@given(st.binary(max_size=200) | st.integers(0, 400).map(lambda cut: encode(manifest())[:cut]))
def test_manifest__bytes_truncated_or_random__refused(data: bytes) -> None:
    with pytest.raises(BadManifest):
        decode(data)


@pytest.mark.parametrize("metadata", ["tenure1:", "tenure1:a:b", "tenure2:" + "i" * 22 + ":" + "d" * 43])
def test_pointer__unknown_version__refused(metadata: str) -> None:
    with pytest.raises(BadPointer):
        parse_pointer(metadata)
