"""Assignor of the tasks of streams groups: balanced, and with as few moves as balance allows (rule 5.2, point 8).

An active task goes to the member that had it, else to a member that has a copy of its state, else to the process with
the least load. A member that has reached its quota gets no task by the first two preferences. A stateful task has as
many standby tasks as the group has standby replicas. They go to other processes than the active task, in the same order
of preference. The load of a process is its number of tasks divided by its number of members.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from tenure.assignors.priority_queue import PriorityQueue

Task: TypeAlias = tuple[str, int]
"""Subtopology id and partition number."""


class Subtopology(NamedTuple):
    """Subtopology with tasks 0, 1, 2, ... Only a stateful one, which has changelog topics, gets standby tasks."""

    name: str
    tasks: int
    is_stateful: bool


class TaskMember(NamedTuple):
    """Streams member with the tasks of its previous target assignment."""

    process_id: str
    active: frozenset[Task] = frozenset()
    copies: frozenset[Task] = frozenset()
    """Standby and warm-up tasks of the previous target."""
    offsets: Mapping[Task, int] = {}
    """Sum of the changelog offsets of each task whose state is on the member's disk, as last reported."""


@dataclass(slots=True)
class AssignedMember:
    active: set[Task] = field(default_factory=set)
    standby: set[Task] = field(default_factory=set)

    @property
    def count(self) -> int:
        return len(self.active) + len(self.standby)


class _Process:
    """Members of one process, and the tasks of them all."""

    def __init__(self) -> None:
        self.members: Final[dict[str, AssignedMember]] = {}
        self.tasks: Final[set[Task]] = set()
        self._by_load: PriorityQueue[str] | None = None
        """Members by number of tasks; None if it has to be built again."""
        self._count = 0

    @property
    def load(self) -> float:
        return self._count / len(self.members)

    def add(self, member_id: str, task: Task, *, is_active: bool) -> int:
        """Assign a task to a member of this process. Return the member's number of tasks."""
        self._by_load = None
        return self._add(member_id, task, is_active=is_active)

    def add_to_least_loaded(self, task: Task, *, is_active: bool) -> int:
        by_load = self._by_load
        if by_load is None:
            by_load = self._by_load = PriorityQueue()
            for name, member in self.members.items():
                by_load.add(member.count, name)
        _, member_id = by_load.poll()
        count = self._add(member_id, task, is_active=is_active)
        by_load.add(count, member_id)
        return count

    def _add(self, member_id: str, task: Task, *, is_active: bool) -> int:
        member = self.members[member_id]
        (member.active if is_active else member.standby).add(task)
        self.tasks.add(task)
        self._count += 1
        return member.count


