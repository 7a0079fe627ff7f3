"""Exchanges of partitions between members that improve the shares of `partition_shares.py`.

An exchange is a cycle in a graph. The graph has one node per member, and one node per kind of partitions. One more
node, called height, makes changes of load possible: one member gets a partition more, and another gets one less. Arcs:

    member -> kind    the member gives away a partition of this kind
    kind -> member    the member gets a partition of this kind
    member -> height  its load grows by one           height -> member   its load shrinks by one

The length of an arc is the cost of the change that it stands for. Changes of loads cost most, then reads from other
racks, then moves. A cycle of negative length is an improvement. If there is none, the shares are optimal. The search
computes the shortest paths from all nodes at once (Bellman-Ford). For each node it stores the predecessor on the
shortest path. The search ends when no path gets shorter, or when the predecessors form a cycle. Such a cycle has
negative length.
"""

from dataclasses import dataclass

import numpy as np

from tenure.assignors.group import NOBODY, Counts
from tenure.assignors.partition_kinds import Kinds
from tenure.limits.assignors import ASSIGNOR_EXCHANGE_CELLS_MAX

FAR = np.int64(2**61)
"""Length of an arc that does not exist: longer than any path, and twice this value still fits into an int64."""


def exchange(kinds: Kinds, owned: Counts, shares: Counts) -> None:
    """Change `shares` in place by exchanges that reduce the cost.

    Ends when no exchange reduces the cost, or when the search has reached ASSIGNOR_EXCHANGE_CELLS_MAX.

    `owned` and `shares` have the present and the new number of partitions, by kind and member.
    """
    cells = 0
    while cells < ASSIGNOR_EXCHANGE_CELLS_MAX:
        arcs = _arcs(kinds, owned, shares)
        cycles, sweeps = _cycles(arcs)
        cells += (sweeps + 1) * shares.size
        if not cycles:
            return
        for cycle in cycles:
            _apply(cycle, owned, shares)


@dataclass(frozen=True)
class _Arcs:
    """Lengths of the arcs of the graph; FAR where there is no arc."""

    get: Counts
    """Lengths, by kind and member, of arcs on which a member gets a partition."""
    give: Counts
    grow: Counts
    """Lengths, by member, of arcs on which the member's load grows."""
    shrink: Counts


def _arcs(kinds: Kinds, owned: Counts, shares: Counts) -> _Arcs:
    loads = shares.sum(axis=0)
    member_count = len(loads)
    rack_weight = member_count + 1  # no cycle moves more than one partition of each member
    height_weight = rack_weight * (member_count + 1)
    elsewhere = 0 if kinds.mismatch is None else kinds.mismatch * rack_weight
    get = elsewhere - (shares < owned)
    give = (shares <= owned) - elsewhere
    return _Arcs(
        np.where(kinds.wanted, get, FAR),
        np.where(shares > 0, give, FAR),
        height_weight * (2 * loads + 1),
        np.where(loads > 0, -height_weight * (2 * loads - 1), FAR),
    )


def _cycles(arcs: _Arcs) -> tuple[list[list[int]], int]:
    """Return disjoint cycles of negative length, and the number of passes over all arcs that the search took.

    A cycle is a list of nodes in the order of its arcs. The last arc leads from the last node to the first. A node is
    an index: first the members, then the kinds, then the height.
    """
    kind_count, member_count = arcs.get.shape
    height = member_count + kind_count
    kinds, members = np.arange(kind_count), np.arange(member_count)
    to_members, to_kinds, to_height = (np.zeros(count, np.int64) for count in (member_count, kind_count, 1))
    before = np.full(height + 1, NOBODY)
    for sweep in range(1, height + 2):
        ways = to_members + arcs.give
        best = ways.argmin(axis=1)
        changed = _relax(to_kinds, before[member_count:height], ways[kinds, best], best)
        tops = to_members + arcs.grow
        highest = int(tops.argmin())
        changed |= _relax(to_height, before[height:], tops[highest : highest + 1], np.array([highest]))
        ways = to_kinds[:, np.newaxis] + arcs.get
        best = ways.argmin(axis=0)
        changed |= _relax(to_members, before[:member_count], ways[best, members], best + member_count)
        changed |= _relax(to_members, before[:member_count], to_height[0] + arcs.shrink, np.full(member_count, height))
        if not changed:
            return [], sweep
        if cycles := _closed(before):
            return cycles, sweep
    return [], sweep


def _relax(distances: Counts, before: Counts, ways: Counts, via: Counts) -> bool:
    shorter = np.flatnonzero(ways < distances)
    distances[shorter] = ways[shorter]
    before[shorter] = via[shorter]
    return len(shorter) > 0


def _closed(before: Counts) -> list[list[int]]:
    """Return the cycles in `before`, which has the predecessor of each node on its shortest path, or NOBODY."""
    end = len(before)
    far_back = np.append(np.where(before == NOBODY, end, before), end)
    for _ in range(end.bit_length()):
        far_back = far_back[far_back]
    on_cycles = set(far_back.tolist()) - {end}
    cycles = []
    while on_cycles:
        cycle = [next(iter(on_cycles))]
        while (node := int(before[cycle[-1]])) != cycle[0]:
            cycle.append(node)
        on_cycles.difference_update(cycle)
        cycles.append(cycle[::-1])
    return cycles


def _apply(cycle: list[int], owned: Counts, shares: Counts) -> None:
    """Apply a cycle to `shares`, repeatedly until the length of one of its arcs would change.

    `owned` and `shares` have the present and the new number of partitions, by kind and member.
    """
    kind_count, member_count = shares.shape
    height = member_count + kind_count
    loads = shares.sum(axis=0)
    steps: list[tuple[int, int, int]] = []
    shrinks = grows = None
    times = int(loads.sum())
    for node, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        if node == height:
            shrinks = after
        elif after == height:
            grows = node
        elif node < member_count:
            kind, member = after - member_count, node
            has, had = int(shares[kind, member]), int(owned[kind, member])
            times = min(times, has if has <= had else has - had)
            steps.append((kind, member, -1))
        else:
            kind, member = node - member_count, after
            lacks = int(owned[kind, member] - shares[kind, member])
            times = min(times, lacks) if lacks > 0 else times
            steps.append((kind, member, 1))
    if shrinks is not None and grows is not None:
        times = min(times, max(1, int(loads[shrinks] - loads[grows]) // 2))
    for kind, member, sign in steps:
        shares[kind, member] += sign * times
