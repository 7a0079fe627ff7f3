"""Committed positions, computed from commits and their answers alone (AckedOffsetSurvives, OffsetOrder).

Every commit of a simulation has a unique name in its metadata, by which its position is recognised.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.simulation.broken import Broken

Place: TypeAlias = tuple[GroupId, TopicName, PartitionId]


class Accepted(NamedTuple):
    """Accepted commit: its number and its name."""

    number: int
    name: str


class Positions:
    def __init__(self) -> None:
        self._accepted = 0
        self._numbers: dict[tuple[Place, str], int] = {}
        """Number of the last acceptance of each commit."""
        self._visible: dict[Place, Accepted] = {}
        self._acked: dict[Place, int] = {}
        """Number of the newest commit that a client knows to be applied: it or a later one is visible."""

    def accepted(self, place: Place, name: str) -> None:
        self._accepted += 1
        self._numbers[place, name] = self._accepted
        self._visible[place] = Accepted(self._accepted, name)

    def acked(self, place: Place, name: str) -> None:
        number = self._numbers.get((place, name))
        if number is not None:  # None if its topic was deleted meanwhile
            self._acked[place] = max(self._acked.get(place, 0), number)

    def forget(self, place: Place) -> None:
        """Forget the position of a deleted topic."""
        self._visible.pop(place, None)
        self._acked.pop(place, None)
        for key in [key for key in self._numbers if key[0] == place]:
            del self._numbers[key]

    def look(self, place: Place, found: str | None) -> None:
        """Check a position that a client reads, by the name of its commit; None if there is none."""
        visible = self._visible.get(place)
        if found != (visible.name if visible is not None else None):
            raise Broken("OffsetOrder", f"{place}: {visible} was accepted last, and {found} is there")

    def restarted(self, found: Iterable[tuple[Place, OffsetCommitValue]]) -> None:
        """Check the positions after a crash. Unacknowledged ones may be lost."""
        self._visible = {
            place: Accepted(self._numbers.get((place, value.metadata), 0), value.metadata) for place, value in found
        }
        for place, number in self._acked.items():
            visible = self._visible.get(place)
            if visible is None or visible.number < number:
                raise Broken("AckedOffsetSurvives", f"{place}: commit {number} was acknowledged, {visible} is left")
