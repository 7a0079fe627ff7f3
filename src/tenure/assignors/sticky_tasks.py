"""Assignor of the tasks of streams groups: balanced, and with as few moves as balance allows (rule 5.2, point 8).

An active task goes to the member that had it, else to a member that has a copy of its state, else to the process with
the least load. A member that has reached its quota gets no task by the first two preferences. A stateful task has as
many standby tasks as the group has standby replicas. They go to other processes than the active task, in the same order
of preference. The load of a process is its number of tasks divided by its number of members.

Tasks, members and processes are numbers. Most tasks stay with their members; arrays handle all of these tasks at once,
and loops only the others.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Indices, no_indices
from tenure.assignors.priority_queue import PriorityQueue
from tenure.assignors.ranks import ranks

FindCopies: TypeAlias = Callable[[Collection[int]], Mapping[int, Sequence[int]]]
"""Function that returns the members with a copy of the state of each of the given tasks.

Members with a standby or warm-up task come first, then those with the highest offsets, then those with the lowest
number. Tasks without a copy may be left out.
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
        """Return the numbers of tasks of the form (subtopology, partition); tasks that do not exist are left out."""
        first, counts = self.first, self._counts
        return [first[name] + partition for name, partition in tasks if 0 <= partition < counts.get(name, 0)]


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
    """Result of the assignor: the member of each active task, and of each standby task."""

    active: Indices
    """Member by task."""
    standby_tasks: Indices
    """Tasks with a standby, in no particular order; a task occurs as often as it has standbys."""
    standby_members: Indices
    """Members that have the standbys of `standby_tasks`."""


