"""Kinds of partitions: two are of one kind if the same members may have them and their replicas are in the same racks.

For balance, for racks, and for how much moves, it does not matter which partitions of a kind a member has, only how
many. A group whose members all want the same has one kind, with racks a few, however many partitions there are. So
`shares.py` decides over a small matrix, kinds by members, and `sticky.py` finds the partitions that fit it.
"""

from dataclasses import dataclass

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Group, Indices


@dataclass(frozen=True)
class Kinds:
    of_partitions: Indices
    """By partition."""
    sizes: Counts
    """By kind: how many partitions; 0 where nobody wants them."""
    wanted: Flags
    """By kind and member: whether the member subscribes."""
    mismatch: Flags | None
    """By kind and member: whether it would read from another rack. None where racks do not matter."""

    def cells(self, partitions: Indices, members: Indices) -> Counts:
        """Kind and member as one number."""
        cells: Counts = self.of_partitions[partitions].astype(np.int64) * self.wanted.shape[1] + members
        return cells

    def owned(self, owners: Indices) -> Counts:
        """By kind and member: how many partitions of the kind the member owns."""
        partitions = np.flatnonzero(owners != NOBODY).astype(np.int32)
        counts = np.bincount(self.cells(partitions, owners[partitions]), minlength=self.wanted.size)
        return counts.reshape(self.wanted.shape).astype(np.int64)


def kinds_of(group: Group) -> Kinds:
    topic_kinds, subscribers = _topic_kinds(group)
    racks = group.racks if group.racks is not None and group.racks.worth_a_look() else None
    kinds = np.repeat(topic_kinds, group.partition_counts)
    if racks is None:
        mismatch = None
        of_topics = np.arange(len(subscribers))
    else:
        keys = kinds.astype(np.int64) * len(racks.replica_sets) + racks.of_partitions
        found, kinds = np.unique(keys, return_inverse=True)
        of_topics, replica_sets = np.divmod(found, len(racks.replica_sets))
        mismatch = np.array([racks.mismatch(int(replica_set)) for replica_set in replica_sets], np.bool_)
    wanted = np.zeros((len(of_topics), group.member_count), np.bool_)
    for kind, of_topic in enumerate(of_topics):
        wanted[kind, subscribers[of_topic]] = True
    sizes = np.bincount(kinds, minlength=len(of_topics)).astype(np.int64)
    sizes[~wanted.any(axis=1)] = 0
    return Kinds(kinds.astype(np.int32, copy=False), sizes, wanted, mismatch)


def _topic_kinds(group: Group) -> tuple[Indices, list[Indices]]:
    """By topic its kind, racks aside; by kind its subscribers."""
    if group.same_subscriptions:
        everybody = np.arange(group.member_count, dtype=np.int32)
        return np.zeros(len(group.partition_counts), np.int32), [everybody]
    subscribers: list[Indices] = []
    known: dict[bytes, int] = {}
    kinds = []
    for members in group.subscribers:
        kind = known.setdefault(members.tobytes(), len(known))
        if kind == len(subscribers):
            subscribers.append(members)
        kinds.append(kind)
    return np.array(kinds, np.int32), subscribers
