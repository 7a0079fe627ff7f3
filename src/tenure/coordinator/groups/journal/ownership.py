"""How many partitions changed hands between two assignments of a group of consumers."""

from collections.abc import Mapping

from tenure.coordinator.groups.journal.entries import Moves
from tenure.limits import JOURNAL_ASSIGNMENT_BYTES_MAX
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.message import MalformedMessage

Owned = Mapping[str, bytes]
"""Assignment by seat: a static member's instance id, a dynamic one's member id."""


def moves(before: Owned, after: Owned) -> Moves | None:
    """Seats whose bytes are the same are not decoded. None: some cannot be read, or are too many to read in passing."""
    changed = [seat for seat in before.keys() | after.keys() if before.get(seat, b"") != after.get(seat, b"")]
    size = sum(len(before.get(seat, b"")) + len(after.get(seat, b"")) for seat in changed)
    if size > JOURNAL_ASSIGNMENT_BYTES_MAX:
        return None
    try:
        old = _seats({seat: before.get(seat, b"") for seat in changed})
        new = _seats({seat: after.get(seat, b"") for seat in changed})
    except MalformedMessage:
        return None
    moved = sum(new.get(partition, seat) != seat for partition, seat in old.items())
    return Moves(moved, len(new.keys() - old.keys()), len(old.keys() - new.keys()))


def _seats(owned: Owned) -> dict[tuple[str, int], str]:
    return {
        (topic.topic, partition): seat
        for seat, assignment in owned.items()
        if assignment
        for topic in decode_assignment(assignment).assigned_partitions
        for partition in topic.partitions
    }
