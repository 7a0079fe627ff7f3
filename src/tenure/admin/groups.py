"""Operations on groups: list, find, describe and delete groups, and query committed offsets and lags."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tenure.admin.group_description import GroupDescription, classic_group, consumer_group, streams_group, topology_of
from tenure.client.errors import RequestRefused, UnsupportedByBroker
from tenure.client.net.cluster import Cluster, check
from tenure.client.queries.group_changes import delete_group
from tenure.client.queries.group_queries import committed_offsets, describe_any_group, describe_streams_group
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribedGroup, ListGroupsRequest, ListGroupsResponse
from tenure.protocol.special_values import CLASSIC, CONSUMER, LATEST, STREAMS

STATES_WITHOUT_MEMBERS = frozenset({"Empty", "Dead"})
"""States of a group without members. Only then may other clients change the group's committed offsets (rules 2.13,
2.17)."""


class GroupListing(NamedTuple):
    """Type and state of a group."""

    group_id: str
    group_type: str
    protocol_type: str
    state: str

    @property
    def is_describable(self) -> bool:
        """True if `describe` supports the group's type. It does not support share groups and unknown types."""
        return self.group_type.lower() in ("", CLASSIC, CONSUMER, STREAMS)


class GroupPosition(NamedTuple):
    """Committed offset of a group in a partition, with the end of the partition and its owner."""

    partition: TopicPartition
    committed: int | None
    end: int | None
    """End of the partition; None if the partition no longer exists."""
    leader_epoch: int | None
    metadata: str
    member: str | None
    """Instance id of the member that owns the partition, or member id of a dynamic member."""

    @property
    def lag(self) -> int | None:
        """End of the partition minus committed offset; also counts records that retention has already deleted."""
        return None if self.committed is None or self.end is None else max(0, self.end - self.committed)


class DeletedGroup(NamedTuple):
    """Result of the deletion of one group."""

    group_id: str
    trouble: str
    """Reason why the group was not deleted; empty on success."""


async def list_groups(
    cluster: Cluster, *, states: Collection[str] = (), types: Collection[str] = ()
) -> list[GroupListing]:
    """List the groups of all brokers, by querying each broker for the groups that it coordinates.

    Filters ignore case; an empty filter matches all.
    """
    wanted_states, wanted_types = _lower_case(states), _lower_case(types)
    return [
        listing
        for listing in await _all_groups(cluster)
        if (not wanted_states or listing.state.lower() in wanted_states)
        and (not wanted_types or listing.group_type.lower() in wanted_types)
    ]


async def _all_groups(cluster: Cluster) -> list[GroupListing]:

    async def attempt() -> list[GroupListing]:
        listings: list[GroupListing] = []
        for address in await cluster.brokers():
            connection = await cluster.connection(address)
            answer = await connection.request(
                ListGroupsRequest(), ListGroupsResponse, timeout_ms=cluster.request_timeout_ms
            )
            check(answer.error_code, f"Groups of the broker at {address} could not be listed")
            listings += [
                GroupListing(found.group_id, found.group_type, found.protocol_type, found.group_state)
                for found in answer.groups
            ]
        return sorted(listings)

    return await cluster.retry(attempt)


async def describe(cluster: Cluster, group_id: str) -> GroupDescription:
    """Describe a group. Raises `RequestRefused` (GROUP_ID_NOT_FOUND) for an unknown group and for a share group."""
    found = await describe_any_group(cluster, group_id)
    if found is None:
        return await _describe_streams(cluster, group_id)
    coordinator = str(await cluster.retry(lambda: cluster.coordinator(group_id)))
    if isinstance(found, DescribedGroup):
        return classic_group(found, coordinator)
    return consumer_group(found, coordinator)


