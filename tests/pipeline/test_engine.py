"""Loop of a member: revocations, long batches, stops, and the progress that it reports."""

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.head_file import head_sequence
from tenure.pipeline.values.progress import Progress, ProgressStep
from tests.pipeline.coordinator import REBALANCE_MS
from tests.pipeline.harness import Harness, Process


def steps(process: Process) -> list[ProgressStep]:
    return [progress.step for progress in process.steps]


def turned_until(process: Process, step: ProgressStep) -> None:
    for _ in range(200):
        if process.progress_at(step):
            return
        process.turn()
    raise AssertionError(f"never {step.value}: {steps(process)}")


def joined_while_it_runs(harness: Harness, seconds: int) -> Process:
    """Return a member with a long first batch; another member joins right after that batch was planned."""
    others: list[Process] = []

    def joined(progress: Progress) -> None:
        if progress.step is ProgressStep.PLANNED and not others:
            others.append(harness.start("b"))

    process = harness.start("a", observer=joined)
    process.stager.slow_s = seconds
    return process


def test_revocation__bundle_is_running__acknowledged_after_its_commit() -> None:
    harness = Harness()
    harness.produce(50)
    process = joined_while_it_runs(harness, 10)
    turned_until(process, ProgressStep.REVOKED)
    assert steps(process)[1:] == [
        ProgressStep.PLANNED,
        ProgressStep.STAGED,
        ProgressStep.COMMITTED,
        ProgressStep.PUBLISHED,
        ProgressStep.SWEPT,
        ProgressStep.REVOKED,
    ]
    assert process.stager.cancelled == 0


