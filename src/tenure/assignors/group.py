"""Input and result of an assignor.

Topics are sorted by name, members by member order (`members.py`). The index of a partition is the first index of its
topic plus its number, so that all partitions are 0, 1, 2, ... The result is one array: the owner of each partition, or
NOBODY.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

NOBODY: Final = -1
NO_RACK: Final = -1


def no_indices() -> Indices:
    """Return an empty array."""
    return np.empty(0, np.int32)


@dataclass(frozen=True)
class Claims:
    """Partitions that members claim to own, as columns: row i claims `partitions[i]` for `members[i]`.

    All claims of a member have one generation, that of its last assignment (KIP-792).
    """

    members: Indices = field(default_factory=no_indices)
    partitions: Indices = field(default_factory=no_indices)
    generations: Indices = field(default_factory=no_indices)
    """Generation of each member, or NO_GENERATION if it is unknown. May be empty if there are no claims."""


@dataclass(frozen=True)
class Racks:
    """Racks of members and of replicas; a rack is an index."""

    of_members: Indices
    """Rack by member; NO_RACK for a member without one."""
    replica_sets: tuple[frozenset[int], ...]
    """Distinct sets of racks. A set has the racks of all replicas of a partition."""
    of_partitions: Indices
    """Index into `replica_sets`, by partition."""

    def matter(self, members: Indices | slice = slice(None), partitions: slice = slice(None)) -> bool:
        """Return whether racks matter for these members and partitions.

        Racks matter if a member's rack has replicas, and the racks of the replicas differ between partitions.
        """
        used = [self.replica_sets[index] for index in np.unique(self.of_partitions[partitions])]
        everywhere = frozenset().union(*used)
        return not everywhere.isdisjoint(self.of_members[members].tolist()) and any(it != everywhere for it in used)

    def mismatch(self, replica_set: int, members: Indices | slice = slice(None)) -> Flags:
        """Return, for each member, whether the member would read partitions of a replica set from another rack.

        `replica_set` is an index into `replica_sets`. The result is False for a member without a rack.
        """
        inside = [NO_RACK, *self.replica_sets[replica_set]]
        return ~np.isin(self.of_members[members], inside)


@dataclass(frozen=True)
class Classes(Sequence[Indices]):
    """Classes of members with equal subscriptions; even a large group has few classes.

    The object is a sequence: element i has the subscribed topics of member i.
    """

    subscriptions: tuple[Indices, ...]
    """Subscribed topics by class, ascending."""
    of_members: Indices
    """Class of each member: an index into `subscriptions`."""

    def __getitem__(self, member: Any) -> Any:
        return self.subscriptions[self.of_members[member]]

    def __len__(self) -> int:
        return len(self.of_members)


def classes_of(subscriptions: Sequence[Indices], of_members: Counts) -> Classes:
    """Return the classes of members.

    `subscriptions` are arrays of topics, some of which may be equal. `of_members` has, for each member, the index of
    its array in `subscriptions`.
    """
    of_contents: dict[bytes, int] = {}
    different: list[Indices] = []
    of_arrays = []
    for topics in subscriptions:
        of_arrays.append(of_contents.setdefault(topics.tobytes(), len(different)))
        if of_arrays[-1] == len(different):
            different.append(topics)
    return Classes(tuple(different), np.array(of_arrays, np.int32)[of_members])


@dataclass(frozen=True)
class Group:
    partition_counts: Counts
    """Number of partitions by topic."""
    subscriptions: Sequence[Indices]
    """Subscribed topics by member, ascending."""
    claims: Claims = field(default_factory=Claims)
    racks: Racks | None = None
    """Racks of members and replicas; None if no member has a rack."""

    @cached_property
    def classes(self) -> Classes:
        if isinstance(self.subscriptions, Classes):
            return self.subscriptions
        return classes_of(self.subscriptions, np.arange(len(self.subscriptions)))

    @cached_property
    def first_partition(self) -> Counts:
        """Index of the first partition of each topic; the last element is the number of all partitions."""
        return np.concatenate(([0], np.cumsum(self.partition_counts)))

    @property
    def member_count(self) -> int:
        return len(self.subscriptions)

    @property
    def partition_count(self) -> int:
        return int(self.first_partition[-1])

    @cached_property
    def topic_kinds(self) -> tuple[Indices, tuple[Indices, ...]]:
        """Kind of each topic, and the subscribers of each kind, ascending. Topics of a kind have equal subscribers."""
        topic_count = len(self.partition_counts)
        if self.same_subscriptions:
            return np.zeros(topic_count, np.int32), (np.arange(self.member_count, dtype=np.int32),)
        wanted = np.zeros((topic_count, len(self.classes.subscriptions)), np.bool_)
        for number, topics in enumerate(self.classes.subscriptions):
            wanted[topics, number] = True
        known: dict[bytes, int] = {}
        kinds = [known.setdefault(row.tobytes(), len(known)) for row in np.packbits(wanted, axis=1)]
        first = np.unique(np.array(kinds, np.int32), return_index=True)[1]
        of_members = self.classes.of_members
        subscribers = (np.flatnonzero(wanted[topic][of_members]).astype(np.int32) for topic in first)
        return np.array(kinds, np.int32), tuple(subscribers)

    @property
    def subscribers(self) -> tuple[Indices, ...]:
        """Members that subscribe to each topic, ascending by index."""
        kinds, subscribers = self.topic_kinds
        return tuple(subscribers[kind] for kind in kinds)

    @cached_property
    def same_subscriptions(self) -> bool:
        """True if all members subscribe to all topics."""
        return all(len(topics) == len(self.partition_counts) for topics in self.classes.subscriptions)

    def partitions_of(self, topic: int) -> slice:
        return slice(int(self.first_partition[topic]), int(self.first_partition[topic + 1]))
