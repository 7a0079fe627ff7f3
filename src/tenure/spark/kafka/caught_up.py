"""Check whether a group has read and published everything, for `until="caught-up"`.

Idle members alone prove nothing. Under the consumer protocol a partition may be moving from one member to another, or
have no owner yet; then no member is busy with it. So the committed offsets of all partitions are compared with the ends
of their logs.

That is not enough either: a batch may be committed but not yet published, by a member that has ended. The next owner of
the partition publishes it first. So every partition must have an owner, too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.admin import Admin
from tenure.client.errors import ClientError
from tenure.pipeline.values.membership import GroupMembership, Log, MemberFenced, Unreachable
from tenure.protocol.types import PartitionId, TopicName
from tenure.values import TopicPartition


def all_partitions_read(membership: GroupMembership, log: Log, topics: Sequence[TopicName]) -> bool:
    """Return whether the group has committed the ends of all logs. False if the broker does not answer now."""
    try:
        partitions = [
            TopicPartition(topic, PartitionId(number))
            for topic in topics
            for number in range(log.partition_count(topic))
        ]
        bounds, committed = log.bounds(partitions), membership.committed(partitions)
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
    """Return whether every partition has an owner. False if the broker does not answer now.

    Args:
        own: Partitions whose owners are engines of this application, with nothing left to publish.
    """
    try:
        wanted = {PartitionId(number) for number in range(log.partition_count(topics[0]))}
        if own >= wanted:
            return True
        with Admin(cluster) as admin:
            (found,) = admin.describe_groups([group])
    except (Unreachable, ClientError):
        return False
    return own | {at.partition for member in found.members for at in member.partitions} >= wanted