class _Quota:
    """Limit on the tasks of one member, in `share`.

    The share is the number of tasks divided by the number of members, rounded up. Members that have reached it, and
    their tasks, are left out of both numbers.
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


def _share(tasks: int, members: int) -> int:
    return -(-tasks // members) if members else 0


class _Assignment:
    def __init__(self, members: Mapping[str, TaskMember], subtopologies: Sequence[Subtopology], standbys: int) -> None:
        active = sum(each.tasks for each in subtopologies)
        copies = standbys * sum(each.tasks for each in subtopologies if each.is_stateful)
        self._active_quota: Final = _Quota(active, len(members))
        self._quota: Final = _Quota(active + copies, len(members))
        self._process_of: Final[dict[str, _Process]] = {}
        self._active_before: Final[dict[Task, str]] = {}
        self._copies_before: Final[dict[Task, list[str]]] = {}
        self.processes: Final[dict[str, _Process]] = {}
        candidates: dict[Task, list[tuple[int, int, str]]] = {}
        for member_id, member in members.items():
            process = self.processes.setdefault(member.process_id, _Process())
            process.members[member_id] = AssignedMember()
            self._process_of[member_id] = process
            self._active_before.update(dict.fromkeys(member.active, member_id))
            for task in member.copies | member.offsets.keys():
                rank = (task not in member.copies, -member.offsets.get(task, 0), member_id)
                candidates.setdefault(task, []).append(rank)
        for task, ranked in candidates.items():
            ranked.sort(key=lambda rank: rank[:2])
            self._copies_before[task] = [member_id for _, _, member_id in ranked]

    def assign_active(self, tasks: Iterable[Task]) -> None:
        left = sorted(tasks, key=_by_partition)
        left = self._give_back(left, lambda task: self._active_before.get(task))
        left = self._give_back(left, self._least_loaded_copy)
        by_load = self._by_load()
        for task in sorted(left):
            self._count(_give_to_least_loaded(by_load, task, is_active=True), is_active=True)

    def _give_back(self, tasks: Iterable[Task], preferred: Callable[[Task], str | None]) -> list[Task]:
        """Assign each active task to its preferred member, unless that member has reached the quota.

        `preferred` returns the member for a task, or None. Return the tasks that are still unassigned.
        """
        left = []
        for task in tasks:
            member_id = preferred(task)
            if member_id is None or self._members_count(member_id) >= self._active_quota.share:
                left.append(task)
            else:
                self._count(self._process_of[member_id].add(member_id, task, is_active=True), is_active=True)
        return left

    def assign_standbys(self, tasks: Iterable[Task], replicas: int) -> None:
        left: list[tuple[Task, int]] = []
        for task in sorted(tasks, key=_by_partition, reverse=True):
            missing = replicas
            while missing and (member_id := self._with_room(task)) is not None:
                self._count(self._process_of[member_id].add(member_id, task, is_active=False), is_active=False)
                missing -= 1
            if missing:
                left.append((task, missing))
        by_load = self._by_load()
        for task, missing in sorted(left, reverse=True):
            for _ in range(missing):
                count = _give_to_least_loaded(by_load, task, is_active=False)
                if not count:
                    break
                self._count(count, is_active=False)

    def _with_room(self, task: Task) -> str | None:
        """Return a member that had the task in any role, and that can get it as a standby task; None if there is none.

        The member is below the quota, and its process does not have the task.
        """
        for member_id in (self._active_before.get(task), self._least_loaded_copy(task, is_standby=True)):
            if (
                member_id is not None
                and task not in self._process_of[member_id].tasks
                and self._members_count(member_id) < self._quota.share
            ):
                return member_id
        return None

    def _least_loaded_copy(self, task: Task, *, is_standby: bool = False) -> str | None:
        """Return the least loaded member with a copy of the task's state; None if there is none.

        Members with a standby or warm-up task come first, then those with the highest offsets. As in Kafka, a later
        member is chosen instead of an earlier one only if the later member has fewer tasks and its process has less
        load. With `is_standby`, members are left out if their process has the task.
        """
        best: tuple[float, int, str] | None = None
        for member_id in self._copies_before.get(task, ()):
            process = self._process_of[member_id]
            if is_standby and task in process.tasks:
                continue
            load, count = process.load, self._members_count(member_id)
            if best is None or (load < best[0] and count < best[1]):
                best = (load, count, member_id)
        return None if best is None else best[2]

    def _members_count(self, member_id: str) -> int:
        return self._process_of[member_id].members[member_id].count

    def _count(self, tasks: int, *, is_active: bool) -> None:
        if is_active:
            self._active_quota.note(tasks)
        self._quota.note(tasks)

    def _by_load(self) -> PriorityQueue[_Process]:
        queue: PriorityQueue[_Process] = PriorityQueue()
        for process in self.processes.values():
            queue.add(process.load, process)
        return queue


def _give_to_least_loaded(by_load: PriorityQueue[_Process], task: Task, *, is_active: bool) -> int:
    """Assign a task to a member of the least loaded process that does not have the task.

    Return the member's number of tasks; 0 if all processes have the task already.
    """
    passed = []
    count = 0
    while len(by_load) and not count:
        _, process = by_load.poll()
        passed.append(process)
        if task not in process.tasks:
            count = process.add_to_least_loaded(task, is_active=is_active)
    for process in reversed(passed):
        by_load.add(process.load, process)
    return count


def _by_partition(task: Task) -> tuple[int, str]:
    return task[1], task[0]


def assign(
    members: Mapping[str, TaskMember], subtopologies: Sequence[Subtopology], standbys: int
) -> dict[str, AssignedMember]:
    """Return the tasks of each member. All active tasks are assigned, and as many standby tasks as processes allow."""
    if not members:
        return {}
    assignment = _Assignment(members, subtopologies, standbys)
    assignment.assign_active((each.name, at) for each in subtopologies for at in range(each.tasks))
    if standbys:
        stateful = ((each.name, at) for each in subtopologies if each.is_stateful for at in range(each.tasks))
        assignment.assign_standbys(stateful, standbys)
    return {name: member for process in assignment.processes.values() for name, member in process.members.items()}
