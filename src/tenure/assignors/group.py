"""What an assignor is asked, and what it answers.

Topics are counted in the order of their names, members in member order (`members.py`). A partition is its topic's
first index plus its own number, so that all partitions together are 0, 1, 2, ... The answer is one array: the owner of
each partition, or NOBODY.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

NOBODY: Final = -1
NO_RACK: Final = -1
NO_GENERATION: Final = -1


def no_indices() -> Indices:
    return np.empty(0, np.int32)


@dataclass(frozen=True)
class Claims:
    """Who says that it owns what, as columns: row i is the claim of `members[i]` to `partitions[i]`.

    All claims of a member are of one generation, that in which it was last assigned something (KIP-792).
    """

    members: Indices = field(default_factory=no_indices)
    partitions: Indices = field(default_factory=no_indices)
    generations: Indices = field(default_factory=no_indices)
    """By member; NO_GENERATION for one that knows none. May be empty where there are no claims."""


@dataclass(frozen=True)
class Racks:
    """Where members read, and where partitions have their replicas. Racks are indices too."""

    of_members: Indices
    """By member; NO_RACK for one that does not tell."""
    replica_sets: tuple[frozenset[int], ...]
    """The different sets of racks that partitions have replicas in."""
    of_partitions: Indices
    """By partition, an index into `replica_sets`."""

    def worth_a_look(self, members: Indices | slice = slice(None), partitions: slice = slice(None)) -> bool:
        """Some member's rack holds replicas, and not every partition is in all of the racks (KIP-881)."""
        used = [self.replica_sets[index] for index in np.unique(self.of_partitions[partitions])]
        everywhere = frozenset().union(*used)
        return not everywhere.isdisjoint(self.of_members[members].tolist()) and any(it != everywhere for it in used)

    def mismatch(self, replica_set: int, members: Indices | slice = slice(None)) -> Flags:
        """By member, whether it would read from another rack. Who does not tell its rack never does."""
        inside = [NO_RACK, *self.replica_sets[replica_set]]
        return ~np.isin(self.of_members[members], inside)


@dataclass(frozen=True)
class Classes:
    """Members that subscribe to the very same topics are of one class: a large group has few of them."""

    subscriptions: tuple[Indices, ...]
    """By class: the topics that its members want, ascending."""
    of_members: Indices
    """By member, an index into `subscriptions`."""


def classes_of(subscriptions: tuple[Indices, ...]) -> Classes:
    """Of members, by their subscriptions. Those who share an array are not compared."""
    of_arrays: dict[int, int] = {}
    of_contents: dict[bytes, int] = {}
    different: list[Indices] = []
    of_members = []
    for topics in subscriptions:
        found = of_arrays.get(id(topics))
        if found is None:
            found = of_arrays[id(topics)] = of_contents.setdefault(topics.tobytes(), len(different))
            if found == len(different):
                different.append(topics)
        of_members.append(found)
    return Classes(tuple(different), np.array(of_members, np.int32))


@dataclass(frozen=True)
class Group:
    partition_counts: Counts
    """By topic."""
    subscriptions: tuple[Indices, ...]
    """By member: the topics that it wants, ascending."""
    claims: Claims = field(default_factory=Claims)
    racks: Racks | None = None
    """None where nobody tells a rack."""
    known_classes: Classes | None = None
    """Of the members, where whoever asks knows them already."""

    @cached_property
    def classes(self) -> Classes:
        return self.known_classes or classes_of(self.subscriptions)

    @cached_property
    def first_partition(self) -> Counts:
        """By topic, and one more: the count of all partitions."""
        return np.concatenate(([0], np.cumsum(self.partition_counts)))

    @property
    def member_count(self) -> int:
        return len(self.subscriptions)

    @property
    def partition_count(self) -> int:
        return int(self.first_partition[-1])

    @cached_property
    def topic_kinds(self) -> tuple[Indices, tuple[Indices, ...]]:
        """Topics of one kind have the same subscribers: the kind by topic, and by kind its subscribers, ascending."""
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
        """By topic: its members, ascending."""
        kinds, subscribers = self.topic_kinds
        return tuple(subscribers[kind] for kind in kinds)

    @cached_property
    def same_subscriptions(self) -> bool:
        """Everybody wants everything."""
        return all(len(topics) == len(self.partition_counts) for topics in self.classes.subscriptions)

    def partitions_of(self, topic: int) -> slice:
        return slice(int(self.first_partition[topic]), int(self.first_partition[topic + 1]))
