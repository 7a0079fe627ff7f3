"""Whether everything has been read: what an application waits for that runs `until="caught-up"`.

That every member of it is idle does not suffice. Under the consumer protocol a partition may be on its way from one
member to another, or not yet assigned to anybody, and then nobody is busy with it. So the group's committed offsets are
held against the ends of the logs, for every partition there is.

Nor does that suffice: what a member committed before it ended may not be published yet, which whoever has the partition
next does first. So every partition must have found its member, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.admin import Admin
from tenure.client.errors import ClientError
from tenure.pipeline.values.lanes import TopicPartition
from tenure.pipeline.values.membership import GroupMembership, Log, MemberFenced, Unreachable
from tenure.protocol.types import PartitionId, TopicName


def all_partitions_read(seat: GroupMembership, log: Log, topics: Sequence[TopicName]) -> bool:
    """By whichever member of the group. False where it cannot be found out just now."""
    try:
        partitions = [
            TopicPartition(topic, PartitionId(number))
            for topic in topics
            for number in range(log.partition_count(topic))
        ]
        bounds, committed = log.bounds(partitions), seat.committed(partitions)
    except (Unreachable, MemberFenced, ClientError):
        return False
    for partition in partitions:
        at = committed[partition]
        start_offset, end_offset = bounds[partition][:2]
        if (start_offset if at is None else at.offset) < end_offset:
            return False
    return True


def all_partitions_owned(
    cluster: Mapping[str, Any], group: str, log: Log, topics: Sequence[TopicName], own: set[PartitionId]
) -> bool:
    """`own` partitions by engines here, which have finished what was begun in them, the rest by others of the group."""
    try:
        wanted = {PartitionId(number) for number in range(log.partition_count(topics[0]))}
        if own >= wanted:
            return True
        with Admin(cluster) as admin:
            (found,) = admin.describe_groups([group])
    except (Unreachable, ClientError):
        return False
    return own | {at.partition for member in found.members for at in member.partitions} >= wanted
