"""Tasks of a streams group: a task is the work on one partition number of a subtopology, in one of three roles.

An active task processes records. A standby task keeps a copy of the state. A warm-up task builds a copy, so that the
task can move. Only active tasks commit offsets, so only they have assignment epochs (rule 4.4).
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.protocol.types import PartitionId

Task: TypeAlias = tuple[str, PartitionId]
"""Subtopology id and partition number."""

NO_TASKS: Final[frozenset[Task]] = frozenset()


class Tasks(NamedTuple):
    """Tasks by role: a target assignment, or the tasks that a member reports as owned."""

    active: frozenset[Task] = NO_TASKS
    standby: frozenset[Task] = NO_TASKS
    warmup: frozenset[Task] = NO_TASKS

    @property
    def is_empty(self) -> bool:
        return not (self.active or self.standby or self.warmup)


class AssignedTasks(NamedTuple):
    """Tasks that a member has, or is giving up. Immutable."""

    active: Mapping[Task, int] = {}
    """Assignment epoch of each active task: the epoch in which the member got it."""
    standby: frozenset[Task] = NO_TASKS
    warmup: frozenset[Task] = NO_TASKS

    @property
    def is_empty(self) -> bool:
        return not (self.active or self.standby or self.warmup)

    def contains(self, owned: Tasks) -> bool:
        """Return whether all `owned` tasks are assigned, in the same roles."""
        return owned.active <= self.active.keys() and owned.standby <= self.standby and owned.warmup <= self.warmup

    def overlaps(self, owned: Tasks) -> bool:
        """Return whether at least one of the `owned` tasks is assigned, in the same role."""
        return bool(self.active.keys() & owned.active or self.standby & owned.standby or self.warmup & owned.warmup)


class ReportedOffsets(NamedTuple):
    """Changelog offsets that a member has reported: a sum for each task whose state is on its disk. Immutable."""

    restored: Mapping[Task, int] = {}
    """Offsets up to which the state on the disk is restored."""
    end: Mapping[Task, int] = {}
    """End offsets of the changelogs."""

    def updated(self, restored: Mapping[Task, int] | None, end: Mapping[Task, int] | None) -> "ReportedOffsets":
        """Return the offsets after a heartbeat. None keeps the offsets that were reported before."""
        return ReportedOffsets(self.restored if restored is None else restored, self.end if end is None else end)


NO_OFFSETS: Final = ReportedOffsets()
NOTHING: Final = AssignedTasks()
NO_TARGET: Final = Tasks()


def tasks_of(partitions: Iterable[tuple[str, Iterable[PartitionId]]]) -> frozenset[Task]:
    """Return the tasks of (subtopology id, partitions) pairs."""
    return frozenset([(subtopology_id, partition) for subtopology_id, numbers in partitions for partition in numbers])


def by_subtopology(tasks: Iterable[Task]) -> dict[str, list[PartitionId]]:
    """Return the partition numbers by subtopology, both ascending."""
    found: dict[str, list[PartitionId]] = {}
    for subtopology_id, partition in sorted(tasks):
        found.setdefault(subtopology_id, []).append(partition)
    return found
