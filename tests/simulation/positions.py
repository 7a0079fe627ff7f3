"""Committed positions, computed from commits and their answers alone (AckedOffsetSurvives, OffsetOrder).

Every commit of a simulation has a unique name in its metadata, by which its position is recognised.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.simulation.broken import Broken

GroupPartition: TypeAlias = tuple[GroupId, TopicName, PartitionId]


class Accepted(NamedTuple):
    """Accepted commit: its number and its name."""

    number: int
    name: str


class Positions:
    def __init__(self) -> None:
        self._accepted = 0
        self._numbers: dict[tuple[GroupPartition, str], int] = {}
        """Number of the last acceptance of each commit."""
        self._visible: dict[GroupPartition, Accepted] = {}
        self._acked: dict[GroupPartition, int] = {}
        """Number of the newest acknowledged commit: readers must see it or a later one."""

    def accepted(self, group_partition: GroupPartition, name: str) -> None:
        self._accepted += 1
        self._numbers[group_partition, name] = self._accepted
        self._visible[group_partition] = Accepted(self._accepted, name)

    def acked(self, group_partition: GroupPartition, name: str) -> None:
        number = self._numbers.get((group_partition, name))
        if number is not None:  # None if its topic was deleted meanwhile
            self._acked[group_partition] = max(self._acked.get(group_partition, 0), number)

    def remove(self, group_partition: GroupPartition) -> None:
        """Remove the position of a group in a partition, because its topic was deleted."""
        self._visible.pop(group_partition, None)
        self._acked.pop(group_partition, None)
        for key in [key for key in self._numbers if key[0] == group_partition]:
            del self._numbers[key]

    def check_read(self, group_partition: GroupPartition, found: str | None) -> None:
        """Check a position that a client reads, by the name of its commit; None if there is none."""
        visible = self._visible.get(group_partition)
        if found != (visible.name if visible is not None else None):
            raise Broken("OffsetOrder", f"{group_partition}: {visible} was accepted last, and {found} is there")

    def restarted(self, found: Iterable[tuple[GroupPartition, OffsetCommitValue]]) -> None:
        """Check the positions after a crash. Unacknowledged ones may be lost."""
        self._visible = {
            group_partition: Accepted(self._numbers.get((group_partition, value.metadata), 0), value.metadata)
            for group_partition, value in found
        }
        for group_partition, number in self._acked.items():
            visible = self._visible.get(group_partition)
            if visible is None or visible.number < number:
                raise Broken(
                    "AckedOffsetSurvives", f"{group_partition}: commit {number} was acknowledged, {visible} is left"
                )
