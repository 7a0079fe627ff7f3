"""Crashes, zombies and late commits: each row is visible once, and the state is that of a direct computation."""

from random import Random

import pytest

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.progress import Progress, ProgressStep
from tests.pipeline.coordinator import SESSION_MS
from tests.pipeline.harness import Harness, Killed, killed_at
from tests.simulation.pipelines.files import ForgetfulFiles

STEPS = (ProgressStep.PLANNED, ProgressStep.STAGED, ProgressStep.COMMITTED, ProgressStep.PUBLISHED, ProgressStep.SWEPT)


def test_pipeline__no_failure__every_record_in_output_once() -> None:
    harness = Harness()
    harness.produce(50)
    process = harness.start().run()
    harness.check()
    assert len(process.progress_at(ProgressStep.COMMITTED)) == 5
    assert [progress.step for progress in process.steps[:6]] == [ProgressStep.RECOVERED, *STEPS]
    assert harness.orphans() == []


@pytest.mark.parametrize("power_fails", [False, True], ids=["process", "machine"])
@pytest.mark.parametrize("nth", [1, 3])
@pytest.mark.parametrize("step", STEPS)
def test_pipeline__killed_at_a_progress_step_and_restarted__exactly_once(
    step: ProgressStep, nth: int, power_fails: bool
) -> None:
    harness = Harness()
    harness.produce(50)
    with pytest.raises(Killed):
        harness.start(observer=killed_at(step, nth)).run()
    if power_fails:
        harness.files.crash()
    harness.start().run()
    harness.check()
    harness.produce(5)
    harness.start().run()
    harness.check()
    assert harness.orphans() == []


@pytest.mark.parametrize("nth", range(1, 7))
def test_first_batch__power_failure_after_any_directory_sync__exactly_once(nth: int) -> None:
    harness = Harness()
    harness.produce(20)
    synced: list[str] = []

    def sync_and_die(directory: str) -> None:
        ForgetfulFiles.sync_directory(harness.files, directory)
        synced.append(directory)
        if len(synced) == nth:
            raise Killed

    harness.files.sync_directory = sync_and_die
    with pytest.raises(Killed):
        harness.start().run()
    harness.files.crash()
    harness.start().run()
    harness.check()


@pytest.mark.parametrize("step", [ProgressStep.ROLLED_FORWARD, ProgressStep.RECOVERED])
def test_pipeline__killed_again_during_recovery__exactly_once(step: ProgressStep) -> None:
    harness = Harness()
    harness.produce(30)
    with pytest.raises(Killed):
        harness.start(observer=killed_at(ProgressStep.COMMITTED)).run()
    with pytest.raises(Killed):
        harness.start(observer=killed_at(step)).run()
    harness.files.crash()
    harness.start().run()
    harness.check()


@pytest.mark.parametrize("step", [ProgressStep.PLANNED, ProgressStep.STAGED])
def test_zombie__instance_id_taken_over_before_its_commit__publishes_nothing(step: ProgressStep) -> None:
    harness = Harness()
    harness.produce(50)

    def taken_over(progress: Progress) -> None:
        if progress.step is step and not successors:
            successors.append(harness.start("a").run())

    successors: list[object] = []
    zombie = harness.start("a", observer=taken_over)
    with pytest.raises(PipelineStopped) as stopped:
        zombie.run()
    assert stopped.value.code is Code.FENCED
    assert (
        zombie.progress_at(ProgressStep.COMMITTED)
        == zombie.progress_at(ProgressStep.PUBLISHED)
        == zombie.progress_at(ProgressStep.SWEPT)
        == []
    )
    harness.check()


@pytest.mark.parametrize("step", [ProgressStep.COMMITTED, ProgressStep.PUBLISHED])
def test_zombie__instance_id_taken_over_after_its_commit__publishes_the_same_as_its_successor(
    step: ProgressStep,
) -> None:
    harness = Harness()
    harness.produce(50)

    def taken_over(progress: Progress) -> None:
        if progress.step is step and not successors:
            successors.append(harness.start("a").run())

    successors: list[object] = []
    with pytest.raises(PipelineStopped) as stopped:
        harness.start("a", observer=taken_over).run()
    assert stopped.value.code is Code.FENCED
    harness.check()
    assert harness.start("a").run().progress_at(ProgressStep.ROLLED_FORWARD) == []


def test_dynamic_member__removed_from_the_group__its_commit_refused_and_it_joins_again() -> None:
    harness = Harness()
    harness.produce(50)

    def slept(progress: Progress) -> None:
        if progress.step is ProgressStep.STAGED and not others:
            harness.coordinator.advance(SESSION_MS + 1)
            others.append(harness.start(None).run())
            others[0].membership.leave()  # type: ignore[attr-defined]

    others: list[object] = []
    sleeper = harness.start(None, observer=slept).run()
    assert len(sleeper.progress_at(ProgressStep.DROPPED)) == 1
    harness.check()


@pytest.mark.parametrize("instance_id", ["a", None], ids=["static", "dynamic"])
@pytest.mark.parametrize("commit_fault", ["lost-answer", "lost-request", "late"])
def test_commit__answer_lost__member_rejoins_and_reads_the_committed_offset(
    commit_fault: str, instance_id: str | None
) -> None:
    harness = Harness()
    harness.produce(50)
    process = harness.start(instance_id)
    process.membership.commit_faults = ["", commit_fault]
    process.run()
    assert all(answer.reason for answer in process.membership.deliver_late_commits())
    harness.check()
    assert len(process.progress_at(ProgressStep.DROPPED)) == 1
    assert len(process.progress_at(ProgressStep.ROLLED_FORWARD)) == (commit_fault == "lost-answer")


def test_commit__arrives_after_the_member_rejoined__refused() -> None:
    harness = Harness()
    harness.produce(50)
    process = harness.start("a")
    process.membership.commit_faults = ["late"]
    while not process.membership.late:
        process.turn()
    assert [answer.outcome.value for answer in process.membership.deliver_late_commits()] == ["fenced"]
    process.run()
    harness.check()


def test_two_members__one_leaves__other_gets_its_lanes_with_their_state() -> None:
    harness = Harness(4)
    harness.produce(30)
    first, second = harness.start("a"), harness.start("b")
    for _ in range(12):
        first.turn()
        second.turn()
    harness.produce(30)
    second.membership.leave()
    first.run()
    harness.check()
    assert second.progress_at(ProgressStep.COMMITTED)


def test_broker__restarted__member_keeps_its_identity() -> None:
    harness = Harness()
    harness.produce(100)
    process = harness.start("a")
    while len(process.progress_at(ProgressStep.COMMITTED)) < 2:
        process.turn()
    generation = process.engine.writer
    harness.coordinator.restart()
    process.run()
    harness.check()
    assert process.engine.writer == generation


@pytest.mark.long
def test_power_failure__only_some_unsynced_files_survive__exactly_once() -> None:
    for seed in range(20):
        harness = Harness(seed=seed)
        harness.produce(30)
        random = Random(seed)
        for _ in range(3):
            step = random.choice(STEPS)
            harness.produce(25)
            with pytest.raises(Killed):
                harness.start(observer=killed_at(step)).run()
            harness.files.crash(random)
        harness.start().run()
        harness.check()
