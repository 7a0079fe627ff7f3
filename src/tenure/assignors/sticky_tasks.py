"""Assignor of the tasks of streams groups: balanced, and with as few moves as balance allows (rule 5.2, point 8).

An active task goes to the member that had it, else to a member that has a copy of its state, else to the process with
the least load. A member that has reached its quota gets no task by the first two preferences. A stateful task has as
many standby tasks as the group has standby replicas. They go to other processes than the active task, in the same order
of preference. The load of a process is its number of tasks divided by its number of members.

Tasks, members and processes are represented by numbers. Most tasks stay with their members. They are handled all at
once, with arrays. The other tasks are handled one by one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Indices, no_indices
from tenure.assignors.priority_queue import PriorityQueue
from tenure.assignors.ranks import ranks
from tenure.assignors.task_loads import Loads, Quota

RUN_MIN: Final = 32
"""Least number of consecutive standby tasks that are assigned together: a loop is faster for fewer."""


class Copies(NamedTuple):
    """Copies of the state of tasks: one row for each task and member that has a copy of it."""

    tasks: Counts | Indices
    members: Indices

    def by_task(self) -> dict[int, list[int]]:
        """Return the members of each task that has a copy, in the order of the rows."""
        found: dict[int, list[int]] = {}
        for task, member in zip(self.tasks.tolist(), self.members.tolist(), strict=True):
            found.setdefault(task, []).append(member)
        return found

    def where(self, is_wanted: Flags) -> "Copies":
        """Return the rows for which the mask `is_wanted` is True."""
        return Copies(self.tasks[is_wanted], self.members[is_wanted])


NO_COPIES: Final = Copies(no_indices(), no_indices())


def together(parts: Sequence[Copies]) -> Copies:
    """Concatenate the rows of several `Copies`. `parts` must not be empty."""
    tasks, members = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Copies(tasks, members)


FindCopies: TypeAlias = Callable[[Counts | Indices], Copies]
"""Function that returns the copies of the state of the given tasks.

