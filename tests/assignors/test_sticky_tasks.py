"""The assignor of tasks: balance, stickiness, and standbys in other processes (rule 5.2, point 8)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import pytest

from tenure.assignors import sticky_tasks
from tenure.assignors.sticky_tasks import Subtopology
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.task_arrays import changed_targets, update_arrays
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS, AssignedTasks, ReportedOffsets, Tasks
from tenure.protocol.types import MemberId

LINES = Subtopology("0", 4, is_stateful=False)
COUNTS = Subtopology("1", 4, is_stateful=True)


class TaskMember(NamedTuple):
    """Streams member with the tasks that it has: sets of (subtopology, partition), and offsets by task."""

    process_id: str
    active: Any = frozenset()
    copies: Any = frozenset()
    offsets: Any = NO_OFFSETS.restored


def assign(members: Mapping[str, TaskMember], subtopologies: list[Subtopology], standbys: int) -> dict[str, Tasks]:
    has = {name: AssignedTasks(dict.fromkeys(each.active, 1), each.copies) for name, each in members.items()}
    found = [
        StreamsMember(MemberId(name), process_id=each.process_id, assigned=has[name]) for name, each in members.items()
    ]
    arrays, changed = update_arrays(None, subtopologies, found, ())
    offsets = {MemberId(name): ReportedOffsets(each.offsets) for name, each in members.items()}
    owners = sticky_tasks.assign(arrays.task_group(offsets), standbys)
    return {str(name): tasks for name, tasks in changed_targets(arrays, changed, owners, {}).items()}


def active(assigned: Mapping[str, Tasks]) -> dict[str, list[tuple[str, int]]]:
    return {name: sorted(member.active) for name, member in assigned.items()}


def standby(assigned: Mapping[str, Tasks]) -> dict[str, list[tuple[str, int]]]:
    return {name: sorted(member.standby) for name, member in assigned.items()}


def as_before(members: Mapping[str, TaskMember], assigned: Mapping[str, Tasks]) -> dict[str, TaskMember]:
    return {
        name: TaskMember(member.process_id, assigned[name].active, assigned[name].standby)
        for name, member in members.items()
        if name in assigned
    }


def test_sticky_tasks__no_members__no_assignment() -> None:
    assert assign({}, [LINES], 1) == {}


def test_sticky_tasks__new_group__task_counts_differ_by_one_at_most() -> None:
    found = assign({name: TaskMember(name) for name in "abc"}, [LINES, COUNTS], 0)
    assert sorted(len(member.active) for member in found.values()) == [2, 3, 3]


def test_sticky_tasks__member_joins__only_tasks_above_the_new_share_move() -> None:
    members = {"a": TaskMember("p", frozenset({("0", 0), ("0", 1), ("0", 2), ("0", 3)})), "b": TaskMember("q")}
    assert active(assign(members, [LINES], 0)) == {"a": [("0", 0), ("0", 1)], "b": [("0", 2), ("0", 3)]}


def test_sticky_tasks__member_left_and_another_has_a_copy__task_assigned_to_the_one_with_the_copy() -> None:
    members = {"a": TaskMember("p"), "b": TaskMember("q", copies=frozenset({("1", 0), ("1", 2)}))}
    assert active(assign(members, [COUNTS], 0))["b"] == [("1", 0), ("1", 2)]


def test_sticky_tasks__restarted_member_reports_offsets_of_tasks__gets_these_tasks() -> None:
    members = {"a": TaskMember("p"), "b": TaskMember("q", offsets={("1", 3): 100, ("1", 1): 7})}
    assert active(assign(members, [COUNTS], 0))["b"] == [("1", 1), ("1", 3)]


def test_sticky_tasks__two_members_with_a_copy__task_assigned_to_the_one_with_higher_offsets() -> None:
    copy = frozenset({("1", 0)})
    members = {
        "a": TaskMember("p", copies=copy, offsets={("1", 0): 5}),
        "b": TaskMember("q", copies=copy, offsets={("1", 0): 9}),
    }
    assert ("1", 0) in assign(members, [COUNTS._replace(tasks=2)], 0)["b"].active


def test_sticky_tasks__standby_replicas__in_another_process_and_only_for_stateful_tasks() -> None:
    found = assign({"a": TaskMember("p"), "b": TaskMember("p"), "c": TaskMember("q")}, [LINES, COUNTS], 1)
    for name, others in (("a", "c"), ("b", "c"), ("c", "ab")):
        theirs = set().union(*(found[other].standby for other in others))
        assert {task for task in found[name].active if task[0] == "1"} <= theirs
    assert all(task[0] == "1" for member in found.values() for task in member.standby)


def test_sticky_tasks__all_members_in_one_process__no_standbys() -> None:
    found = assign({"a": TaskMember("p"), "b": TaskMember("p")}, [COUNTS], 2)
    assert standby(found) == {"a": [], "b": []}


@pytest.mark.parametrize("tasks", range(1, 9))
def test_sticky_tasks__assigned_again_with_the_same_members__active_tasks_stay_and_standby_tasks_move_once_at_most(
    tasks: int,
) -> None:
    """Move only standby tasks, and only once: they were assigned while the members had fewer tasks."""
    subtopologies = [LINES._replace(tasks=tasks), COUNTS]
    members = {name: TaskMember(f"p-{name}") for name in "abc"}
    found = assign(members, subtopologies, 1)
    again = assign(as_before(members, found), subtopologies, 1)
    once_more = assign(as_before(members, again), subtopologies, 1)
    assert active(found) == active(again) == active(once_more)
    assert standby(again) == standby(once_more)


@pytest.mark.parametrize("seed", range(40))
def test_sticky_tasks__random_groups__each_task_active_once_and_copies_in_other_processes(seed: int) -> None:
    random = Random(seed)
    subtopologies = [Subtopology(str(at), random.randrange(1, 9), random.random() < 0.6) for at in range(3)]
    members = {f"m{at}": TaskMember(f"p{random.randrange(3)}") for at in range(random.randrange(1, 7))}
    standbys = random.randrange(3)
    every = sorted((each.name, at) for each in subtopologies for at in range(each.tasks))
    for _ in range(6):
        found = assign(members, subtopologies, standbys)
        assert sorted(task for member in found.values() for task in member.active) == every
        processes: dict[tuple[str, int], list[str]] = {}
        for name, member in found.items():
            for task in member.active | member.standby:
                processes.setdefault(task, []).append(members[name].process_id)
        assert all(len(set(owners)) == len(owners) for owners in processes.values())
        members = as_before(members, found)
        if len(members) > 1 and random.random() < 0.5:
            del members[random.choice(sorted(members))]
        else:
            members[f"n{random.randrange(10**6)}"] = TaskMember(f"p{random.randrange(3)}")


@pytest.mark.parametrize("seed", range(30))
def test_sticky_tasks__many_standby_tasks_assigned_at_once__same_as_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    subtopologies = [Subtopology(str(at), random.randrange(1, 40), random.random() < 0.8) for at in range(3)]
    members = {f"m{at}": TaskMember(f"p{random.randrange(5)}") for at in range(random.randrange(2, 9))}
    every = [(each.name, at) for each in subtopologies for at in range(each.tasks)]
    for _ in range(6):
        monkeypatch.setattr(sticky_tasks, "RUN_MIN", 10**6)
        found = assign(members, subtopologies, 1)
        for run_min in (1, 3):
            monkeypatch.setattr(sticky_tasks, "RUN_MIN", run_min)
            assert assign(members, subtopologies, 1) == found
        members = as_before(members, found)
        if len(members) > 2 and random.random() < 0.5:
            del members[random.choice(sorted(members))]
        else:
            offsets = {task: random.randrange(3) for task in every if random.random() < 0.2}
            members[f"n{random.randrange(10**6)}"] = TaskMember(f"p{random.randrange(6)}", offsets=offsets)
