"""The target assignment of a consumer group (rules 3.4 step 4, 3.12).

Members vote for an assignor; who names none does not vote. What the assignor says is compared with the target as it
was, and only members whose target differs get a record.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from tenure.coordinator.groups.consumer.member import NO_TARGET, Member, Target
from tenure.coordinator.groups.consumer.subscribed import Regexes, existing, names_of, topic_names
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.types import MemberId, PartitionId, TopicId

RANGE: Final = "range"


def preferred_assignor(members: Iterable[Member], default: str) -> str:
    """Of as many votes the first by name."""
    votes = Counter(member.server_assignor for member in members if member.server_assignor is not None)
    return min(votes, key=lambda name: (-votes[name], name)) if votes else default


def new_targets(
    assignor: str,
    members: Mapping[MemberId, Member],
    regexes: Regexes,
    before: Mapping[MemberId, Target],
    topics: Topics,
) -> dict[MemberId, Target]:
    """Of every member, in the order of the assignors (`member_order`)."""
    import numpy as np  # the start of a broker does not pay for it

    from tenure.assignors import range as range_assignor
    from tenure.assignors import uniform
    from tenure.assignors.group import NOBODY, Group
    from tenure.assignors.members import member_order

    wanted = existing(topic_names(members.values(), regexes), topics)
    order = sorted(members.values(), key=lambda member: member_order(member.member_id, member.instance_id))
    at = {topic.name: index for index, topic in enumerate(wanted)}
    group = Group(
        np.array([topic.partitions for topic in wanted], np.int64),
        tuple(np.array(sorted(at[n] for n in names_of(m, regexes) if n in at), np.int32) for m in order),
    )
    if assignor == RANGE:
        owners = range_assignor.assign(group)
    else:
        had = np.full(group.partition_count, NOBODY, np.int32)
        first = {topic.topic_id: (int(group.first_partition[i]), topic.partitions) for i, topic in enumerate(wanted)}
        for index, member in enumerate(order):
            for topic_id, partitions in before.get(member.member_id, NO_TARGET).items():
                if topic_id in first:
                    start, count = first[topic_id]
                    had[[start + p for p in partitions if p < count]] = index
        owners = uniform.assign(group, had)
    found: list[dict[TopicId, set[PartitionId]]] = [{} for _ in order]
    for index, topic in enumerate(wanted):
        for partition, owner in enumerate(owners[group.partitions_of(index)].tolist()):
            if owner != NOBODY:
                found[owner].setdefault(topic.topic_id, set()).add(PartitionId(partition))
    return {
        member.member_id: {topic_id: frozenset(partitions) for topic_id, partitions in target.items()}
        for member, target in zip(order, found, strict=True)
    }
