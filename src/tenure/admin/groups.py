"""Groups: list, describe, how far they have come, delete."""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.client.cluster import Cluster, check
from tenure.client.errors import RequestRefused
from tenure.client.group_queries import committed_offsets, describe_group
from tenure.client.partition_queries import LATEST, list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import (
    DeleteGroupsRequest,
    DeleteGroupsResponse,
    DescribedGroupMember,
    ListGroupsRequest,
    ListGroupsResponse,
)
from tenure.protocol.types import GroupId


class GroupListing(NamedTuple):
    group_id: str
    group_type: str
    protocol_type: str
    state: str


class MemberDescription(NamedTuple):
    group_instance_id: str | None
    member_id: str
    client_id: str
    host: str
    partitions: tuple[TopicPartition, ...]


class GroupDescription(NamedTuple):
    group_id: str
    state: str
    protocol_type: str
    assignor: str
    """Known while the group is stable."""
    coordinator: str
    members: tuple[MemberDescription, ...]
    """Static ones first, by instance id."""


class GroupPosition(NamedTuple):
    partition: TopicPartition
    committed: int | None
    end: int | None
    """None for a partition that exists no longer."""
    metadata: str
    member: str | None
    """Instance id, or member id, of its owner."""

    @property
    def lag(self) -> int | None:
        """Records that are written and not committed; what retention has deleted meanwhile is counted too."""
        return None if self.committed is None or self.end is None else max(0, self.end - self.committed)


async def list_groups(cluster: Cluster) -> list[GroupListing]:
    """Of all brokers: each knows only those that it coordinates."""

    async def attempt() -> list[GroupListing]:
        listings: list[GroupListing] = []
        for address in await cluster.brokers():
            connection = await cluster.connection(address)
            answer = await connection.request(
                ListGroupsRequest(), ListGroupsResponse, timeout_ms=cluster.request_timeout_ms
            )
            check(answer.error_code, f"The groups of the broker at {address} cannot be listed")
            listings += [
                GroupListing(found.group_id, found.group_type, found.protocol_type, found.group_state)
                for found in answer.groups
            ]
        return sorted(listings)

    return await cluster.persist(attempt)


async def describe(cluster: Cluster, group_id: str) -> GroupDescription:
    """Raises `RequestRefused` (GROUP_ID_NOT_FOUND) for a group that is not there, or not of the classic protocol."""
    try:
        found = await describe_group(cluster, group_id)
    except RequestRefused as error:
        if error.error_code is ErrorCode.GROUP_ID_NOT_FOUND:
            raise await _no_such_group(cluster, group_id) from None
        raise
    if found.group_state == "Dead":  # how brokers before Kafka 4 say the same (rule 2.16)
        raise await _no_such_group(cluster, group_id)
    members = sorted(map(_member, found.members), key=lambda member: (member.group_instance_id is None, member))
    coordinator = await cluster.persist(lambda: cluster.coordinator(group_id))
    return GroupDescription(
        found.group_id, found.group_state, found.protocol_type, found.protocol_data, str(coordinator), tuple(members)
    )


async def positions(cluster: Cluster, group: GroupDescription) -> list[GroupPosition]:
    """Of all partitions that the group has committed for, or that a member holds."""
    committed = await committed_offsets(cluster, group.group_id, None)
    owner = {
        partition: member.group_instance_id or member.member_id
        for member in group.members
        for partition in member.partitions
    }
    partitions = sorted(committed.keys() | owner.keys())
    counts = await cluster.partition_counts({partition.topic for partition in partitions}) if partitions else {}
    existing = [partition for partition in partitions if partition.partition < counts.get(partition.topic, 0)]
    ends = await list_offsets(cluster, dict.fromkeys(existing, LATEST)) if existing else {}
    return [
        GroupPosition(
            partition,
            committed[partition].offset if partition in committed else None,
            ends[partition].offset if partition in ends else None,
            committed[partition].metadata if partition in committed else "",
            owner.get(partition),
        )
        for partition in partitions
    ]


async def delete_groups(cluster: Cluster, group_ids: Sequence[str]) -> None:
    """With their offsets. Raises `RequestRefused` for the first that cannot be deleted."""
    for group_id in group_ids:
        await _delete_group(cluster, group_id)


async def _delete_group(cluster: Cluster, group_id: str) -> None:
    request = DeleteGroupsRequest(groups_names=[GroupId(group_id)])

    async def attempt() -> None:
        answer = await cluster.ask_coordinator(group_id, request, DeleteGroupsResponse)
        check(answer.results[0].error_code, f"Group '{group_id}' cannot be deleted")

    await cluster.persist(attempt)


async def _no_such_group(cluster: Cluster, group_id: str) -> RequestRefused:
    for listing in await list_groups(cluster):
        if listing.group_id == group_id and listing.group_type.lower() not in ("", "classic"):
            message = f"Group '{group_id}' is of type '{listing.group_type}'; only classic groups can be described yet."
            return RequestRefused(message, ErrorCode.GROUP_ID_NOT_FOUND)
    message = f"Group '{group_id}' does not exist; `tenure groups list` shows those that do."
    return RequestRefused(message, ErrorCode.GROUP_ID_NOT_FOUND)


def _member(found: DescribedGroupMember) -> MemberDescription:
    try:
        assignment = decode_assignment(found.member_assignment)
    except MalformedMessage:  # no bytes before the first sync, or no "consumer" group
        partitions: tuple[TopicPartition, ...] = ()
    else:
        partitions = tuple(
            sorted(
                TopicPartition(of_topic.topic, partition)
                for of_topic in assignment.assigned_partitions
                for partition in of_topic.partitions
            )
        )
    host = found.client_host.removeprefix("/")
    return MemberDescription(found.group_instance_id, found.member_id, found.client_id, host, partitions)
