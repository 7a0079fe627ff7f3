"""What anybody may ask a coordinator about a group: its members, and what it has committed."""

from collections.abc import Iterable

from tenure.client.cluster import Cluster, TryAgain, check
from tenure.client.errors import RequestTimedOut
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedConsumerGroup,
    DescribedGroup,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)
from tenure.protocol.types import GroupId, PartitionId, TopicName

BY_NAME_MAX_VERSION = 9
"""OffsetFetch and OffsetCommit v10 know topics by id only."""


async def describe_group(cluster: Cluster, group_id: str) -> DescribedGroup:
    async def attempt() -> DescribedGroup:
        request = DescribeGroupsRequest(groups=[GroupId(group_id)])
        answer = await cluster.ask_coordinator(group_id, request, DescribeGroupsResponse)
        check(answer.groups[0].error_code, f"Group '{group_id}' cannot be described")
        return answer.groups[0]

    return await cluster.persist(attempt)


async def describe_consumer_group(cluster: Cluster, group_id: str) -> DescribedConsumerGroup:
    """Of a group of KIP-848. Raises `UnsupportedByBroker` where there are none."""

    async def attempt() -> DescribedConsumerGroup:
        request = ConsumerGroupDescribeRequest(group_ids=[GroupId(group_id)])
        answer = await cluster.ask_coordinator(group_id, request, ConsumerGroupDescribeResponse)
        check(answer.groups[0].error_code, f"Group '{group_id}' cannot be described")
        return answer.groups[0]

    return await cluster.persist(attempt)


Stable = tuple[dict[TopicPartition, OffsetAndMetadata], set[TopicPartition]]
"""What is committed, and the partitions whose commit an open transaction may still change."""


class Unstable(TryAgain):
    """An open transaction may still change a committed offset. It ends by itself, at its time-out at the latest."""

    def __init__(self, group_id: str, partition: TopicPartition) -> None:
        super().__init__(
            f"The offset of group '{group_id}' for {partition} is not certain while a transaction is open that may "
            "change it: it ends at its 'transaction.timeout.ms' at the latest, and `tenure transactions list --state "
            "ongoing` says whose it is.",
            ErrorCode.UNSTABLE_OFFSET_COMMIT,
        )


async def committed_offsets(
    cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition] | None, *, require_stable: bool = True
) -> dict[TopicPartition, OffsetAndMetadata]:
    """What is committed, for the given partitions or for all; what has no commit is not in the answer.

    What is unstable is waited for where a stable one is required (rule 2.15). Raises `RequestTimedOut` where that takes
    too long.
    """
    request = _offset_fetch(group_id, None if partitions is None else sorted(partitions), require_stable)

    async def attempt() -> dict[TopicPartition, OffsetAndMetadata]:
        committed, unstable = await _fetched(cluster, group_id, request)
        if unstable:
            raise Unstable(group_id, min(unstable))
        return committed

    try:
        return await cluster.persist(attempt)
    except Unstable as error:
        raise RequestTimedOut(str(error)) from error


async def stable_offsets(cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition]) -> Stable:
    """The same without waiting for what is unstable."""
    request = _offset_fetch(group_id, sorted(partitions), require_stable=True)
    return await cluster.persist(lambda: _fetched(cluster, group_id, request))


async def _fetched(cluster: Cluster, group_id: str, request: OffsetFetchRequest) -> Stable:
    """One attempt."""
    connection = await cluster.connection(await cluster.coordinator(group_id))
    answer = await connection.request(
        request,
        OffsetFetchResponse,
        timeout_ms=cluster.request_timeout_ms,
        min_version=8,
        max_version=BY_NAME_MAX_VERSION,
    )
    return _committed(answer, group_id)


def _offset_fetch(group_id: str, partitions: list[TopicPartition] | None, require_stable: bool) -> OffsetFetchRequest:
    topics: list[OffsetFetchRequestTopics] | None = None
    if partitions is not None:
        by_topic: dict[str, list[PartitionId]] = {}
        for topic, partition in partitions:
            by_topic.setdefault(topic, []).append(PartitionId(partition))
        topics = [
            OffsetFetchRequestTopics(name=TopicName(topic), partition_indexes=indexes)
            for topic, indexes in by_topic.items()
        ]
    group = OffsetFetchRequestGroup(group_id=GroupId(group_id), topics=topics)
    return OffsetFetchRequest(groups=[group], require_stable=require_stable)


def _committed(answer: OffsetFetchResponse, group_id: str) -> Stable:
    group = answer.groups[0]
    check(group.error_code, f"The offsets of group '{group_id}' cannot be read")
    committed: dict[TopicPartition, OffsetAndMetadata] = {}
    unstable: set[TopicPartition] = set()
    for topic in group.topics:
        for found in topic.partitions:
            partition = TopicPartition(topic.name, found.partition_index)
            if found.error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT:
                unstable.add(partition)
                continue
            check(found.error_code, f"The offset of group '{group_id}' for {partition} cannot be read")
            if found.committed_offset >= 0:
                committed[partition] = OffsetAndMetadata(
                    found.committed_offset, found.metadata or "", found.committed_leader_epoch
                )
    return committed, unstable
