"""Range assignor (rule 7.9).

Each topic is assigned separately: its subscribers, in member order, get contiguous blocks of equal size, and each of
the first `partitions mod subscribers` gets one partition more. Topics with the same subscribers and the same number of
partitions are therefore assigned alike (co-partitioned). Pipelines depend on this.

If members have racks (KIP-881), a first pass gives each member partitions with a replica in its rack, up to its number
of partitions. Topics with equal subscribers and partition counts are assigned together, partition by partition, so that
they stay co-partitioned. A second pass assigns the rest in order.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from tenure.assignors.group import NOBODY, Flags, Group, Indices, Racks


def assign(group: Group) -> Indices:
    """Return the new owner of each partition."""
    owners = np.full(group.partition_count, NOBODY, np.int32)
    sizes = group.partition_counts
    subscribers = group.subscribers
    topics = [topic for topic, members in enumerate(subscribers) if len(members) and sizes[topic]]
    racks = group.racks
    if racks is None or not any(_needs_racks(group, racks, topic) for topic in topics):
        for topic in topics:
            owners[group.partitions_of(topic)] = _blocks(int(sizes[topic]), subscribers[topic])
        return owners
    assignments = {topic: _TopicAssignment(group, topic, owners) for topic in topics}
    _assign_within_racks(group, racks, assignments)
    for assignment in assignments.values():
        assignment.assign_free(None)
    return owners


def _blocks(partitions: int, subscribers: Indices) -> Indices:
    quota, extra = divmod(partitions, len(subscribers))
    return np.repeat(subscribers, quota + (np.arange(len(subscribers)) < extra))


def _needs_racks(group: Group, racks: Racks, topic: int) -> bool:
    return racks.matter(group.subscribers[topic], group.partitions_of(topic))


class _TopicAssignment:
    """Topic that is being assigned, with the number of partitions that each subscriber has got so far."""

    def __init__(self, group: Group, topic: int, owners: Indices) -> None:
        self.subscribers = group.subscribers[topic]
        self.owners = owners[group.partitions_of(topic)]
        """Owners of the topic's partitions: a view of the array with the owners of all partitions."""
        self.quota, self.extra = divmod(len(self.owners), len(self.subscribers))
        """Least number of partitions of each subscriber, and number of subscribers that may still exceed it by one."""
        self.given = [0] * len(self.subscribers)

    def remaining(self, position: int) -> int:
        return max(0, self.quota + (self.extra > 0) - self.given[position])

    def give(self, position: int, partitions: Indices) -> None:
        self.owners[partitions] = self.subscribers[position]
        self.given[position] += len(partitions)
        self.extra -= self.given[position] > self.quota

    def assign_free(self, fits: Flags | None) -> None:
        """Give free partitions to the subscribers in member order, until each has its number of partitions.

        `fits` says, by subscriber and partition, whether the subscriber may get the partition; None allows all.
        """
        for position in range(len(self.subscribers)):
            free = self.owners == NOBODY
            takes = np.flatnonzero(free if fits is None else free & fits[position])[: self.remaining(position)]
            if len(takes):
                self.give(position, takes.astype(np.int32))


def _assign_within_racks(group: Group, racks: Racks, assignments: dict[int, _TopicAssignment]) -> None:
    for topics in _copartitioned_topics(assignments):
        fits = np.logical_and.reduce([_fits(group, racks, topic) for topic in topics])
        if len(topics) > 1:
            _assign_together([assignments[topic] for topic in topics], fits)
        elif _needs_racks(group, racks, topics[0]):
            assignments[topics[0]].assign_free(fits)


def _copartitioned_topics(assignments: dict[int, _TopicAssignment]) -> Iterator[list[int]]:
    """Yield groups of topics that have equal subscribers and partition counts."""
    found: defaultdict[tuple[bytes, int], list[int]] = defaultdict(list)
    for topic, assignment in assignments.items():
        found[assignment.subscribers.tobytes(), len(assignment.owners)].append(topic)
    yield from found.values()


def _fits(group: Group, racks: Racks, topic: int) -> Flags:
    """Return, by subscriber and partition, whether a replica is in the subscriber's rack.

    Always True for a subscriber without a rack.
    """
    sets, of_partition = np.unique(racks.of_partitions[group.partitions_of(topic)], return_inverse=True)
    by_set = [~racks.mismatch(replica_set, group.subscribers[topic]) for replica_set in sets]
    return np.array(by_set)[of_partition].T


def _assign_together(assignments: list[_TopicAssignment], fits: Flags) -> None:
    """Give partition i of all topics to the same member, for each i.

    Partition i goes to the first member that `fits` allows, and that may get another partition of every topic. Without
    such a member, it stays unassigned.
    """
    remaining = list(range(len(assignments[0].subscribers)))
    for partition in range(len(assignments[0].owners)):
        for position in remaining:
            if fits[position, partition] and all(assignment.remaining(position) for assignment in assignments):
                for assignment in assignments:
                    assignment.give(position, np.array([partition], np.int32))
                if not any(assignment.remaining(position) for assignment in assignments):
                    remaining.remove(position)
                break
