"""Sticky assignor (rule 7.9): balanced, and members keep their partitions where possible.

`claims.py` finds the present owner of each partition, and `partition_shares.py` the number of partitions that each
member gets. This module selects the partitions. A member with too many partitions of a kind releases those with the
highest numbers in any topic, so that it keeps partitions of all topics. Free partitions are distributed in turn, topic
by topic.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tenure.assignors.claims import true_owners
from tenure.assignors.group import NOBODY, Counts, Group, Indices
from tenure.assignors.partition_kinds import Kinds, kinds_of
from tenure.assignors.partition_shares import shares_of
from tenure.assignors.ranks import ranks_of_sorted

RELEASE_STRETCH_CELLS: Final = 4
"""Factor for the size of the first array that `_last_first` yields; each array is twice as large as the one before.

The first array has as many partitions as this factor times the number of kinds times the number of members.
"""


def assign(group: Group) -> Indices:
    """Return the new owner of each partition. The present owners follow from the claims of the members.

    Unlike the cooperative assignor, this one may give a partition to another member at once: the members use the eager
    protocol and revoke all partitions before they join.
    """
    return reassign(group, true_owners(group.claims, group.partition_count))


def reassign(group: Group, owners: Indices) -> Indices:
    """Return the new owner of each partition. `owners` has the present owner of each partition, or NOBODY."""
    if group.member_count == 0:
        return owners
    kinds = kinds_of(group)
    owners = _of_subscribers(group, kinds, owners)
    owned = kinds.owned(owners)
    shares = shares_of(kinds, owned)
    after = owners.copy()
    for partitions in _released(group, kinds, owners, np.maximum(owned - shares, 0)):
        after[partitions] = NOBODY
    _distribute(kinds, after, np.maximum(shares - owned, 0))
    return after


def _of_subscribers(group: Group, kinds: Kinds, owners: Indices) -> Indices:
    if group.same_subscriptions:
        return owners
    still = (owners != NOBODY) & kinds.wanted[kinds.of_partitions, owners]
    return np.where(still, owners, np.int32(NOBODY))


def _released(group: Group, kinds: Kinds, owners: Indices, surplus: Counts) -> Iterator[Indices]:
    """Yield partitions that their owners must release, highest numbers first.

    `surplus` is the number of partitions to release, by kind and member; it is reduced to 0 in place.
    """
    stretches = _last_first(group, surplus.size)
    cell_surplus = surplus.reshape(-1)
    while surplus.any():
        partitions = next(stretches)
        is_over = np.append(surplus.any(axis=0), False)  # the last one is for NOBODY, -1
        partitions = partitions[is_over.take(owners.take(partitions))]
        cells = kinds.cells(partitions, owners[partitions])
        order = np.argsort(cells, kind="stable")
        partitions, cells = partitions[order], cells[order]
        gone = ranks_of_sorted(cells) < cell_surplus[cells]
        cell_surplus -= np.bincount(cells[gone], minlength=surplus.size)
        yield partitions[gone]


def _last_first(group: Group, cell_count: int) -> Iterator[Indices]:
    """Yield all partitions by descending partition number, in arrays of growing size.

    The caller usually needs only the first arrays. `cell_count` is the number of kinds times the number of members.
    """
    counts, first = group.partition_counts[::-1], group.first_partition[-2::-1]
    high, stretch = int(counts.max()), RELEASE_STRETCH_CELLS * cell_count
    while high:
        low = max(0, high - max(1, stretch // len(counts)))
        numbers = np.arange(high - 1, low - 1, -1)[:, np.newaxis]
        yield (first + numbers)[numbers < counts].astype(np.int32)
        high, stretch = low, 2 * stretch


def _distribute(kinds: Kinds, owners: Indices, lacking: Counts) -> None:
    """Give the partitions without an owner to members, by changing `owners` in place.

    `lacking` has the number of partitions that each member still has to get, by kind and member.
    """
    free = np.flatnonzero(owners == NOBODY)
    if kinds.is_one:
        ends = np.array([0, len(free)])
    else:
        free = free[np.argsort(kinds.of_partitions[free], kind="stable")]
        ends = np.searchsorted(kinds.of_partitions[free], np.arange(len(kinds.sizes) + 1))
    for kind in np.flatnonzero(lacking.any(axis=1)):
        owners[free[ends[kind] : ends[kind + 1]]] = _round_robin(lacking[kind])


def _round_robin(lacking: Counts) -> Indices:
    """Return members in turn (a, b, c, a, b, ...). Each member occurs as often as `lacking` says for it."""
    members = np.repeat(np.arange(len(lacking), dtype=np.int32), lacking)
    turns = ranks_of_sorted(members.astype(np.int64))
    return members[np.argsort(turns, kind="stable")]