The rows of each task are sorted: members with a standby or warm-up task come first, then members with a higher offset,
then members with a lower number.
"""


class Subtopology(NamedTuple):
    """Subtopology with tasks 0, 1, 2, ... Only a stateful one, which has changelog topics, gets standby tasks."""

    name: str
    tasks: int
    is_stateful: bool


class TaskNumbers:
    """Numbers of the tasks of a topology: ascending by subtopology, then by partition."""

    def __init__(self, subtopologies: Sequence[Subtopology]) -> None:
        """Assign numbers to tasks. `subtopologies` are ascending by name."""
        self.subtopologies: Final = tuple(subtopologies)
        counts = np.array([each.tasks for each in subtopologies], np.int64)
        firsts = np.cumsum(counts) - counts
        self.count: Final = int(counts.sum())
        self.first: Final = dict(zip((each.name for each in subtopologies), firsts.tolist(), strict=True))
        """Number of the first task of each subtopology."""
        partitions = np.arange(self.count) - np.repeat(firsts, counts)
        self.by_partition: Final = np.argsort(partitions, kind="stable")
        """Tasks, ascending by partition, then by subtopology."""
        self.is_stateful: Final = np.repeat(np.array([each.is_stateful for each in subtopologies], np.bool_), counts)
        self._counts: Final = {each.name: each.tasks for each in subtopologies}

    def of(self, tasks: Iterable[tuple[str, int]]) -> list[int]:
        """Return the number of each task, given as (subtopology, partition). Tasks that do not exist are left out."""
        first, counts = self.first, self._counts
        return [first[name] + partition for name, partition in tasks if 0 <= partition < counts.get(name, 0)]

    def by_number(self, values: Iterable[tuple[tuple[str, int], int]]) -> dict[int, int]:
        """Convert pairs (task, value) into a dict from task number to value. Tasks that do not exist are left out."""
        first, counts = self.first, self._counts
        return {
            first[name] + partition: value
            for (name, partition), value in values
            if 0 <= partition < counts.get(name, 0)
        }


@dataclass(frozen=True)
class TaskGroup:
    """Streams group whose tasks are to be assigned. Members are numbered in ascending order of their ids."""

    numbers: TaskNumbers
    processes: Indices
    """Process of each member. Processes are numbered in the order of their first members."""
    owners: Indices
    """Member that has each active task now, or NOBODY."""
    find_copies: FindCopies


class TaskOwners(NamedTuple):
    """Result of the assignor: the member of each active task, and the standby tasks."""

    active: Indices
    """Index of the member that has each active task, or NOBODY."""
    standbys: Copies
    """Standby tasks, in no particular order."""


class _Missing(NamedTuple):
    """Standby tasks of one task that are left over, because no member with a copy of its state can get them."""

    task: int
    number: int
    processes: list[int]
    """Processes that have the task."""


def _long_runs(interrupts: Flags) -> list[tuple[int, int]]:
    """Return (start, end) of each run of False elements that has at least RUN_MIN elements."""
    ends = np.flatnonzero(np.append(interrupts, True))
    starts = np.append(0, ends[:-1] + 1)
    is_long = ends - starts >= RUN_MIN
    return list(zip(starts[is_long].tolist(), ends[is_long].tolist(), strict=True))


class _Assignment:
    def __init__(self, group: TaskGroup, standbys: int) -> None:
        self._group: Final = group
        self._standbys: Final = standbys
        tasks, members = group.numbers.count, len(group.processes)
        copies = standbys * int(group.numbers.is_stateful.sum())
        self._active_quota: Final = Quota(tasks, members)
        self._quota: Final = Quota(tasks + copies, members)
        self.owners: Final = np.full(tasks, NOBODY, np.int32)
        self._standby_pairs: Final[list[tuple[int, int]]] = []
        """(task, member) of standby tasks that were assigned one by one."""
        self._standby_runs: Final[list[Copies]] = []
        """Standby tasks that were assigned together."""
        self._keep_active()
        self._loads: Final = Loads(group.processes, self.owners)

    def _keep_active(self) -> None:
        """Leave active tasks with their members, up to the quota."""
        tasks = self._group.numbers.by_partition
        members = self._group.owners[tasks]
        tasks, members = tasks[members != NOBODY], members[members != NOBODY]
        counts = ranks(members)
        keeps = self._active_quota.update_all(counts)
        if self._standbys:
            self._quota.update_all(counts[keeps])
        self.owners[tasks[keeps]] = members[keeps]

    def assign_active(self) -> None:
        """Assign the active tasks that no member keeps."""
        loads, by_partition = self._loads, self._group.numbers.by_partition
        free = by_partition[self.owners[by_partition] == NOBODY]
        if not len(free):
            return
        copies = self._group.find_copies(free).by_task()
        left = []
        for task in free.tolist():
            member = self._least_loaded(copies.get(task, ()))
            if member == NOBODY or loads.of_members[member] >= self._active_quota.share:
                left.append(task)
            else:
                self.owners[task] = member
                self._count_active(loads.add(member))
        if not left:
            return
        by_load = loads.by_load()
        for task in sorted(left):
            self.owners[task], count = _give_to_least_loaded(loads, by_load, ())
            self._count_active(count)

    def _count_active(self, count: int) -> None:
        self._active_quota.update(count)
        self._quota.update(count)

    def assign_standbys(self) -> None:
        """Assign standby tasks to members that have a copy, up to the quota, then the others to any members.

        A long run of tasks that have at most one candidate each is assigned at once.
        """
        processes, before = self._group.processes, self._group.owners
        tasks = self._group.numbers.by_partition[::-1]
        tasks = tasks[self._group.numbers.is_stateful[tasks]]
        copies = self._group.find_copies(tasks)
        copies = copies.where(processes[copies.members] != processes[self.owners[copies.tasks]])
        has_choice = (before != NOBODY) & (processes[before] != processes[self.owners])
        has_choice |= np.bincount(copies.tasks, minlength=len(before)) > 1
        runs = _long_runs(has_choice[tasks]) if self._standbys == 1 else []
        is_alone = np.ones(len(before), np.bool_)
        for start, end in runs:
            is_alone[tasks[start:end]] = False
        only_copy = np.full(len(before), NOBODY, np.int32)
        only_copy[copies.tasks] = copies.members
        copies_of = copies.where(is_alone[copies.tasks]).by_task()
        left: list[_Missing] = []
        at = 0
        for start, end in (*runs, (len(tasks), len(tasks))):
            left += self._assign_one_by_one(tasks[at:start], copies_of)
            left += self._assign_run(tasks[start:end], only_copy[tasks[start:end]])
            at = end
        if left:
            self._give_standbys(left)

    def _assign_run(self, tasks: Counts | Indices, members: Indices) -> list[_Missing]:
        """Assign one standby task for each of `tasks`; return the standby tasks that are still missing.

        `members` has, for each task, the only member with a copy of its state, or NOBODY.
        """
        has_copy = np.flatnonzero(members != NOBODY)
        keeps = np.zeros(len(tasks), np.bool_)
        keeps[has_copy] = self._quota.update_all(self._loads.ranks_of(members[has_copy]))
        self._loads.add_all(members[keeps])
        self._standby_runs.append(Copies(tasks[keeps], members[keeps]))
        return [_Missing(task, 1, [self._process_of_active(task)]) for task in tasks[~keeps].tolist()]

    def _assign_one_by_one(self, tasks: Counts | Indices, copies: Mapping[int, Sequence[int]]) -> list[_Missing]:
        """Assign standby tasks to members that have a copy; return the standby tasks that are still missing."""
        left: list[_Missing] = []
        for task in tasks.tolist():
            processes = [self._process_of_active(task)]
            before = int(self._group.owners[task])
            while len(processes) <= self._standbys:
                member = self._with_room(before, copies.get(task, ()), processes)
                if member == NOBODY:
                    left.append(_Missing(task, self._standbys + 1 - len(processes), processes))
                    break
                self._add_standby(task, member, self._loads.add(member), processes)
        return left

    def _process_of_active(self, task: int) -> int:
        return self._loads.process_of[int(self.owners[task])]

    def _add_standby(self, task: int, member: int, count: int, processes: list[int]) -> None:
        """Record that a member has got a standby task, and has `count` tasks now."""
        self._standby_pairs.append((task, member))
        self._quota.update(count)
        processes.append(self._loads.process_of[member])

    def _give_standbys(self, left: list[_Missing]) -> None:
        """Assign the missing standby tasks to the least loaded processes."""
        loads, by_load = self._loads, self._loads.by_load()
        for task, missing, processes in sorted(left, reverse=True):
            for _ in range(missing):
                member, count = _give_to_least_loaded(loads, by_load, processes)
                if member == NOBODY:
                    break
                self._add_standby(task, member, count, processes)

    def result(self) -> TaskOwners:
        pairs = np.array(self._standby_pairs, np.int32).reshape(-1, 2)
        return TaskOwners(self.owners, together([Copies(pairs[:, 0], pairs[:, 1]), *self._standby_runs]))

    def _with_room(self, before: int, copies: Sequence[int], processes: Sequence[int]) -> int:
        """Return a member that had the task, in any role, and can get it as a standby task; NOBODY if there is none.

        A member can get it if it is below the quota, and its process does not have the task.

        Args:
            before: Member that had the active task, or NOBODY.
            copies: Members with a copy of the state.
            processes: Processes that have the task.
        """
        loads, share = self._loads, self._quota.share
        if before != NOBODY and loads.process_of[before] not in processes and loads.of_members[before] < share:
            return before
        member = self._least_loaded([each for each in copies if loads.process_of[each] not in processes])
        return member if member != NOBODY and loads.of_members[member] < share else NOBODY

    def _least_loaded(self, members: Sequence[int]) -> int:
        """Return the least loaded of some members; NOBODY if there are none.

        As in Kafka, a later member is chosen instead of an earlier one only if the later member has fewer tasks and its
        process has less load.
        """
        if not members:
            return NOBODY
        best, *others = members
        loads = self._loads
        for member in others:
            has_less = loads.of_process(loads.process_of[member]) < loads.of_process(loads.process_of[best])
            if has_less and loads.of_members[member] < loads.of_members[best]:
                best = member
        return best


def _give_to_least_loaded(loads: Loads, by_load: PriorityQueue[int], excluded: Collection[int]) -> tuple[int, int]:
    """Give a task to a member of the least loaded process that is not excluded.

    Return the member, and its number of tasks; NOBODY and 0 if all processes are excluded.
    """
    passed = []
    found = NOBODY, 0
    while len(by_load) and found[0] == NOBODY:
        _, process = by_load.poll()
        passed.append(process)
        if process not in excluded:
            found = loads.add_to_least_loaded(process)
    for process in reversed(passed):
        by_load.add(loads.of_process(process), process)
    return found


def assign(group: TaskGroup, standbys: int) -> TaskOwners:
    """Return the member of each task. All active tasks are assigned, and as many standby tasks as processes allow."""
    if not len(group.processes):
        return TaskOwners(np.full(group.numbers.count, NOBODY, np.int32), NO_COPIES)
    assignment = _Assignment(group, standbys)
    assignment.assign_active()
    if standbys:
        assignment.assign_standbys()
    return assignment.result()
