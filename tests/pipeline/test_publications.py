"""Slow sinks and slow lookups of log ends delay their own lanes only."""

from collections.abc import Callable, Sequence
from threading import Event
from typing import Any

import pytest

from tenure.limits.pipeline import PUBLICATIONS_AT_ONCE, STOP_GRACE_S
from tenure.pipeline.engine.background_tasks import FOREGROUND_TASKS
from tenure.pipeline.engine.background_threads import BackgroundThreads
from tenure.pipeline.engine.publications import Publications
from tenure.pipeline.errors import Code, PipelineStopped, SinkFailed
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import DirectoryPublisher
from tenure.pipeline.values.manifest import Manifest, Output
from tenure.pipeline.values.progress import ProgressStep
from tests.pipeline.coordinator import REBALANCE_MS
from tests.pipeline.harness import Harness, Process


class StillRunning(Exception):
    """Error of a publication while another thread is still publishing."""


class SlowDirectory(DirectoryPublisher):
    """Publisher that raises StillRunning at each call for a slow lane, until the test releases the lane."""

    def __init__(self) -> None:
        self.slow: set[int] = set()
        self.begun: list[int] = []

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        self.begun.append(manifest.lane.partition)
        if manifest.lane.partition in self.slow:
            raise StillRunning
        return super().publish(files, layout, manifest, outputs)


