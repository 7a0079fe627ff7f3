"""Size of the next bundle, which follows from the records of the last ones."""

from dataclasses import replace

import pytest

from tenure.pipeline.engine.bundle_size import LaneCosts
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest, pointer
from tenure.pipeline.values.membership import Bounds
from tenure.pipeline.values.plan import Position, plan_lanes, tasks_for
from tenure.pipeline.values.stager import Staged
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId
from tests.pipeline.coordinator import TOPIC, part

WRITER = Writer(MemberId("m"), GenerationId(3))
RECORDS = 1_000_000
BYTES = 100_000_000
TASK_S = 10.0


def lane(number: int) -> Lane:
    return Lane((TOPIC,), PartitionId(number))


def staged(records: int, seconds: dict[str, float], record_bytes: int | None = None, number: int = 0) -> Staged:
    whole = Range(TOPIC, PartitionId(number), 0, records)
    manifest = Manifest("i" * 22, GroupId("g"), lane(number), 1, (whole,), 1, WRITER, "r" * 22, records=records)
    return Staged(manifest, pointer(manifest), seconds=seconds, record_bytes=record_bytes)


def taken(paces: LaneCosts, backlogs: list[int]) -> list[int]:
    positions = [Position(lane(number), {part(number): 0}) for number in range(len(backlogs))]
    bounds = {part(number): Bounds(0, backlog) for number, backlog in enumerate(backlogs)}
    weights = paces.weights([lane(number) for number in range(len(backlogs))])
    plans = plan_lanes(positions, bounds, len(backlogs), RECORDS, weights)
    return [len(plan.ranges[0]) for plan in plans]


def test_batch_size__first_batch_of_a_lane__few_records() -> None:
    assert taken(LaneCosts(RECORDS, BYTES, TASK_S), [10 * RECORDS]) == [pytest.approx(97_656, abs=2)]


def test_batch_size__slow_records__as_many_as_fit_into_the_task_time() -> None:
    paces = LaneCosts(RECORDS, BYTES, TASK_S)
    paces.add_batch([staged(10_000, {"process": 10.0, "load": 500.0})], 600.0)
    assert taken(paces, [RECORDS]) == [pytest.approx(10_000, rel=0.01)]


def test_batch_size__large_records__as_many_as_fit_into_the_byte_limit() -> None:
    paces = LaneCosts(RECORDS, BYTES, TASK_S)
    paces.add_batch([staged(1_000, {"process": 0.001}, record_bytes=100_000_000)], 1.0)
    assert taken(paces, [RECORDS]) == [pytest.approx(1_000, rel=0.01)]


def test_batch_size__many_small_batches_and_then_a_large_one__estimate_follows_the_large_one() -> None:
    paces = LaneCosts(RECORDS, BYTES, TASK_S)
    for _ in range(50):
        paces.add_batch([staged(10, {"process": 0.02}, record_bytes=1_000)], 0.3)
    (first,) = taken(paces, [RECORDS])
    paces.add_batch([staged(first, {"process": 0.05}, record_bytes=first * 100)], 0.3)
    (second,) = taken(paces, [RECORDS])
    assert second > 20 * first


def test_batch_size__one_slow_lane_beside_fast_ones__only_the_slow_lane_gets_fewer_records() -> None:
    paces = LaneCosts(RECORDS, BYTES, TASK_S)
    paces.add_batch([staged(1_000, {"process": 10.0}, 100_000)], 10.0)
    for number in (1, 2):
        paces.add_batch([staged(100_000, {"process": 0.1}, 10_000_000, number)], 0.1)
    slow, *fast = taken(paces, [RECORDS, 1_000, 1_000])
    assert fast == [1_000, 1_000]
    assert slow == pytest.approx(1_000, rel=0.01)


def test_lane_costs__lanes_without_times_of_their_own__time_of_the_bundle_shared_by_number_of_records() -> None:
    paces = LaneCosts(RECORDS, BYTES, TASK_S)
    paces.add_batch([staged(1_000, {}), replace(staged(3_000, {}, number=1))], 40.0)
    assert [paces.weight(lane(number)) for number in (0, 1)] == [pytest.approx(1_000, rel=0.01)] * 2


@pytest.mark.parametrize(("records", "tasks"), [(1, 1), (100, 1), (RECORDS // 2, 2)])
def test_number_of_tasks__small_backlog__no_more_than_needed(records: int, tasks: int) -> None:
    positions = [Position(lane(number), {part(number): 0}) for number in (0, 1, 2)]
    bounds = {part(number): Bounds(0, records) for number in (0, 1, 2)}
    plans = plan_lanes(positions, bounds, 3, RECORDS)
    assert tasks_for(plans, RECORDS, 2) == tasks
