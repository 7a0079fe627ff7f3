"""Number of tasks of each member and process during an assignment of tasks, and the quota of a member."""

from typing import Final

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Indices
from tenure.assignors.priority_queue import PriorityQueue
from tenure.assignors.ranks import ranks


class Quota:
    """Limit on the number of tasks of each member. The attribute `share` has the present limit.

    The share is the number of tasks divided by the number of members, rounded up. Members that have reached the share,
    and their tasks, are left out of both numbers. So the share never grows.
    """

    def __init__(self, tasks: int, members: int) -> None:
        self._tasks = tasks
        self._members = members
        self.share = _share(tasks, members)

    def update(self, count: int) -> None:
        """Recompute the share if a member that now has `count` tasks has reached it."""
        if count == self.share:
            self._members -= 1
            self._tasks -= count
            self.share = _share(self._tasks, self._members)

    def update_all(self, counts: Counts) -> Flags:
        """Return, for each of many tasks, whether its member may keep it, because the member is below the share.

        `counts` has, for each task, the number of earlier tasks of the same member. The result is the same as with one
        call of `update` for each kept task. This method is faster, because it loops only over the values of the share.
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


class Loads:
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

        `add` and `add_all` remove the queues of the processes whose order they change.
        """

    def of_process(self, process: int) -> float:
        return self._of_processes[process] / self._sizes[process]

    def by_load(self) -> PriorityQueue[int]:
        """Return a queue of the processes, those with the least load first."""
        loads = np.array(self._of_processes) / self._sizes
        return PriorityQueue(zip(loads.tolist(), range(len(loads)), strict=True))

    def ranks_of(self, members: Indices) -> Counts:
        """Return, for each position in `members`, the number of tasks of the member at this position.

        The number counts the tasks that the member has now, and one task for each earlier position with the same
        member.
        """
        return np.array(self.of_members)[members] + ranks(members)

    def add_all(self, members: Indices) -> None:
        """Give one task to each element of `members`. A member may occur several times."""
        more = np.bincount(members, minlength=len(self.of_members))
        self.of_members[:] = (np.array(self.of_members) + more).tolist()
        of_processes = np.bincount(self._processes, weights=more).astype(np.int64)
        self._of_processes[:] = (np.array(self._of_processes) + of_processes).tolist()
        for process in np.flatnonzero(of_processes).tolist():
            self._by_count.pop(process, None)

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