class SlowBackgroundTasks:
    """Background tasks. Each check of an unfinished one moves the clock by a second."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness

    def start(self, work: Callable[[], None]) -> "SlowBackgroundTask":
        return SlowBackgroundTask(self.harness, work)


class SlowBackgroundTask:
    def __init__(self, harness: Harness, work: Callable[[], None]) -> None:
        self.harness = harness
        self.work = work

    def wait(self, timeout_s: float) -> bool:
        del timeout_s
        try:
            self.work()
        except StillRunning:
            self.harness.coordinator.advance(1_000)
            return False
        return True


def slow_harness(*slow: int, partitions: int = 2) -> tuple[Harness, SlowDirectory]:
    harness, sink = Harness(partitions), SlowDirectory()
    harness.produce(20)
    harness.publishers = {"": sink}
    sink.slow |= set(slow)
    return harness, sink


def slowly_published(harness: Harness, instance_id: str = "a", **settings: Any) -> Process:
    return harness.start(
        instance_id, background_tasks=SlowBackgroundTasks(harness), tasks=2, max_records=1000, **settings
    )


def lanes(process: Process, step: ProgressStep) -> list[int]:
    return [lane.lane.partition for told in process.progress_at(step) for lane in told.lanes]


def turned_until(process: Process, what: Callable[[], bool]) -> None:
    for _ in range(5_000):
        if what():
            return
        process.turn()
    raise AssertionError([step.step.value for step in process.steps])


def test_slow_sink__publication_of_one_lane_is_slow__only_this_lane_waits() -> None:
    harness, sink = slow_harness(0)
    process = slowly_published(harness)
    for times in (1, 2, 3):
        harness.produce(20)
        turned_until(process, lambda times=times: lanes(process, ProgressStep.SWEPT).count(1) == times)  # type: ignore[misc]
    assert lanes(process, ProgressStep.PLANNED).count(0) == 1
    assert 0 not in lanes(process, ProgressStep.PUBLISHED)
    sink.slow.clear()
    process.run()
    assert lanes(process, ProgressStep.PLANNED).count(0) == 2
    harness.check()


def test_slow_sink__publication_of_one_lane_blocks_its_thread__others_published_meanwhile() -> None:
    harness, gate = Harness(2), Event()
    harness.produce(20)

    class Gated(DirectoryPublisher):
        def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
            if manifest.lane.partition == 0:
                assert gate.wait(60)
            return super().publish(files, layout, manifest, outputs)

    harness.publishers = {"": Gated()}
    process = harness.start("a", background_tasks=BackgroundThreads("a"), tasks=2, max_records=1000)
    for times in (1, 2):
        harness.produce(20)
        turned_until(process, lambda times=times: lanes(process, ProgressStep.SWEPT).count(1) == times)  # type: ignore[misc]
    assert 0 not in lanes(process, ProgressStep.PUBLISHED)
    gate.set()
    process.run()
    harness.check()


def test_slow_sink__maximum_of_concurrent_publications_reached__next_one_waits() -> None:
    harness, sink = slow_harness(*range(PUBLICATIONS_AT_ONCE), partitions=PUBLICATIONS_AT_ONCE + 1)
    process = harness.start(
        "a", background_tasks=SlowBackgroundTasks(harness), tasks=PUBLICATIONS_AT_ONCE + 1, max_records=10
    )
    turned_until(process, lambda: len(lanes(process, ProgressStep.COMMITTED)) == PUBLICATIONS_AT_ONCE + 1)
    turned_until(process, lambda: len(set(sink.begun)) == PUBLICATIONS_AT_ONCE)
    assert process.progress_at(ProgressStep.PUBLISHED) == []
    sink.slow.clear()
    process.run()
    harness.check()


def test_revocation__publication_is_running__acknowledged_after_the_publication() -> None:
    harness, sink = slow_harness(0, 1)
    process = slowly_published(harness)
    turned_until(process, lambda: len(lanes(process, ProgressStep.COMMITTED)) == 2)
    harness.start("b")
    for _ in range(REBALANCE_MS // 8_000):
        process.turn()
    assert process.progress_at(ProgressStep.REVOKED) == []
    sink.slow.clear()
    turned_until(process, lambda: bool(process.progress_at(ProgressStep.REVOKED)))
    assert sorted(lanes(process, ProgressStep.PUBLISHED)) == [0, 1]


def test_revocation__publication_longer_than_a_quarter_of_rebalance_timeout__new_owner_publishes() -> None:
    harness, sink = slow_harness(0, 1)
    process = slowly_published(harness)
    turned_until(process, lambda: bool(process.progress_at(ProgressStep.COMMITTED)))
    other = harness.start("b")
    turned_until(process, lambda: bool(process.progress_at(ProgressStep.REVOKED)))
    assert process.progress_at(ProgressStep.PUBLISHED) == []
    process.membership.leave()  # type: ignore[attr-defined]
    sink.slow.clear()
    other.run()
    assert lanes(other, ProgressStep.ROLLED_FORWARD)
    harness.check()


def test_publication__fails_for_one_lane__publication_repeated_and_other_lanes_continue() -> None:
    harness, sink = slow_harness()
    failures = [SinkFailed("it is locked"), OSError("no space")]
    publish = sink.publish

    def failing(files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        if manifest.lane.partition == 0 and failures:
            raise failures.pop()
        return publish(files, layout, manifest, outputs)

    sink.publish = failing  # type: ignore[method-assign]
    process = slowly_published(harness)
    process.run()
    assert failures == []
    assert lanes(process, ProgressStep.ROLLED_FORWARD) == [0]
    harness.check()


def test_stop__publication_hangs__waits_for_a_bounded_time() -> None:
    harness, sink = slow_harness(0, 1)
    process = slowly_published(harness)
    turned_until(process, lambda: bool(process.progress_at(ProgressStep.COMMITTED)))
    process.engine.stop()
    before_ms = harness.coordinator.tick_ms
    process.run("stopped")
    assert harness.coordinator.tick_ms - before_ms > STOP_GRACE_S * 1_000
    assert process.progress_at(ProgressStep.PUBLISHED) == []
    sink.slow.clear()
    harness.start("a").run()
    harness.check()


def test_pipeline_stops__another_lane_failed__committed_batches_still_published() -> None:
    harness, sink = slow_harness(0)

    def broken(_rows: Any, _state: Any) -> Any:
        sink.slow.clear()
        raise ValueError("a bug")

    process = slowly_published(harness)
    turned_until(process, lambda: 0 in lanes(process, ProgressStep.COMMITTED))
    harness.log.partitions[1].append(("k1-0", 1))
    process.stager.job = harness.job(broken)
    with pytest.raises(PipelineStopped):
        process.run()
    assert 0 in lanes(process, ProgressStep.PUBLISHED)


@pytest.mark.parametrize("error", [PipelineStopped(Code.SINK_REFUSED, "no such column"), ValueError("a bug")])
def test_pipeline_stops__one_publication_fails__waits_for_the_other_publications(error: Exception) -> None:
    def fail() -> None:
        raise error

    published: list[int] = []
    publications = Publications(FOREGROUND_TASKS, lambda: 0.0)
    for work in (fail, lambda: published.append(1), fail, lambda: published.append(2)):
        publications.add(frozenset(), work)
    publications.finish(STOP_GRACE_S)
    assert published == [1, 2]


def test_sink__publication_hangs__pipeline_stops_with_an_error() -> None:
    harness, _ = slow_harness(0)
    process = slowly_published(harness, batch_timeout_s=20.0)
    with pytest.raises(PipelineStopped, match="did not publish a committed batch within 20 s") as stopped:
        process.run()
    assert stopped.value.code is Code.SINK_FAILED


def test_slow_sink__process_was_suspended__not_timed_out() -> None:
    harness, sink = slow_harness(0)
    process = slowly_published(harness, batch_timeout_s=20.0)
    turned_until(process, lambda: bool(sink.begun))
    harness.coordinator.advance(30_000)
    for _ in range(5):
        process.turn()
    sink.slow.clear()
    process.run()
    assert 0 in lanes(process, ProgressStep.PUBLISHED)
    harness.check()


def test_lookup_of_log_ends__slow__running_bundles_committed_meanwhile() -> None:
    harness = Harness(2)
    harness.produce(20)
    process = slowly_published(harness)
    process.stager.slow_lanes_s = {0: 5}
    turned_until(process, lambda: lanes(process, ProgressStep.PLANNED) == [0, 1])
    bounds = harness.log.bounds

    def slow_bounds(partitions: Any) -> Any:
        if not lanes(process, ProgressStep.PUBLISHED).count(0):
            raise StillRunning
        return bounds(partitions)

    harness.log.bounds = slow_bounds  # type: ignore[method-assign]
    harness.produce(20)
    process.run()
    harness.check()
