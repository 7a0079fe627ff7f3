"""Number of partitions of each kind that each member gets, its *shares*.

Goals, in this order: the best balance that the subscriptions permit (the smallest sum of differences between the
members' numbers of partitions); then as many partitions as possible in the racks of their readers; then as few moves as
possible. A partition moves if it is taken from its owner. Kafka's sticky assignors have the same goals. They stop as
soon as no reassignment of a single partition is an improvement. So they miss improvements that need two reassignments.

With one kind, the shares are a division with remainder. With several kinds, the problem is a flow from kinds to members
with convex cost. First, each kind is distributed in turn. Then exchanges of partitions between members reduce the cost
(`exchange_cycles.py`). When no exchange reduces the cost, the result is optimal. The number of exchanges is bounded. If
the search ends at this bound, the result is still complete, and close to balanced.
"""

import numpy as np

from tenure.assignors.exchange_cycles import exchange
from tenure.assignors.group import Counts, Flags
from tenure.assignors.partition_kinds import Kinds
from tenure.limits.assignors import ASSIGNOR_LEVEL_ROUNDS_MAX


def shares_of(kinds: Kinds, owned: Counts) -> Counts:
    """Return the number of partitions that each member gets, by kind and member.

    `owned` has the number of partitions that each member owns at present, also by kind and member. It counts only
    partitions to whose topics the member subscribes.
    """
    if len(kinds.sizes) == 1 and kinds.mismatch is None and kinds.wanted.all():
        return _raised(np.zeros_like(owned[0]), int(kinds.sizes[0]), owned[0])[np.newaxis]
    shares = _distribute(kinds, owned)
    _level(kinds, shares)
    exchange(kinds, owned, shares)
    return shares


def _raised(floors: Counts, units: int, preferred: Counts) -> Counts:
    """Distribute partitions over members, so that their loads become as equal as possible.

    Args:
        floors: Load of each member before the distribution.
        units: Number of partitions to distribute.
        preferred: Preference of each member. If the partitions cannot be divided equally, the members with the highest
            preferences get one partition more. Of members with equal preferences, the first ones are chosen.

    Returns:
        The number of partitions that each member gets.
    """
    order = np.argsort(floors, kind="stable")
    heights = floors[order]
    needed = np.arange(len(heights)) * heights - np.concatenate(([0], np.cumsum(heights)[:-1]))
    raised = order[: int(np.searchsorted(needed, units, side="right"))]
    given = np.zeros_like(floors)
    if len(raised):
        level, left_over = divmod(units + int(floors[raised].sum()), len(raised))
        given[raised] = level - floors[raised]
        raised = np.sort(raised)
        given[raised[np.argsort(-preferred[raised], kind="stable")[:left_over]]] += 1
    return given


def _distribute(kinds: Kinds, owned: Counts) -> Counts:
    """Distribute all partitions: members keep those that they can read in their own rack, and share the others by load.

    The other partitions go first to members that can read them in their own rack, then to any subscriber.
    """
    shares = owned.copy() if kinds.mismatch is None else np.where(kinds.mismatch, 0, owned)
    loads = shares.sum(axis=0)
    fair = -(-int(kinds.sizes.sum()) // max(len(loads), 1))
    for within_racks in (True, False) if kinds.mismatch is not None else (False,):
        for kind in _scarcest_first(kinds):
            members = np.flatnonzero(_may_have(kinds, kind, within_racks))
            free = int(kinds.sizes[kind] - shares[kind].sum())
            given = _raised(loads[members], free, owned[kind, members] - shares[kind, members])
            if within_racks:
                given = np.minimum(given, np.maximum(0, fair - loads[members]))
            shares[kind, members] += given
            loads[members] += given
    return shares


def _may_have(kinds: Kinds, kind: int, within_racks: bool) -> Flags:
    wanted: Flags = kinds.wanted[kind]
    return wanted & ~kinds.mismatch[kind] if within_racks and kinds.mismatch is not None else wanted


def _scarcest_first(kinds: Kinds) -> list[int]:
    order: list[int] = np.argsort(kinds.wanted.sum(axis=1), kind="stable").tolist()
    return [kind for kind in order if kinds.sizes[kind]]


def _level(kinds: Kinds, shares: Counts) -> None:
    """Move partitions from members with large loads to members with small loads, kind by kind.

    Ends when nothing changes, or after ASSIGNOR_LEVEL_ROUNDS_MAX rounds over all kinds.
    """
    loads = shares.sum(axis=0)
    for _ in range(ASSIGNOR_LEVEL_ROUNDS_MAX):
        changed = False
        for kind in _scarcest_first(kinds):
            members = np.flatnonzero(kinds.wanted[kind])
            has = shares[kind, members]
            if loads[members].min() + 2 > loads[members][has > 0].max():
                continue
            given = _raised(loads[members] - has, int(has.sum()), has)
            changed |= bool((given != has).any())
            loads[members] += given - has
            shares[kind, members] = given
        if not changed:
            break
