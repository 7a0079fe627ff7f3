"""Changes of a group by an operator: remove members, commit or delete offsets, delete the group.

Each function returns the received error codes, by member or partition, because their meaning depends on the caller's
purpose. Retriable errors are retried.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.client.net.cluster import Cluster, check
from tenure.client.queries.group_queries import BY_NAME_MAX_VERSION
from tenure.client.values import NO_IDENTITY, Identity, OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    DeleteGroupsRequest,
    DeleteGroupsResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    MemberIdentity,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from tenure.protocol.special_values import LEAVES
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
)

NO_TOPIC_IDS: Final[Mapping[str, TopicId]] = {}


async def leave_group(cluster: Cluster, group_id: str, members: Sequence[MemberIdentity]) -> list[ErrorCode]:
    """Remove members of a classic group; return their error codes in the same order.

    A static member is identified by its instance id alone (rule 2.11).
    """
    request = LeaveGroupRequest(group_id=GroupId(group_id), members=list(members))

    async def attempt() -> list[ErrorCode]:
        answer = await cluster.request_coordinator(group_id, request, LeaveGroupResponse, min_version=3)
        check(answer.error_code, f"Members of group '{group_id}' were not removed")
        return [ErrorCode(member.error_code) for member in answer.members]

    return await cluster.retry(attempt)


async def leave_consumer_group(cluster: Cluster, group_id: str, member_id: str, instance_id: str | None) -> ErrorCode:
    """Remove a member of a consumer group (KIP-848): send a leave heartbeat with its member id (rule 3.5)."""
    request = ConsumerGroupHeartbeatRequest(
        group_id=GroupId(group_id),
        member_id=MemberId(member_id),
        member_epoch=LEAVES,
        instance_id=None if instance_id is None else InstanceId(instance_id),
    )

    async def attempt() -> ErrorCode:
        answer = await cluster.request_coordinator(group_id, request, ConsumerGroupHeartbeatResponse)
        error_code = ErrorCode(answer.error_code)
        if error_code.retriable:
            check(error_code, f"Members of group '{group_id}' were not removed")
        return error_code

    return await cluster.retry(attempt)


async def leave_streams_group(cluster: Cluster, group_id: str, member_id: str, instance_id: str | None) -> ErrorCode:
    """Remove a member of a streams group (KIP-1071): send a leave heartbeat with its member id (rule 5.2)."""
    request = StreamsGroupHeartbeatRequest(
        group_id=GroupId(group_id),
        member_id=MemberId(member_id),
        member_epoch=LEAVES,
        instance_id=None if instance_id is None else InstanceId(instance_id),
    )

    async def attempt() -> ErrorCode:
        answer = await cluster.request_coordinator(group_id, request, StreamsGroupHeartbeatResponse)
        error_code = ErrorCode(answer.error_code)
        if error_code.retriable:
            check(error_code, f"Members of group '{group_id}' were not removed")
        return error_code

    return await cluster.retry(attempt)


async def commit_from_outside(
    cluster: Cluster, group_id: str, offsets: Mapping[TopicPartition, OffsetAndMetadata]
) -> dict[TopicPartition, ErrorCode]:
    """Commit offsets without membership; return the error code of each partition.

    The coordinator accepts such a commit only if the group has no members (rule 2.13).
    """
    request = commit_request(group_id, offsets)

    async def attempt() -> dict[TopicPartition, ErrorCode]:
        connection = await cluster.connection(await cluster.coordinator(group_id))
        answer = await connection.request(
            request, OffsetCommitResponse, timeout_ms=cluster.request_timeout_ms, max_version=BY_NAME_MAX_VERSION
        )
        outcome = {
            TopicPartition(topic.name, partition.partition_index): ErrorCode(partition.error_code)
            for topic in answer.topics
            for partition in topic.partitions
        }
        for error_code in outcome.values():
            if error_code.retriable and error_code is not ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                check(error_code, f"Offsets of group '{group_id}' were not written")
        return outcome

    return await cluster.retry(attempt)


async def delete_committed_offsets(
    cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition]
) -> dict[TopicPartition, ErrorCode]:
    """Delete committed offsets; return the error code of each partition.

    An error of the whole group is returned for each partition.
    """
    wanted = by_topic(partitions)
    request = OffsetDeleteRequest(
        group_id=GroupId(group_id),
        topics=[
            OffsetDeleteRequestTopic(
                name=TopicName(topic),
                partitions=[
                    OffsetDeleteRequestPartition(partition_index=PartitionId(partition.partition))
                    for partition in of_topic
                ],
            )
            for topic, of_topic in wanted.items()
        ],
    )

    async def attempt() -> dict[TopicPartition, ErrorCode]:
        answer = await cluster.request_coordinator(group_id, request, OffsetDeleteResponse)
        of_group = ErrorCode(answer.error_code)
        if of_group.retriable:
            check(of_group, f"Offsets of group '{group_id}' were not deleted")
        if of_group is not ErrorCode.NONE:
            return {partition: of_group for of_topic in wanted.values() for partition in of_topic}
        return {
            TopicPartition(topic.name, partition.partition_index): ErrorCode(partition.error_code)
            for topic in answer.topics
            for partition in topic.partitions
        }

    return await cluster.retry(attempt)


async def delete_group(cluster: Cluster, group_id: str) -> ErrorCode:
    """Delete a group and return the coordinator's error code. Raises retriable errors that last too long."""
    request = DeleteGroupsRequest(groups_names=[GroupId(group_id)])

    async def attempt() -> ErrorCode:
        answer = await cluster.request_coordinator(group_id, request, DeleteGroupsResponse)
        error_code = ErrorCode(answer.results[0].error_code)
        if error_code.retriable:
            check(error_code, f"Group '{group_id}' was not deleted")
        return error_code

    return await cluster.retry(attempt)


def commit_request(
    group_id: str,
    offsets: Mapping[TopicPartition, OffsetAndMetadata],
    identity: Identity = NO_IDENTITY,
    topic_ids: Mapping[str, TopicId] = NO_TOPIC_IDS,
) -> OffsetCommitRequest:
    """Build an OffsetCommit request. Without `identity`, the sender is not a member of the group."""
    by_topic: dict[str, list[OffsetCommitRequestPartition]] = {}
    for (topic, partition), position in sorted(offsets.items()):
        by_topic.setdefault(topic, []).append(
            OffsetCommitRequestPartition(
                partition_index=PartitionId(partition),
                committed_offset=position.offset,
                committed_leader_epoch=position.leader_epoch,
                committed_metadata=position.metadata,
            )
        )
    instance_id = identity.group_instance_id if identity.member_id else None  # rule 7.2.4
    return OffsetCommitRequest(
        group_id=GroupId(group_id),
        generation_id_or_member_epoch=GenerationId(identity.generation_id),
        member_id=MemberId(identity.member_id),
        group_instance_id=None if instance_id is None else InstanceId(instance_id),
        topics=[
            OffsetCommitRequestTopic(
                name=TopicName(topic), topic_id=topic_ids.get(topic, ZERO_TOPIC_ID), partitions=partitions
            )
            for topic, partitions in by_topic.items()
        ],
    )


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[TopicPartition]]:
    """Return the sorted partitions, grouped by topic."""
    found: dict[str, list[TopicPartition]] = {}
    for partition in sorted(partitions):
        found.setdefault(partition.topic, []).append(partition)
    return found
