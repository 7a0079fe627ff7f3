"""Encoded assignments of all members of a group, which the leader keeps for its next assignment.

Most members of a large group keep their partitions when a member joins or leaves. Only the assignments of the others
are encoded again.
"""

from collections.abc import Sequence
from itertools import repeat
from typing import Final, NamedTuple

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Indices
from tenure.protocol.columnar.assignments import encode_assignments
from tenure.protocol.messages import SyncGroupRequestAssignment
from tenure.protocol.types import MemberId

NO_ASSIGNMENT: Final = SyncGroupRequestAssignment()


class EncodedAssignments(NamedTuple):
    """Owners of all partitions, and the encoded assignments that follow from them. Immutable."""

    places: dict[MemberId, int]
    """Index of each member in `assignments`."""
    layout: list[tuple[str, int]]
    """Topics and their numbers of partitions, in the order of `owners`."""
    owners: Indices
    """Index of the member that owns each partition, or NOBODY."""
    assignments: list[SyncGroupRequestAssignment]
    """Encoded assignment of each member."""


def places_in(before: EncodedAssignments | None, member_ids: Sequence[MemberId]) -> Indices:
    """Return the index of each member in the assignments of `before`; NOBODY for new members."""
    places = {} if before is None else before.places
    return np.fromiter(map(places.get, member_ids, repeat(NOBODY)), np.int32, len(member_ids))


def encode_changed(
    owners: Indices,
    member_ids: Sequence[MemberId],
    old_places: Indices,
    names: Sequence[str],
    partitions: Counts,
    before: EncodedAssignments | None,
) -> EncodedAssignments:
    """Return the encoded assignments of all members. Those that are the same as in `before` are not encoded again.

    Args:
        owners: Owner of each partition: an index in `member_ids`, or NOBODY. Partitions are ordered by topic, then by
            number.
        member_ids: All members.
        old_places: Index of each member in the assignments of `before`; NOBODY for new members.
        names: Topic names, ascending.
        partitions: Number of partitions of each topic.
        before: Assignments of an earlier generation, if there are any.
    """
    layout = list(zip(names, partitions.tolist(), strict=True))
    if before is None or before.layout != layout:
        before = EncodedAssignments({}, layout, np.full_like(owners, NOBODY), [])
        old_places = np.full_like(old_places, NOBODY)
    count = len(member_ids)
    # In the following arrays, the last element is for NOBODY, -1.
    new_places = np.full(len(before.assignments) + 1, NOBODY, np.int32)
    new_places[old_places] = np.arange(count)
    new_places[NOBODY] = NOBODY
    had = new_places.take(before.owners)
    moved = np.flatnonzero(owners != had)
    is_changed = np.append(old_places == NOBODY, False)
    is_changed[had[moved]] = is_changed[owners[moved]] = True
    changed = np.flatnonzero(is_changed[:-1])
    numbers = np.full(count + 1, NOBODY, np.int32)
    numbers[changed] = np.arange(len(changed))

    encoded = encode_assignments(numbers.take(owners), len(changed), names, partitions)
    known = [*before.assignments, NO_ASSIGNMENT]
    assignments = [known[place] for place in old_places.tolist()]
    for place, data in zip(changed.tolist(), encoded, strict=True):
        assignments[place] = SyncGroupRequestAssignment(member_ids[place], data)
    return EncodedAssignments(dict(zip(member_ids, range(count), strict=True)), layout, owners, assignments)
