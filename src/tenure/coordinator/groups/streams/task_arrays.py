"""Conversion of a streams group to arrays for the assignor, and of its result to changed targets (rule 5.2, point 8).

The arrays of a large group (`TaskArrays`) are kept for its next assignment, which converts only the members that have
changed since. `AssignedTasks` are immutable, so a member with the same object has the same tasks. A `TaskArrays` object
never changes either, so a thread can use it while the group changes.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Indices
from tenure.assignors.sticky_tasks import (
    NO_COPIES,
    Copies,
    FindCopies,
    Subtopology,
    TaskGroup,
    TaskNumbers,
    TaskOwners,
    together,
)
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import NO_OFFSETS, ReportedOffsets, Task, Tasks
from tenure.protocol.types import MemberId, PartitionId


@dataclass(slots=True, frozen=True)
class TaskArrays:
    """Tasks, members, owners and targets of a streams group, as arrays for the assignor."""

    numbers: TaskNumbers
    members: Mapping[MemberId, StreamsMember]
    """Members in ascending order of their ids. In all arrays, the index of a member is its index here."""
    owners: Indices
    """Index of the member that has each active task, or NOBODY."""
    standbys: Copies
    """Standby tasks that members have now, one row for each task and member."""
    targets: TaskOwners
    """Target assignment. `update_arrays` returns the previous one, and `with_targets` reindices it."""

    def task_group(self, offsets: Mapping[MemberId, ReportedOffsets]) -> TaskGroup:
        known: dict[str, int] = {}
        processes = [known.setdefault(member.process_id, len(known)) for member in self.members.values()]
        return TaskGroup(self.numbers, np.array(processes, np.int32), self.owners, self._copies_finder(offsets))

    def with_targets(self, targets: TaskOwners) -> "TaskArrays":
        return TaskArrays(self.numbers, self.members, self.owners, self.standbys, targets)

    def _copies_finder(self, offsets: Mapping[MemberId, ReportedOffsets]) -> FindCopies:
        def find(tasks: Counts | Indices) -> Copies:
            is_wanted = np.zeros(self.numbers.count, np.bool_)
            is_wanted[tasks] = True
            is_ranked = np.zeros(len(self.members), np.bool_)
            ranked: list[tuple[int, int, bool, int]] = []
            for number, (member_id, member) in enumerate(self.members.items()):
                restored = offsets.get(member_id, NO_OFFSETS).restored
                if restored or member.assigned.warmup:
                    is_ranked[number] = True
                    has = set(self.numbers.of(member.assigned.standby | member.assigned.warmup))
                    offset_of = self.numbers.by_number(restored.items())
                    wanted = [task for task in has.union(offset_of) if is_wanted[task]]
                    ranked += [(task, number, task not in has, -offset_of.get(task, 0)) for task in wanted]
            plain = self.standbys.where(is_wanted[self.standbys.tasks] & ~is_ranked[self.standbys.members])
            rows = np.zeros((len(ranked) + len(plain.tasks), 4), np.int64)
            rows[: len(ranked)] = np.array(ranked, np.int64).reshape(-1, 4)
            rows[len(ranked) :, 0], rows[len(ranked) :, 1] = plain
            order = np.lexsort(rows.T[[1, 3, 2, 0]])
            return Copies(rows[order, 0].astype(np.int32), rows[order, 1].astype(np.int32))

        return find


def update_arrays(
    old: TaskArrays | None,
    subtopologies: Sequence[Subtopology],
    members: Iterable[StreamsMember],
    targets: Container[MemberId],
) -> tuple[TaskArrays, list[int]]:
    """Return the present arrays of a group, and the indices of the members that have joined since `old`.

    `targets` contains the members with a target. A member that is in `old`, but has no target, has left and joined
    again.
    """
    if old is None or old.numbers.subtopologies != tuple(subtopologies):
        old = _no_members(TaskNumbers(subtopologies))
    ordered = {member.member_id: member for member in sorted(members, key=attrgetter("member_id"))}
    stayed = {name: number for number, name in enumerate(ordered) if name in targets}
    indices = [stayed.get(name, NOBODY) for name in old.members]
    renumbered = np.array([*indices, NOBODY], np.int32)  # the last one is for NOBODY, -1
    had = TaskOwners(renumbered[old.targets.active], _renumbered(old.targets.standbys, renumbered))
    joined = sorted(set(range(len(ordered))).difference(indices))
    present, before = list(ordered.values()), zip(indices, old.members.values(), strict=True)
    changed = [at for at, member in before if at != NOBODY and present[at].assigned is not member.assigned]
    has_changed = np.zeros(len(ordered) + 1, np.bool_)
    has_changed[changed] = True
    owners = renumbered[old.owners]
    owners[has_changed[owners]] = NOBODY
    standbys = _renumbered(old.standbys, renumbered)
    parts = [standbys.where(~has_changed[standbys.members])]
    for at in (*joined, *changed):
        owners[old.numbers.of(present[at].assigned.active)] = at
        tasks = np.array(old.numbers.of(present[at].assigned.standby), np.int32)
        parts.append(Copies(tasks, np.full(len(tasks), at, np.int32)))
    return TaskArrays(old.numbers, ordered, owners, together(parts), had), joined


def _no_members(numbers: TaskNumbers) -> TaskArrays:
    nobody = np.full(numbers.count, NOBODY, np.int32)
    return TaskArrays(numbers, {}, nobody, NO_COPIES, TaskOwners(nobody, NO_COPIES))


def _renumbered(copies: Copies, numbers: Indices) -> Copies:
    """Return the standby tasks with the new indices of their members. Tasks of members that have left are left out.

    `numbers` has the new index of each member, or NOBODY if the member has left.
    """
    members = numbers[copies.members]
    return Copies(copies.tasks, members).where(members != NOBODY)


def changed_targets(
    arrays: TaskArrays, joined: Iterable[int], found: TaskOwners, before: Mapping[MemberId, Tasks]
) -> dict[MemberId, Tasks]:
    """Return the new target of each member whose target has changed.

    Args:
        arrays: Group with its previous targets.
        joined: Indices of the members that have joined since the last assignment.
        found: New target assignment.
        before: Previous target of each member.
    """
    affected = _affected(arrays, found).union(joined)
    is_affected = np.zeros(len(arrays.members) + 1, np.bool_)
    is_affected[list(affected)] = True
    active = _by_member(arrays.numbers, np.arange(len(found.active)), found.active, is_affected)
    standby = _by_member(arrays.numbers, *found.standbys, is_affected)
    ids = list(arrays.members)
    targets = {
        ids[number]: Tasks(frozenset(active.get(number, ())), frozenset(standby.get(number, ())))
        for number in sorted(affected)
    }
    return {member_id: target for member_id, target in targets.items() if before.get(member_id) != target}


def _affected(arrays: TaskArrays, found: TaskOwners) -> set[int]:
    """Return the indices of the members that gain or lose a task."""
    had = arrays.targets
    moved = np.flatnonzero(had.active != found.active)
    count = len(arrays.members)
    copies = np.setxor1d(_keys(had.standbys, count), _keys(found.standbys, count), assume_unique=True) % max(count, 1)
    return {*had.active[moved].tolist(), *found.active[moved].tolist(), *copies.tolist()} - {NOBODY}


def _keys(standbys: Copies, members: int) -> Counts:
    """Return one integer for each pair of standby task and member, different for all pairs.

    `members` is the number of members in the group.
    """
    return standbys.tasks.astype(np.int64) * members + standbys.members


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
