"""How many partitions of each kind each member gets.

First as balanced as the subscriptions allow: no other assignment has a smaller sum of size differences. Then as many
partitions as possible in their readers' racks. Then as few moves as possible: a move is a partition that is taken from
its owner. Kafka's sticky assignors want the same, in the same order, and stop where no single step helps; a balance
that takes two steps at once they miss.

One kind is a division with remainder. Several are a flow from kinds to members whose cost is convex: a good assignment
is dealt first, kind by kind, then cycles of exchanges that lower the cost are looked for until there are none, which
is what proves it best. The search is bounded: a group so tangled that the bound stops it gets an assignment that is
whole and close to balanced.
"""

import numpy as np

from tenure.assignors.exchanges import exchange
from tenure.assignors.group import Counts, Flags
from tenure.assignors.kinds import Kinds
from tenure.limits import ASSIGNOR_LEVEL_SWEEPS_MAX


def shares_of(kinds: Kinds, owned: Counts) -> Counts:
    """By kind and member; `owned` likewise, of members who still subscribe."""
    if len(kinds.sizes) == 1 and kinds.mismatch is None and kinds.wanted.all():
        return _raised(np.zeros_like(owned[0]), int(kinds.sizes[0]), owned[0])[np.newaxis]
    shares = _deal(kinds, owned)
    _level(kinds, shares)
    exchange(kinds, owned, shares)
    return shares


def _raised(floors: Counts, units: int, preferred: Counts) -> Counts:
    """`units` given to members so that the smallest rise together, on top of `floors`: what each one gets.

    Where one more is left for some of equal height, those who prefer it most get it, then the first.
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


def _deal(kinds: Kinds, owned: Counts) -> Counts:
    """What is owned stays, but in other racks; the rest goes to the smallest, within racks first."""
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
    """Kind by kind from large members to small ones, until that changes nothing."""
    loads = shares.sum(axis=0)
    for _ in range(ASSIGNOR_LEVEL_SWEEPS_MAX):
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