class _Quota:
    """Limit on the number of tasks of each member. The attribute `share` has the present limit.

    The share is the number of tasks divided by the number of members, rounded up. Members that have reached the share,
    and their tasks, are left out of both numbers. So the share never grows.
    """

    def __init__(self, tasks: int, members: int) -> None:
        self._tasks = tasks
        self._members = members
        self.share = _share(tasks, members)

    def note(self, count: int) -> None:
        """Recompute the share if a member has reached it. `count` is the member's number of tasks."""
        if count == self.share:
            self._members -= 1
            self._tasks -= count
            self.share = _share(self._tasks, self._members)

    def note_all(self, counts: Counts) -> Flags:
        """Count tasks that members want to keep. Return, for each task, whether its member is still below the share.

        `counts` has, for each task, the number of earlier tasks of the same member. The result is the same as with one
        call of `note` for each task that its member keeps, but only one step is necessary for each value of the share.
        """
        shares = np.empty_like(counts)
        start = 0
        while start < len(counts):
            shares[start:] = self.share
            reached = start + np.flatnonzero(counts[start:] == self.share - 1)
            members = self._members - np.arange(1, len(reached) + 1)
            tasks = self._tasks - self.share * np.arange(1, len(reached) + 1)
            changes = np.flatnonzero(np.where(members > 0, -(-tasks // np.maximum(members, 1)), 0) != self.share)
            last = changes[0] if len(changes) else len(reached) - 1
            if last >= 0:
                self._members, self._tasks = int(members[last]), int(tasks[last])
                self.share = _share(self._tasks, self._members)
            start = int(reached[last]) + 1 if len(changes) else len(counts)
        return counts < shares


def _share(tasks: int, members: int) -> int:
    return -(-tasks // members) if members else 0


class _Loads:
    """Number of tasks of each member and process."""

    def __init__(self, processes: Indices, owners: Indices) -> None:
        counts = np.bincount(owners[owners != NOBODY], minlength=len(processes))
        self._processes: Final = processes
        self.process_of: Final[list[int]] = processes.tolist()
        self.of_members: Final[list[int]] = counts.tolist()
        self._sizes: Final[list[int]] = np.bincount(processes).tolist()
        self._of_processes: Final[list[int]] = np.bincount(processes, weights=counts).astype(np.int64).tolist()
        self._by_count: Final[dict[int, PriorityQueue[int]]] = {}
        """Queue of the members of a process, those with the fewest tasks first.

        `add` removes the queue of the process, because it changes the order.
        """

    def of_process(self, process: int) -> float:
        return self._of_processes[process] / self._sizes[process]

    def by_load(self) -> PriorityQueue[int]:
        """Return a queue of the processes, those with the least load first."""
        loads = np.array(self._of_processes) / self._sizes
        return PriorityQueue(zip(loads.tolist(), range(len(loads)), strict=True))

    def add(self, member: int) -> int:
        """Give a task to a member. Return its number of tasks."""
        self._by_count.pop(self.process_of[member], None)
        return self._add(member)

    def add_to_least_loaded(self, process: int) -> tuple[int, int]:
        """Give a task to a member of a process. Return the member, and its number of tasks."""
        by_count = self._by_count.get(process)
        if by_count is None:
            members = np.flatnonzero(self._processes == process).tolist()
            by_count = self._by_count[process] = PriorityQueue((self.of_members[each], each) for each in members)
        _, member = by_count.poll()
        count = self._add(member)
        by_count.add(count, member)
        return member, count

    def _add(self, member: int) -> int:
        self._of_processes[self.process_of[member]] += 1
        self.of_members[member] += 1
        return self.of_members[member]


class _Assignment:
    def __init__(self, group: TaskGroup, standbys: int) -> None:
        self._group: Final = group
        self._standbys: Final = standbys
        tasks, members = group.numbers.count, len(group.processes)
        copies = standbys * int(group.numbers.is_stateful.sum())
        self._active_quota: Final = _Quota(tasks, members)
        self._quota: Final = _Quota(tasks + copies, members)
        self.owners: Final = np.full(tasks, NOBODY, np.int32)
        self.standbys: Final[list[tuple[int, int]]] = []
        """(task, member) of each standby task."""
        self._keep_active()
        self._loads: Final = _Loads(group.processes, self.owners)

    def _keep_active(self) -> None:
        """Leave active tasks with their members, up to the quota."""
        tasks = self._group.numbers.by_partition
        members = self._group.owners[tasks]
        tasks, members = tasks[members != NOBODY], members[members != NOBODY]
        counts = ranks(members)
        keeps = self._active_quota.note_all(counts)
        if self._standbys:
            self._quota.note_all(counts[keeps])
        self.owners[tasks[keeps]] = members[keeps]

    def assign_active(self) -> None:
        """Assign the active tasks that no member keeps."""
        loads, by_partition = self._loads, self._group.numbers.by_partition
        free: list[int] = by_partition[self.owners[by_partition] == NOBODY].tolist()
        if not free:
            return
        copies = self._group.find_copies(free)
        left = []
        for task in free:
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
        self._active_quota.note(count)
        self._quota.note(count)

    def assign_standbys(self) -> None:
        group, loads = self._group, self._loads
        by_partition = group.numbers.by_partition[::-1]
        tasks: list[int] = by_partition[group.numbers.is_stateful[by_partition]].tolist()
        copies = group.find_copies(tasks)
        before, owners = group.owners.tolist(), self.owners.tolist()
        left: list[tuple[int, int, list[int]]] = []
        for task in tasks:
            processes = [loads.process_of[owners[task]]]
            missing = self._standbys
            while missing:
                member = self._with_room(before[task], copies.get(task, ()), processes)
                if member == NOBODY:
                    left.append((task, missing, processes))
                    break
                self.standbys.append((task, member))
                self._quota.note(loads.add(member))
                processes.append(loads.process_of[member])
                missing -= 1
        if left:
            self._give_standbys(left)

    def _give_standbys(self, left: list[tuple[int, int, list[int]]]) -> None:
        """Assign the missing standby tasks to the least loaded processes.

        An element of `left` is (task, number of missing standby tasks, processes that have the task).
        """
        loads, by_load = self._loads, self._loads.by_load()
        for task, missing, processes in sorted(left, reverse=True):
            for _ in range(missing):
                member, count = _give_to_least_loaded(loads, by_load, processes)
                if member == NOBODY:
                    break
                self.standbys.append((task, member))
                self._quota.note(count)
                processes.append(loads.process_of[member])

    def _with_room(self, before: int, copies: Sequence[int], processes: Sequence[int]) -> int:
        """Return a member that can get a standby task and had the same task, in any role; NOBODY if there is none.

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


def _give_to_least_loaded(loads: _Loads, by_load: PriorityQueue[int], excluded: Collection[int]) -> tuple[int, int]:
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
        return TaskOwners(np.full(group.numbers.count, NOBODY, np.int32), no_indices(), no_indices())
    assignment = _Assignment(group, standbys)
    assignment.assign_active()
    if standbys:
        assignment.assign_standbys()
    pairs = np.array(assignment.standbys, np.int32).reshape(-1, 2)
    return TaskOwners(assignment.owners, pairs[:, 0], pairs[:, 1])
