"""Arrays of a streams group that are kept between assignments give the same targets as new arrays."""

from __future__ import annotations

from random import Random

import pytest

from tenure.assignors import sticky_tasks
from tenure.assignors.sticky_tasks import Subtopology
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.task_arrays import TaskArrays, changed_targets, update_arrays
from tenure.coordinator.groups.streams.tasks import AssignedTasks, ReportedOffsets, Task, Tasks
from tenure.protocol.types import MemberId, PartitionId

ROUNDS = 6


def assigned(
    kept: TaskArrays | None,
    subtopologies: list[Subtopology],
    members: dict[MemberId, StreamsMember],
    targets: dict[MemberId, Tasks],
    offsets: dict[MemberId, ReportedOffsets],
) -> tuple[TaskArrays, dict[MemberId, Tasks]]:
    """Return the arrays for the next assignment, and the targets of all members."""
    arrays, changed = update_arrays(kept, subtopologies, members.values(), targets)
    found = sticky_tasks.assign(arrays.task_group(offsets), 1)
    now = targets | changed_targets(arrays, changed, found, targets)
    return arrays.with_targets(found), {member_id: now[member_id] for member_id in sorted(members)}


def member(random: Random) -> StreamsMember:
    return StreamsMember(MemberId(f"m{random.randrange(30)}"), process_id=f"p{random.randrange(8)}")


def reached(random: Random, member: StreamsMember, target: Tasks, taken: set[Task]) -> StreamsMember:
    """Return the member with most tasks of its target, without active tasks that others have."""
    active = {task: 1 for task in sorted(target.active - taken) if random.random() < 0.9}
    tasks = AssignedTasks(active, target.standby)
    return StreamsMember(member.member_id, process_id=member.process_id, assigned=tasks)


def some_offsets(random: Random, subtopologies: list[Subtopology]) -> ReportedOffsets:
    every: list[Task] = [(each.name, PartitionId(at)) for each in subtopologies for at in range(each.tasks + 1)]
    return ReportedOffsets({task: random.randrange(3) for task in every if random.random() < 0.1})


@pytest.mark.parametrize("seed", range(30))
def test_task_arrays__updated_when_members_join_and_leave__same_targets_as_from_new_arrays(seed: int) -> None:
    random = Random(seed)
    subtopologies = [Subtopology(str(at), random.randrange(12), random.random() < 0.7) for at in range(3)]
    members = {found.member_id: found for found in (member(random) for _ in range(random.randrange(1, 9)))}
    targets: dict[MemberId, Tasks] = {}
    offsets: dict[MemberId, ReportedOffsets] = {}
    kept: TaskArrays | None = None
    for _ in range(ROUNDS):
        kept, found = assigned(kept, subtopologies, members, targets, offsets)
        assert found == assigned(None, subtopologies, members, targets, offsets)[1]
        targets = found
        for member_id in sorted(members):
            if random.random() < 0.5:
                others = [each for each in members.values() if each.member_id != member_id]
                taken = {task for each in others for task in each.assigned.active}
                members[member_id] = reached(random, members[member_id], targets[member_id], taken)
            if random.random() < 0.2:
                offsets[member_id] = some_offsets(random, subtopologies)
        leaver = random.choice(sorted(members))
        if random.random() < 0.5:
            targets.pop(leaver)
            left = members.pop(leaver)
            if random.random() < 0.5 or not members:
                members[leaver] = StreamsMember(leaver, process_id=left.process_id)
        joiner = member(random)
        members.setdefault(joiner.member_id, joiner)
        if random.random() < 0.1:
            subtopologies = [each._replace(tasks=each.tasks + 1) for each in subtopologies]


def test_task_arrays__member_returns_before_it_took_its_tasks__gets_the_same_tasks_again() -> None:
    subtopologies = [Subtopology("0", 4, is_stateful=False)]
    members = {MemberId(name): StreamsMember(MemberId(name), process_id=name) for name in "ab"}
    kept, targets = assigned(None, subtopologies, members, {}, {})
    returned = {member_id: target for member_id, target in targets.items() if member_id != "b"}
    assert assigned(kept, subtopologies, members, returned, {})[1] == targets
