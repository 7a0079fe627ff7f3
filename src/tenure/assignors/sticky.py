"""The sticky assignor (rule 7.9): balanced, and what a member has it keeps if that can be.

Who has what is a matter of claims (`claims.py`), who gets how much one of shares (`shares.py`); here the two become
partitions. A member that has too many of a kind releases the last ones by number, so that what it keeps stays spread
over topics. What is free is dealt around, topic by topic.
"""

import numpy as np

from tenure.assignors.claims import true_owners
from tenure.assignors.group import NOBODY, Counts, Group, Indices
from tenure.assignors.kinds import Kinds, kinds_of
from tenure.assignors.shares import shares_of


def assign(group: Group) -> Indices:
    """The owner of each partition. Whoever had it is not waited for: members have given up everything (EAGER)."""
    return settle(group, true_owners(group.claims, group.partition_count))


def settle(group: Group, owners: Indices) -> Indices:
    """The owner of each partition, when `owners` have had them until now."""
    if group.member_count == 0:
        return owners
    kinds = kinds_of(group)
    owners = _of_subscribers(group, kinds, owners)
    owned = kinds.owned(owners)
    shares = shares_of(kinds, owned)
    owners = _release(group, kinds, owners, owned, shares)
    return _deal(kinds, owners, shares - np.minimum(shares, owned))


def _of_subscribers(group: Group, kinds: Kinds, owners: Indices) -> Indices:
    if group.same_subscriptions:
        return owners
    still = (owners != NOBODY) & kinds.wanted[kinds.of_partitions, owners]
    return np.where(still, owners, np.int32(NOBODY))


def _release(group: Group, kinds: Kinds, owners: Indices, owned: Counts, shares: Counts) -> Indices:
    """Owners keep at most their shares."""
    too_many = (owned > shares).ravel()
    if not too_many.any():
        return owners
    partitions = np.flatnonzero(owners != NOBODY).astype(np.int32)
    cells = kinds.cells(partitions, owners[partitions])
    partitions, cells = partitions[too_many[cells]], cells[too_many[cells]]
    topics = np.searchsorted(group.first_partition, partitions, side="right") - 1
    numbers = partitions - group.first_partition[topics]
    order = np.lexsort((numbers, cells))  # stable: of equal numbers the first topic comes first
    partitions, cells = partitions[order], cells[order]
    ranks = np.arange(len(cells)) - np.searchsorted(cells, cells)
    kept = owners.copy()
    kept[partitions[ranks >= shares.ravel()[cells]]] = NOBODY
    return kept


def _deal(kinds: Kinds, owners: Indices, lacking: Counts) -> Indices:
    dealt = owners.copy()
    free = np.flatnonzero(owners == NOBODY)
    if len(kinds.sizes) > 1:
        free = free[np.argsort(kinds.of_partitions[free], kind="stable")]
    ends = np.searchsorted(kinds.of_partitions[free], np.arange(len(kinds.sizes) + 1))
    for kind in np.flatnonzero(lacking.any(axis=1)):
        dealt[free[ends[kind] : ends[kind + 1]]] = _around(lacking[kind])
    return dealt


def _around(lacking: Counts) -> Indices:
    """Members, one after the other, as long as they lack something."""
    members = np.repeat(np.arange(len(lacking), dtype=np.int32), lacking)
    turns = np.arange(len(members)) - np.repeat(np.cumsum(lacking) - lacking, lacking)
    return members[np.argsort(turns, kind="stable")]
