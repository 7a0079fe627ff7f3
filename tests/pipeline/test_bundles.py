"""Several bundles of a member at once: a slow, failing or moving lane affects no other bundle."""

from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.protocol.types import GenerationId
from tenure.values import Assigned, Revoked, TopicPartition
from tests.pipeline.coordinator import REBALANCE_MS, part
from tests.pipeline.harness import Harness, Process

SLOW_S = 30


def partitions_of(progress: list[Progress]) -> list[int]:
    return [lane.lane.partition for step in progress for lane in step.lanes]


def with_a_slow_lane(seconds: int = SLOW_S) -> tuple[Harness, Process]:
    """Return a process in which lane 0 runs for `seconds`, and lane 1 is committed."""
    harness = Harness(2)
    harness.produce(50)
    process = harness.start("a", tasks=2, max_records=1000)
    process.stager.slow_lanes_s = {0: seconds}
    turned_until_committed(process, 1)
    return harness, process


def turned_until_committed(process: Process, times: int) -> None:
    """Run turns until `times` bundles are committed.

    A turn with running bundles takes a second of the clock, or none.
    """
    for _ in range(500):
        if len(process.progress_at(ProgressStep.COMMITTED)) >= times:
            return
        process.turn()
    raise AssertionError(f"no {times} commits: {[step.step for step in process.steps]}")


def test_slow_lane__other_lanes_have_records__others_committed_meanwhile() -> None:
    harness, process = with_a_slow_lane()
    for times in (2, 3):
        harness.log.partitions[1] += [("k1-0", 7)] * 20
        turned_until_committed(process, times)
    assert partitions_of(process.progress_at(ProgressStep.COMMITTED)) == [1, 1, 1]
    assert partitions_of(process.progress_at(ProgressStep.PLANNED)) == [0, 1, 1, 1]
    process.run()
    assert process.stager.cancelled == 0
    harness.check()


def test_small_backlog__two_tasks_free__all_lanes_in_one_bundle() -> None:
    harness = Harness(4)
    harness.produce(2)
    process = harness.start("a", tasks=2, max_records=10_000).run()
    assert [len(step.lanes) for step in process.progress_at(ProgressStep.PLANNED)] == [4]


def test_failing_lane__waits_before_its_retry__other_lanes_continue() -> None:
    harness = Harness(2)
    harness.produce(20)
    fetch, failures = harness.fetch, [ConnectionError("the line is dead")] * 5

    def unreliable(topic: str, partition: int, start: int, end: int) -> object:
        if partition == 0 and failures:
            harness.log.partitions[1].append(("k1-0", 1))  # There is always something for the other lane to do.
            raise failures.pop()
        return fetch(topic, partition, start, end)

    harness.fetch = unreliable  # type: ignore[method-assign, assignment]
    process = harness.start("a", tasks=2, max_records=1000).run()
    harness.check()
    until_it_worked = [step for step in process.progress_at(ProgressStep.COMMITTED) if partitions_of([step]) == [1]]
    assert len(until_it_worked) > len(process.progress_at(ProgressStep.DROPPED)) - 2 == 3


def test_new_assignment__member_keeps_the_lane__running_bundle_commits_with_the_identity_of_its_plan() -> None:
    harness, process = with_a_slow_lane()
    planned = process.membership.writer
    process.membership.events.append(Assigned(planned.identity, (part(0), part(1)), ()))
    turned_until_committed(process, 2)
    assert partitions_of(process.progress_at(ProgressStep.COMMITTED)) == [1, 0]
    assert process.progress_at(ProgressStep.DROPPED) == []
    harness.check()


def test_new_assignment__all_partitions_are_newly_assigned__running_bundles_dropped() -> None:
    harness, process = with_a_slow_lane()
    process.membership.events.append(
        Assigned(process.membership.writer.identity, (part(0), part(1)), (part(0), part(1)))
    )
    process.turn()
    assert partitions_of(process.progress_at(ProgressStep.DROPPED)) == [0]
    process.run()
    harness.check()


def test_new_assignment__new_generation_with_all_partitions_newly_assigned__running_bundles_dropped() -> None:
    _, process = with_a_slow_lane()
    other = Writer(process.membership.writer.member_id, GenerationId(7), None)
    process.membership.events.append(Assigned(other.identity, (part(0), part(1)), (part(0), part(1))))
    process.turn()
    assert partitions_of(process.progress_at(ProgressStep.DROPPED)) == [0]
    assert process.engine.writer == other


def revoked(process: Process, *partitions: TopicPartition) -> list[bool]:
    """Revoke partitions; return the list to which the acknowledgement of the member is added."""
    acknowledged: list[bool] = []
    process.membership.acknowledge_revocation = lambda: acknowledged.append(True)  # type: ignore[method-assign]
    process.membership.events.append(Revoked(partitions))
    return acknowledged


def test_revocation__lane_without_a_running_bundle__acknowledged_at_once() -> None:
    _, process = with_a_slow_lane()
    acknowledged = revoked(process, part(1))
    process.turn()
    assert acknowledged == [True]
    assert partitions_of(process.progress_at(ProgressStep.REVOKED)) == [1]
    turned_until_committed(process, 2)
    assert partitions_of(process.progress_at(ProgressStep.COMMITTED)) == [1, 0]


def test_revocation__lane_with_a_running_bundle__acknowledged_after_its_commit() -> None:
    harness, process = with_a_slow_lane(REBALANCE_MS // 4000 - 3)
    acknowledged = revoked(process, part(0))
    harness.log.partitions[1] += [("k1-0", 7)] * 20
    turned_until_committed(process, 2)
    assert not acknowledged
    turned_until_committed(process, 3)
    process.turn()
    assert partitions_of(process.progress_at(ProgressStep.COMMITTED)) == [1, 1, 0]
    assert acknowledged == [True]


def test_revocation__bundle_runs_too_long__dropped_after_a_quarter_of_the_rebalance_timeout() -> None:
    _, process = with_a_slow_lane(REBALANCE_MS)
    acknowledged = revoked(process, part(0))
    for _ in range(REBALANCE_MS // 4000 + 5):
        process.turn()
    assert acknowledged == [True]
    assert process.stager.cancelled == 1
    assert partitions_of(process.progress_at(ProgressStep.DROPPED)) == [0]
