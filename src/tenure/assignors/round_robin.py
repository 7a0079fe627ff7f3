"""Round-robin assignor (rule 7.9): assigns all partitions of all topics to the members in turn."""

import numpy as np

from tenure.assignors.group import NOBODY, Group, Indices


def assign(group: Group) -> Indices:
    """Return the owner of each partition. A member is passed over for topics to which it does not subscribe."""
    owners = np.full(group.partition_count, NOBODY, np.int32)
    turn = 0
    for topic, subscribers in enumerate(group.subscribers):
        count = int(group.partition_counts[topic])
        if count and len(subscribers):
            first = int(np.searchsorted(subscribers, turn))
            dealt = subscribers[(first + np.arange(count)) % len(subscribers)]
            owners[group.partitions_of(topic)] = dealt
            turn = (int(dealt[-1]) + 1) % group.member_count
    return owners
