"""Kinds of partitions: all partitions of a kind have the same subscribers, and replicas in the same racks.

Balance, racks and the number of moves depend only on the number of partitions of each kind that a member has, and not
on the partitions themselves. A group with equal subscriptions has one kind, or a few if members have racks, no matter
how many partitions there are. So `partition_shares.py` decides over a small matrix of kinds and members, and
`sticky.py` selects partitions according to that matrix.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenure.assignors.group import NOBODY, Counts, Flags, Group, Indices


@dataclass(frozen=True)
class Kinds:
    """Kinds of partitions in a group. Partitions with the same subscribers and replica racks are of one kind."""

    of_partitions: Indices
    """Index of the kind of each partition."""
    sizes: Counts
    """Number of partitions by kind; 0 for kinds without subscribers."""
    wanted: Flags
    """By kind and member, True if the member subscribes to the topics of the kind."""
    mismatch: Flags | None
    """By kind and member, True if the member would read partitions of the kind from another rack.

    None if racks do not matter.
    """

    @property
    def is_one(self) -> bool:
        return len(self.sizes) == 1

    def clear_unsubscribed(self) -> "Kinds":
        """Set the number of partitions to 0 for each kind without subscribers. Return this object."""
        self.sizes[~self.wanted.any(axis=1)] = 0
        return self

    def cells(self, partitions: Indices, members: Indices) -> Counts:
        """Return, for each pair of partition and member, an index into the flattened matrix of kinds by members.

        The row is the kind of the partition, and the column is the member.
        """
        if self.is_one:
            return members.astype(np.int64, copy=False)
        cells: Counts = self.of_partitions[partitions].astype(np.int64) * self.wanted.shape[1] + members
        return cells

    def owned(self, owners: Indices) -> Counts:
        """Return how many partitions each member owns, by kind and member."""
        if self.is_one:
            return np.bincount(owners + 1, minlength=self.wanted.size + 1)[np.newaxis, 1:].astype(np.int64, copy=False)
        partitions = np.flatnonzero(owners != NOBODY).astype(np.int32)
        counts = np.bincount(self.cells(partitions, owners[partitions]), minlength=self.wanted.size)
        return counts.reshape(self.wanted.shape).astype(np.int64)


def kinds_of(group: Group) -> Kinds:
    topic_kinds, subscribers = group.topic_kinds
    counts = group.partition_counts
    racks = group.racks if group.racks is not None and group.racks.matter() else None
    if racks is None:
        kinds = np.repeat(topic_kinds, counts) if len(subscribers) > 1 else np.zeros(group.partition_count, np.int32)
        sizes = np.bincount(topic_kinds, weights=counts, minlength=len(subscribers)).astype(np.int64)
        return Kinds(kinds, sizes, _wanted(group, subscribers), None).clear_unsubscribed()
    keys = np.repeat(topic_kinds, counts).astype(np.int64) * len(racks.replica_sets) + racks.of_partitions
    found, kinds = np.unique(keys, return_inverse=True)
    of_topics, replica_sets = np.divmod(found, len(racks.replica_sets))
    mismatch = np.array([racks.mismatch(int(replica_set)) for replica_set in replica_sets], np.bool_)
    wanted = _wanted(group, [subscribers[of_topic] for of_topic in of_topics])
    sizes = np.bincount(kinds, minlength=len(of_topics)).astype(np.int64)
    return Kinds(kinds.astype(np.int32, copy=False), sizes, wanted, mismatch).clear_unsubscribed()


def _wanted(group: Group, subscribers: Sequence[Indices]) -> Flags:
    wanted = np.zeros((len(subscribers), group.member_count), np.bool_)
    for kind, members in enumerate(subscribers):
        wanted[kind, members] = True
    return wanted