def test_revocation__bundle_runs_longer_than_a_quarter_of_rebalance_timeout__bundle_dropped() -> None:
    harness = Harness()
    harness.produce(50)
    process = joined_while_it_runs(harness, REBALANCE_MS // 4000 + 3)
    turned_until(process, ProgressStep.REVOKED)
    assert steps(process)[1:] == [ProgressStep.PLANNED, ProgressStep.DROPPED, ProgressStep.REVOKED]
    assert process.stager.cancelled == 1
    assert "revoked" in process.progress_at(ProgressStep.DROPPED)[0].reason


def test_stop__bundle_is_running__committed_before_the_stop() -> None:
    harness = Harness()
    harness.produce(50)

    def stopped_at(progress: Progress) -> None:
        if progress.step is ProgressStep.PLANNED:
            process.engine.stop()

    process = harness.start("a", observer=stopped_at)
    process.stager.slow_s = 5
    process.run("stopped")
    assert len(process.progress_at(ProgressStep.COMMITTED)) == len(process.progress_at(ProgressStep.SWEPT)) == 1


def test_stop__bundle_does_not_end_in_time__bundle_dropped_and_repeated_later() -> None:
    harness = Harness()
    harness.produce(50)

    def stopped_at(progress: Progress) -> None:
        if progress.step is ProgressStep.PLANNED:
            process.engine.stop()

    process = harness.start("a", observer=stopped_at)
    process.stager.slow_s = 60
    process.run("stopped")
    assert process.progress_at(ProgressStep.COMMITTED) == []
    assert process.stager.cancelled == 1
    harness.start("a").run()
    harness.check()


def test_bundle__hangs__bundle_cancelled_and_pipeline_stops() -> None:
    harness = Harness()
    harness.produce(5)
    process = harness.start("a", batch_timeout_s=20.0)
    process.stager.slow_s = 10_000
    with pytest.raises(PipelineStopped, match="did not end within 20 s") as stopped:
        process.run()
    assert stopped.value.code is Code.RUN_TIMED_OUT
    assert process.stager.cancelled == 1


def test_bundle__process_was_suspended__not_timed_out() -> None:
    harness = Harness()
    harness.produce(5)
    process = harness.start("a", batch_timeout_s=5.0)
    process.stager.slow_s = 4
    for _ in range(2):
        process.turn()
    harness.coordinator.advance(6_000)
    process.run()
    assert not process.progress_at(ProgressStep.DROPPED)
    harness.check()


def test_commit__member_rejoined_since_the_plan__old_identity_refused() -> None:
    harness = Harness()
    harness.produce(20)
    others: list[Process] = []

    def rejoined(progress: Progress) -> None:
        """Let the client's own thread end the revocation after a quarter of the rebalance timeout."""
        if progress.step is ProgressStep.STAGED and not others:
            others.append(harness.start("b"))
            process.membership._heartbeat()
            process.membership.acknowledge_revocation()
            others[0].membership._move_on()
            process.membership._move_on()
            others[0].membership._move_on()
            process.membership.events = [event for event in process.membership.events if hasattr(event, "identity")]

    process = harness.start("a", observer=rejoined)
    harness.coordinator.advance(1)  # the initial rebalance delay
    process.turn()
    assert process.engine.writer is not None
    assert process.engine.writer.generation_id < process.membership.writer.generation_id
    assert [progress.reason for progress in process.progress_at(ProgressStep.DROPPED)] == ["ILLEGAL_GENERATION"]
    assert process.progress_at(ProgressStep.COMMITTED) == []
    for _ in range(10):
        process.turn()
        others[0].turn()
    harness.check()


def test_plan__more_lanes_than_one_bundle_may_have__several_bundles_with_a_commit_each() -> None:
    harness = Harness(4)
    harness.produce(10)
    process = harness.start("a", tasks=2, max_records=1000).run()
    assert [len(progress.lanes) for progress in process.progress_at(ProgressStep.COMMITTED)] == [2, 2]
    harness.check()


def test_lane__fails_temporarily__retried_and_other_lanes_continue() -> None:
    harness = Harness()
    harness.produce(20)
    fetch, failures = harness.fetch, ["words-0"] * 3

    def unreliable(topic: str, partition: int, start: int, end: int) -> object:
        if partition == 0 and failures:
            raise ConnectionError(failures.pop())
        return fetch(topic, partition, start, end)

    harness.fetch = unreliable  # type: ignore[method-assign, assignment]
    process = harness.start("a").run()
    harness.check()
    assert len(process.progress_at(ProgressStep.DROPPED)) == 3


def test_lane__fails_repeatedly__pipeline_stops_with_lane_and_reason() -> None:
    harness = Harness()
    harness.produce(5)

    def broken(*_: object) -> object:
        raise ConnectionError("the line is dead")

    harness.fetch = broken  # type: ignore[method-assign, assignment]
    with pytest.raises(PipelineStopped, match=r"lane words-.: ConnectionError: the line is dead") as stopped:
        harness.start("a").run()
    assert stopped.value.code is Code.LANE_FAILED


def test_head_file__power_failure_after_the_publication__still_there() -> None:
    harness = Harness(1)
    harness.produce(50)
    process = harness.start("a").run()
    harness.files.crash()
    assert head_sequence(harness.files, harness.layout, harness.lanes()[0]) == len(
        process.progress_at(ProgressStep.PUBLISHED)
    )


def test_progress__one_bundle__all_progress_steps_with_their_results() -> None:
    harness = Harness(1)
    harness.produce(20)
    process = harness.start("a").run()
    planned, staged, committed, published = (
        process.progress_at(step)[0]
        for step in (ProgressStep.PLANNED, ProgressStep.STAGED, ProgressStep.COMMITTED, ProgressStep.PUBLISHED)
    )
    assert planned.bundle == staged.bundle == committed.bundle == published.bundle
    assert (staged.records, staged.rows, staged.member, staged.generation_id) == (20, 20, "a", 1)
    assert set(staged.lanes[0].seconds) == {"fetch", "decode", "load", "process", "write"}
    assert staged.lanes[0].state_rows == len({key for key, _ in harness.log.partitions[0]})
    assert committed.lanes[0].manifest_id == harness.accepted[0].id
    assert [path.rpartition("/")[2] for path in published.files] == harness.visible_names()


def test_pause__bundle_is_running__bundle_ends_and_no_new_one_starts_until_resume() -> None:
    harness = Harness()
    harness.produce(50)

    def paused_at(progress: Progress) -> None:
        if progress.step is ProgressStep.PLANNED and progress.lanes[0].sequence == 1:
            process.engine.pause()

    process = harness.start("a", observer=paused_at)
    for _ in range(5):
        process.turn()
    assert len(process.progress_at(ProgressStep.COMMITTED)) == len(process.progress_at(ProgressStep.PAUSED)) == 1
    harness.produce(20)
    process.turn()
    assert steps(process)[-1] is ProgressStep.PAUSED
    process.engine.resume()
    process.run("caught-up")
    assert sum(progress.records for progress in process.progress_at(ProgressStep.COMMITTED)) == 2 * 70
