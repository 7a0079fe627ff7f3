"""What an operator may ask a group's coordinator to change: members, offsets, the group itself.

Every answer is told as it came, one error code per member or partition: what a refusal means depends on what was
wanted. Only what may pass by itself is tried again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.client.cluster import Cluster, check
from tenure.client.commits import commit_request
from tenure.client.group_queries import BY_NAME_MAX_VERSION
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    DeleteGroupsRequest,
    DeleteGroupsResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    MemberIdentity,
    OffsetCommitResponse,
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName

LEAVES: Final = -1
"""Instead of an epoch."""


async def leave_group(cluster: Cluster, group_id: str, members: Sequence[MemberIdentity]) -> list[ErrorCode]:
    """Let members leave, in the order given. A static one is known by its instance id alone (rule 2.11)."""
    request = LeaveGroupRequest(group_id=GroupId(group_id), members=list(members))

    async def attempt() -> list[ErrorCode]:
        answer = await cluster.ask_coordinator(group_id, request, LeaveGroupResponse, min_version=3)
        check(answer.error_code, f"Members of group '{group_id}' cannot be removed")
        return [ErrorCode(member.error_code) for member in answer.members]

    return await cluster.persist(attempt)


async def leave_consumer_group(cluster: Cluster, group_id: str, member_id: str, instance_id: str | None) -> ErrorCode:
    """Say for a member of KIP-848 what it would say itself when it leaves for good (rule 3.5)."""
    request = ConsumerGroupHeartbeatRequest(
        group_id=GroupId(group_id),
        member_id=MemberId(member_id),
        member_epoch=LEAVES,
        instance_id=None if instance_id is None else InstanceId(instance_id),
    )

    async def attempt() -> ErrorCode:
        answer = await cluster.ask_coordinator(group_id, request, ConsumerGroupHeartbeatResponse)
        error_code = ErrorCode(answer.error_code)
        if error_code.retriable:
            check(error_code, f"Members of group '{group_id}' cannot be removed")
        return error_code

    return await cluster.persist(attempt)


async def commit_from_outside(
    cluster: Cluster, group_id: str, offsets: Mapping[TopicPartition, OffsetAndMetadata]
) -> dict[TopicPartition, ErrorCode]:
    """Commit without being a member, which a coordinator allows while a group has none (rule 2.13)."""
    request = commit_request(group_id, offsets)

    async def attempt() -> dict[TopicPartition, ErrorCode]:
        connection = await cluster.connection(await cluster.coordinator(group_id))
        answer = await connection.request(
            request, OffsetCommitResponse, timeout_ms=cluster.request_timeout_ms, max_version=BY_NAME_MAX_VERSION
        )
        outcome = {
            TopicPartition(topic.name, at.partition_index): ErrorCode(at.error_code)
            for topic in answer.topics
            for at in topic.partitions
        }
        for error_code in outcome.values():
            if error_code.retriable and error_code is not ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                check(error_code, f"The offsets of group '{group_id}' cannot be written")
        return outcome

    return await cluster.persist(attempt)


async def forget_offsets(
    cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition]
) -> dict[TopicPartition, ErrorCode]:
    """What a refusal of the whole group says is told of each partition."""
    wanted = by_topic(partitions)
    request = OffsetDeleteRequest(
        group_id=GroupId(group_id),
        topics=[
            OffsetDeleteRequestTopic(
                name=TopicName(topic),
                partitions=[OffsetDeleteRequestPartition(partition_index=PartitionId(at.partition)) for at in of_topic],
            )
            for topic, of_topic in wanted.items()
        ],
    )

    async def attempt() -> dict[TopicPartition, ErrorCode]:
        answer = await cluster.ask_coordinator(group_id, request, OffsetDeleteResponse)
        of_group = ErrorCode(answer.error_code)
        if of_group.retriable:
            check(of_group, f"Offsets of group '{group_id}' cannot be deleted")
        if of_group is not ErrorCode.NONE:
            return {at: of_group for of_topic in wanted.values() for at in of_topic}
        return {
            TopicPartition(topic.name, at.partition_index): ErrorCode(at.error_code)
            for topic in answer.topics
            for at in topic.partitions
        }

    return await cluster.persist(attempt)


async def delete_group(cluster: Cluster, group_id: str) -> ErrorCode:
    request = DeleteGroupsRequest(groups_names=[GroupId(group_id)])

    async def attempt() -> ErrorCode:
        answer = await cluster.ask_coordinator(group_id, request, DeleteGroupsResponse)
        error_code = ErrorCode(answer.results[0].error_code)
        if error_code.retriable:
            check(error_code, f"Group '{group_id}' cannot be deleted")
        return error_code

    return await cluster.persist(attempt)


def by_topic(partitions: Iterable[TopicPartition]) -> dict[str, list[TopicPartition]]:
    found: dict[str, list[TopicPartition]] = {}
    for partition in sorted(partitions):
        found.setdefault(partition.topic, []).append(partition)
    return found