async def _describe_streams(cluster: Cluster, group_id: str) -> GroupDescription:
    try:
        found = await describe_streams_group(cluster, group_id)
    except UnsupportedByBroker:  # a broker older than KIP-1071
        raise await _no_such_group(cluster, group_id) from None
    except RequestRefused as error:
        if error.error_code is not ErrorCode.GROUP_ID_NOT_FOUND:
            raise
        raise await _no_such_group(cluster, group_id) from None
    topics = {topic for each in topology_of(found) for topic in (*each.sources, *each.repartition_sources)}
    counts = await cluster.partition_counts(topics) if topics else {}
    coordinator = str(await cluster.retry(lambda: cluster.coordinator(group_id)))
    return streams_group(found, coordinator, counts)


async def positions(cluster: Cluster, group: GroupDescription) -> list[GroupPosition]:
    """Return a position for each partition that has a committed offset or that a member owns.

    If an open transaction may change a committed offset, the position has the offset before that transaction.
    """
    committed = await committed_offsets(cluster, group.group_id, None, require_stable=False)
    owner = {partition: member.name for member in group.members for partition in member.partitions}
    partitions = sorted(committed.keys() | owner.keys())
    counts = await cluster.partition_counts({partition.topic for partition in partitions}) if partitions else {}
    existing = [partition for partition in partitions if partition.partition < counts.get(partition.topic, 0)]
    ends = await list_offsets(cluster, dict.fromkeys(existing, LATEST)) if existing else {}
    return [
        GroupPosition(
            partition,
            committed[partition].offset if partition in committed else None,
            ends[partition].offset if partition in ends else None,
            _known_epoch(committed[partition].leader_epoch) if partition in committed else None,
            committed[partition].metadata if partition in committed else "",
            owner.get(partition),
        )
        for partition in partitions
    ]


async def find(cluster: Cluster, group_id: str) -> GroupListing | None:
    """Return type and state of a group, of any type; None if the group does not exist."""
    found = await describe_any_group(cluster, group_id)
    if isinstance(found, DescribedGroup):
        return GroupListing(group_id, CLASSIC, found.protocol_type, found.group_state)
    if found is not None:
        return GroupListing(group_id, CONSUMER, CONSUMER, found.group_state)
    listed = (listing for listing in await _all_groups(cluster) if listing.group_id == group_id)
    return next(listed, None)


async def must_find(cluster: Cluster, group_id: str) -> GroupListing:
    """Return type and state of a group. Raises `RequestRefused` (GROUP_ID_NOT_FOUND) if the group does not exist."""
    found = await find(cluster, group_id)
    if found is None:
        raise await _no_such_group(cluster, group_id)
    return found


async def delete_groups(cluster: Cluster, group_ids: Sequence[str]) -> list[DeletedGroup]:
    """Delete groups and their committed offsets. If one cannot be deleted, the others are deleted nevertheless."""
    return [DeletedGroup(group_id, await _delete(cluster, group_id)) for group_id in group_ids]


async def _delete(cluster: Cluster, group_id: str) -> str:
    error_code = await delete_group(cluster, group_id)
    if error_code is ErrorCode.NONE:
        return ""
    if error_code is ErrorCode.NON_EMPTY_GROUP:
        return f"Group '{group_id}' cannot be deleted: it has members; {how_to_empty(group_id)}."
    if error_code is ErrorCode.GROUP_ID_NOT_FOUND:
        return str(await _no_such_group(cluster, group_id))
    return f"Group '{group_id}' cannot be deleted: {error_code.message} ({error_code.name})."


def how_to_empty(group_id: str) -> str:
    """Return a phrase for error messages: how to remove all members of a group."""
    return f"stop them, or remove crashed ones (`tenure groups remove-members {group_id} --all`)"


async def _no_such_group(cluster: Cluster, group_id: str) -> RequestRefused:
    for listing in await _all_groups(cluster):
        if listing.group_id == group_id and not listing.is_describable:
            message = f"Unsupported type '{listing.group_type}' of group '{group_id}': it cannot be described."
            return RequestRefused(message, ErrorCode.GROUP_ID_NOT_FOUND)
    message = f"Group '{group_id}' does not exist; see `tenure groups list`."
    return RequestRefused(message, ErrorCode.GROUP_ID_NOT_FOUND)


def _known_epoch(leader_epoch: int) -> int | None:
    return leader_epoch if leader_epoch >= 0 else None


def _lower_case(words: Collection[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)
