"""Conversion of a streams group to arrays for the assignor, and of its result to changed targets (rule 5.2, point 8).

The arrays of a large group (`TaskArrays`) are kept for its next assignment, which converts only the members that have
changed since. `AssignedTasks` are immutable, so a member with the same object has the same tasks. A `TaskArrays` object
never changes either, so a thread can use it while the group changes.
"""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Indices, no_indices
from tenure.assignors.sticky_tasks import FindCopies, Subtopology, TaskGroup, TaskNumbers, TaskOwners
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS, ReportedOffsets, Task, Tasks
from tenure.protocol.types import MemberId, PartitionId


@dataclass(slots=True, frozen=True)
class TaskArrays:
    """Tasks, members, owners and targets of a streams group, as arrays for the assignor."""

    numbers: TaskNumbers
    members: Mapping[MemberId, StreamsMember]
    """Members in ascending order of their ids. Members are numbered in this order."""
    owners: Indices
    """Member that has each active task, or NOBODY."""
    targets: TaskOwners
    """Target assignment. In the result of `update_arrays`, it is the previous one, without members that have joined."""

    def task_group(self, offsets: Mapping[MemberId, ReportedOffsets]) -> TaskGroup:
        known: dict[str, int] = {}
        processes = [known.setdefault(member.process_id, len(known)) for member in self.members.values()]
        return TaskGroup(self.numbers, np.array(processes, np.int32), self.owners, self._copies_finder(offsets))

    def with_targets(self, targets: TaskOwners) -> "TaskArrays":
        return TaskArrays(self.numbers, self.members, self.owners, targets)

    def _copies_finder(self, offsets: Mapping[MemberId, ReportedOffsets]) -> FindCopies:
        def find(tasks: Collection[int]) -> dict[int, list[int]]:
            wanted = set(_names(self.numbers, np.array(tasks)))
            ranked: dict[Task, list[tuple[bool, int, int]]] = {}
            for number, (member_id, member) in enumerate(self.members.items()):
                standby, warmup = member.assigned.standby, member.assigned.warmup
                restored = offsets.get(member_id, NO_OFFSETS).restored
                if standby or warmup or restored:
                    for task in wanted.intersection(standby.union(warmup, restored)):
                        rank = (task not in standby and task not in warmup, -restored.get(task, 0), number)
                        ranked.setdefault(task, []).append(rank)
            found = zip(self.numbers.of(ranked), ranked.values(), strict=True)
            return {task: [number for _, _, number in sorted(ranks)] for task, ranks in found}

        return find


def update_arrays(
    old: TaskArrays | None,
    subtopologies: Sequence[Subtopology],
    members: Iterable[StreamsMember],
    targets: Container[MemberId],
) -> tuple[TaskArrays, list[int]]:
    """Return the arrays of the group now, and the numbers of the members that have joined since `old`.

    `targets` contains the members with a target. A member without a target has joined, perhaps after it had left.
    """
    if old is None or old.numbers.subtopologies != tuple(subtopologies):
        old = _no_members(TaskNumbers(subtopologies))
    ordered = {member.member_id: member for member in sorted(members, key=attrgetter("member_id"))}
    number = dict(zip(ordered, range(len(ordered)), strict=True))
    places = [number.get(name, NOBODY) if name in targets else NOBODY for name in old.members]
    renumbered = np.array([*places, NOBODY], np.int32)  # the last one is for NOBODY, -1
    standby_members = renumbered[old.targets.standby_members]
    kept = standby_members != NOBODY
    had = TaskOwners(renumbered[old.targets.active], old.targets.standby_tasks[kept], standby_members[kept])
    joined = sorted(set(range(len(ordered))).difference(places))
    present, before = list(ordered.values()), zip(places, old.members.values(), strict=True)
    changed = [at for at, member in before if at != NOBODY and present[at].assigned is not member.assigned]
    has_changed = np.zeros(len(ordered) + 1, np.bool_)
    has_changed[changed] = True
    owners = renumbered[old.owners]
    owners[has_changed[owners]] = NOBODY
    for at in (*joined, *changed):
        owners[old.numbers.of(present[at].assigned.active)] = at
    return TaskArrays(old.numbers, ordered, owners, had), joined


def _no_members(numbers: TaskNumbers) -> TaskArrays:
    nobody = np.full(numbers.count, NOBODY, np.int32)
    return TaskArrays(numbers, {}, nobody, TaskOwners(nobody, no_indices(), no_indices()))


def changed_targets(
    arrays: TaskArrays, joined: Iterable[int], found: TaskOwners, before: Mapping[MemberId, Tasks]
) -> dict[MemberId, Tasks]:
    """Return the new target of each member whose target has changed.

    Args:
        arrays: Group with its previous targets.
        joined: Numbers of the members that have joined since the last assignment.
        found: New target assignment.
        before: Previous target of each member.
    """
    affected = _affected(arrays, found).union(joined)
    is_affected = np.zeros(len(arrays.members) + 1, np.bool_)
    is_affected[list(affected)] = True
    active = _by_member(arrays.numbers, np.arange(len(found.active)), found.active, is_affected)
    standby = _by_member(arrays.numbers, found.standby_tasks, found.standby_members, is_affected)
    ids = list(arrays.members)
    targets = {
        ids[number]: Tasks(frozenset(active.get(number, ())), frozenset(standby.get(number, ())))
        for number in sorted(affected)
    }
    return {member_id: target for member_id, target in targets.items() if before.get(member_id) != target}


def _affected(arrays: TaskArrays, found: TaskOwners) -> set[int]:
    """Return the numbers of the members that gain or lose a task."""
    had = arrays.targets
    moved = np.flatnonzero(had.active != found.active)
    count = len(arrays.members)
    copies = np.setxor1d(_keys(had, count), _keys(found, count)) % max(count, 1)
    return {*had.active[moved].tolist(), *found.active[moved].tolist(), *copies.tolist()} - {NOBODY}


def _keys(owners: TaskOwners, members: int) -> Counts:
    """Return one number per standby task, different for each pair of task and member. `members` is their number."""
    return owners.standby_tasks.astype(np.int64) * members + owners.standby_members


def _by_member(
    numbers: TaskNumbers, tasks: Counts | Indices, members: Indices, is_wanted: Flags
) -> dict[int, list[Task]]:
    rows = is_wanted[members]
    found: dict[int, list[Task]] = {}
    for member, task in zip(members[rows].tolist(), _names(numbers, tasks[rows]), strict=True):
        found.setdefault(member, []).append(task)
    return found


def _names(numbers: TaskNumbers, tasks: Counts | Indices) -> list[Task]:
    """Return the tasks with the given numbers, each as (subtopology id, partition number)."""
    names = [each.name for each in numbers.subtopologies]
    firsts = np.array([numbers.first[name] for name in names], np.int64)
    at = np.searchsorted(firsts, tasks, side="right") - 1
    partitions = (tasks - firsts[at]).tolist()
    return [(names[index], PartitionId(number)) for index, number in zip(at.tolist(), partitions, strict=True)]
