"""Number of partitions or tasks whose owner has changed between two assignments of a group."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from tenure.coordinator.groups.consumer.member import NO_TARGET
from tenure.coordinator.groups.journal.entries import Moves
from tenure.coordinator.groups.streams.tasks import NO_TARGET as NO_TASKS
from tenure.coordinator.groups.streams.tasks import Tasks
from tenure.limits.coordinator import JOURNAL_ASSIGNMENT_BYTES_MAX, JOURNAL_PARTITIONS_MAX
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import PartitionId, TopicId

Owned = Mapping[str, bytes]
"""Assignment by instance id or, for a dynamic member, by member id."""

Partition = TypeVar("Partition", bound=Hashable)


def moves(before: Owned, after: Owned) -> Moves | None:
    """Return the number of moved partitions; None if the assignments are too large or cannot be decoded."""
    changed = [seat for seat in before.keys() | after.keys() if before.get(seat, b"") != after.get(seat, b"")]
    size = sum(len(before.get(seat, b"")) + len(after.get(seat, b"")) for seat in changed)
    if size > JOURNAL_ASSIGNMENT_BYTES_MAX:
        return None
    try:
        old = _seats({seat: before.get(seat, b"") for seat in changed})
        new = _seats({seat: after.get(seat, b"") for seat in changed})
    except MalformedMessage:
        return None
    return _count_moves(old, new)


def target_moves(before: Mapping[str, TargetAssignment], after: Mapping[str, TargetAssignment]) -> Moves | None:
    """Return the number of moved partitions of a consumer group; None if there are too many targets to count them."""
    seats = before.keys() | after.keys()
    changed = [seat for seat in seats if before.get(seat, NO_TARGET) != after.get(seat, NO_TARGET)]
    size = sum(of.get(seat, NO_TARGET).partition_count for of in (before, after) for seat in changed)
    if size > JOURNAL_PARTITIONS_MAX:
        return None
    return _count_moves(_targets(before, changed), _targets(after, changed))


def task_moves(before: Mapping[str, Tasks], after: Mapping[str, Tasks]) -> Moves | None:
    """Return the number of moved active tasks of a streams group; None if there are too many targets to count them."""
    seats = before.keys() | after.keys()
    changed = [seat for seat in seats if before.get(seat, NO_TASKS).active != after.get(seat, NO_TASKS).active]
    if sum(len(of.get(seat, NO_TASKS).active) for of in (before, after) for seat in changed) > JOURNAL_PARTITIONS_MAX:
        return None
    old, new = ({task: seat for seat in changed for task in of.get(seat, NO_TASKS).active} for of in (before, after))
    return _count_moves(old, new)


def _count_moves(old: Mapping[Partition, str], new: Mapping[Partition, str]) -> Moves:
    moved = sum(new.get(partition, seat) != seat for partition, seat in old.items())
    return Moves(moved, len(new.keys() - old.keys()), len(old.keys() - new.keys()))


def _targets(owned: Mapping[str, TargetAssignment], seats: list[str]) -> dict[tuple[TopicId, PartitionId], str]:
    return {
        (topic_id, partition): seat
        for seat in seats
        for topic_id, partitions in owned.get(seat, NO_TARGET).items()
        for partition in partitions
    }


def _seats(owned: Owned) -> dict[tuple[str, int], str]:
    return {
        (topic.topic, partition): seat
        for seat, assignment in owned.items()
        if assignment
        for topic in decode_assignment(assignment).assigned_partitions
        for partition in topic.partitions
    }
