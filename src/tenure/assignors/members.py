"""The edge of the assignors: names in, names out, and the order of members (rule 7.9).

Static members come first, by instance id, dynamic ones after, by member id. A member id changes with each restart and
an instance id does not, so restarted static members are dealt the very same partitions.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

AssignArrays: TypeAlias = Callable[[Sequence[int], Sequence[Sequence[int]]], list[list[int]]]
AssignedPartitions: TypeAlias = dict[str, dict[str, list[int]]]
"""Member id -> topic -> partitions, ascending."""


class SubscribedMember(NamedTuple):
    member_id: str
    group_instance_id: str | None
    topics: Sequence[str]


def member_order(member: SubscribedMember) -> tuple[bool, bytes]:
    """Sort key. Java compares strings by UTF-16 code units, which Python's own order does not."""
    name = member.member_id if member.group_instance_id is None else member.group_instance_id
    return member.group_instance_id is None, name.encode("utf-16-be", "surrogatepass")


def assign_by_name(
    assign: AssignArrays, members: Sequence[SubscribedMember], partition_counts: Mapping[str, int]
) -> AssignedPartitions:
    """Every member appears in the answer; topics without partitions are nobody's."""
    ordered = sorted(members, key=member_order)
    names = sorted({topic for member in ordered for topic in member.topics if partition_counts.get(topic, 0) > 0})
    index = {topic: position for position, topic in enumerate(names)}
    owners = assign(
        [partition_counts[topic] for topic in names],
        [sorted({index[topic] for topic in member.topics if topic in index}) for member in ordered],
    )
    assigned: AssignedPartitions = {member.member_id: {} for member in ordered}
    for topic, owner_of in zip(names, owners, strict=True):
        for partition, owner in enumerate(owner_of):
            if owner >= 0:
                assigned[ordered[owner].member_id].setdefault(topic, []).append(partition)
    return assigned
