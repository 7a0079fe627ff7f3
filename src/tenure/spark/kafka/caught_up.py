"""Check whether a group has read and published all records, for `until="caught-up"`.

It is not enough that all members are idle: under the consumer protocol a partition may be moving between members, or
have no owner yet. So the committed offsets of all partitions are compared with the ends of their logs.

This is not enough either: a member may have ended after a commit and before the publication. The next owner of the
partition then publishes the batch. So every partition must have an owner too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tenure.admin import Admin
from tenure.client.errors import ClientError
from tenure.pipeline.values.membership import GroupMembership, Log, MemberFenced, Unreachable
from tenure.protocol.types import PartitionId, TopicName
from tenure.values import TopicPartition


def all_partitions_read(membership: GroupMembership, log: Log, topics: Sequence[TopicName]) -> bool:
    """Return whether the group has committed the ends of all logs. False if the broker does not answer."""
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
    """Return whether every partition has an owner. False if the broker does not answer.

    Args:
        cluster: Configuration of the cluster.
        group: Group id.
        log: Logs of the topics.
        topics: Topics that the group reads.
        own: Partitions of this application's engines, after these have published all their batches.
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
