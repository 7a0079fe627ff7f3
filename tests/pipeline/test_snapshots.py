"""Snapshots that are written at any moment or never, while random failures happen."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.task.job import Job
from tests.pipeline.harness import Harness
from tests.pipeline.test_schedules import FAULTS, FaultyRun, converge

SEEDS = 8
TURNS = 40
KEYS = 60


class HarnessWithManyKeys(Harness):
    """Harness whose batches change few of many keys, so that snapshots are sometimes due."""

    def __init__(self, partition_count: int, seed: int) -> None:
        self.background: list[Callable[[], None]] = []
        """Background work of the batches, which may still be done after their process has ended."""
        super().__init__(partition_count, seed)

    def produce(self, count: int, keys: int = KEYS) -> None:
        super().produce(count, keys)

    def job(self, *function: Any, **changes: Any) -> Job:
        return super().job(*function, **({"in_background": self.background.append} | changes))

    def run_some_background_work(self, random: Random) -> None:
        while self.background and random.random() < 0.6:
            work = self.background.pop(random.randrange(len(self.background)))
            if random.random() < 0.8:
                with suppress(PipelineStopped):  # The files that it needs may have been swept.
                    work()


@pytest.mark.long
def test_snapshots__completed_at_random_times__state_correct_and_no_needed_file_swept() -> None:
    adopted = 0
    for seed in range(SEEDS):
        random = Random(seed)
        schedule = [(random.choice(FAULTS), random.randint(1, 8)) for _ in range(random.randint(0, 40))]
        print(f"seed {seed}, schedule {schedule}")
        harness = HarnessWithManyKeys(2, seed)
        harness.produce(120)
        faulty_run = FaultyRun(harness, schedule, tasks=random.randint(1, 2), slow_s=0)
        for instance_id in random.choice([("a",), ("a", "b")]):
            faulty_run.start(instance_id)
        for _ in range(TURNS):
            for process in list(faulty_run.processes):
                faulty_run.turn(process)
                harness.run_some_background_work(random)
            harness.produce(random.choice([0, 3]))
        converge(harness, faulty_run)
        harness.check()
        bases = {manifest.state.base.name for manifest in harness.accepted if manifest.state.base}
        adopted += sum(name.endswith(".snapshot.arrow") for name in bases)
    assert adopted > SEEDS, f"{adopted} snapshots became bases"


def test_snapshots__too_late_or_incomplete__their_files_are_swept() -> None:
    harness = HarnessWithManyKeys(1, 0)
    harness.produce(400, keys=400)
    owner = harness.start("a").run()
    state = harness.layout.state_directory(harness.lanes()[0])
    late = 0
    for _ in range(100):
        harness.produce(20, keys=400)
        owner.run()
        awaited = harness.committed_manifests()[harness.lanes()[0]].state.awaits
        half = f"{state}/{awaited}.snapshot.arrow.unfinished-1-2"
        if awaited and half not in harness.removed:
            harness.files.write(half, b"half")
        if len(harness.background) > 1:  # The pipeline does not wait for the earlier snapshot any more.
            with suppress(PipelineStopped):
                harness.background.pop(0)()
                late += 1
    left = [path for path in harness.orphans() if f"/{awaited}." not in path]
    assert late > 3
    assert len([path for path in harness.removed if path.endswith("-1-2")]) > late
    assert left == []
