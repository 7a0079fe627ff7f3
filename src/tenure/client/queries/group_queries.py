"""Queries about a group's members and committed offsets, by a client that does not join the group."""

from collections.abc import Iterable

from tenure.client.errors import RequestRefused, RequestTimedOut, UnsupportedByBroker
from tenure.client.net.cluster import Cluster, RetriableError, check
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.protocol.apis import ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedConsumerGroup,
    DescribedGroup,
    DescribedStreamsGroup,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from tenure.protocol.types import GroupId, PartitionId, TopicName

ALL_TOPICS_VERSION, STABLE_VERSION, SEVERAL_GROUPS_VERSION = 2, 7, 8
"""First versions of OffsetFetch that can ask for all topics, for stable offsets (Kafka 2.5), and for several groups
(Kafka 3.0)."""

BY_NAME_MAX_VERSION = 9
"""Newest version of OffsetFetch and OffsetCommit that identifies topics by name. Later versions identify them by id."""


async def describe_group(cluster: Cluster, group_id: str) -> DescribedGroup:
    """Describe a classic group."""

    async def attempt() -> DescribedGroup:
        request = DescribeGroupsRequest(groups=[GroupId(group_id)])
        answer = await cluster.request_coordinator(group_id, request, DescribeGroupsResponse)
        check(answer.groups[0].error_code, f"Group '{group_id}' could not be described")
        return answer.groups[0]

    return await cluster.retry(attempt)


async def describe_consumer_group(cluster: Cluster, group_id: str) -> DescribedConsumerGroup:
    """Describe a consumer group (KIP-848). Raises `UnsupportedByBroker` if the broker has no such groups."""

    async def attempt() -> DescribedConsumerGroup:
        request = ConsumerGroupDescribeRequest(group_ids=[GroupId(group_id)])
        answer = await cluster.request_coordinator(group_id, request, ConsumerGroupDescribeResponse)
        check(answer.groups[0].error_code, f"Group '{group_id}' could not be described")
        return answer.groups[0]

    return await cluster.retry(attempt)


async def describe_streams_group(cluster: Cluster, group_id: str) -> DescribedStreamsGroup:
    """Describe a streams group (KIP-1071). Raises `UnsupportedByBroker` if the broker has no such groups."""

    async def attempt() -> DescribedStreamsGroup:
        request = StreamsGroupDescribeRequest(group_ids=[GroupId(group_id)])
        answer = await cluster.request_coordinator(group_id, request, StreamsGroupDescribeResponse)
        check(answer.groups[0].error_code, f"Group '{group_id}' could not be described")
        return answer.groups[0]

    return await cluster.retry(attempt)


async def describe_any_group(cluster: Cluster, group_id: str) -> DescribedGroup | DescribedConsumerGroup | None:
    """Describe a classic or consumer group; return None if the group does not exist.

    Two requests are sent, because each API describes only groups of its own protocol.
    """
    for describe_one in (describe_group, describe_consumer_group):
        try:
            found = await describe_one(cluster, group_id)
        except UnsupportedByBroker:  # older than KIP-848
            break
        except RequestRefused as error:
            if error.error_code is not ErrorCode.GROUP_ID_NOT_FOUND:
                raise
        else:
            if found.group_state != "Dead":  # brokers before Kafka 4 return this for unknown groups (rule 2.16)
                return found
    return None


Stable = tuple[dict[TopicPartition, OffsetAndMetadata], set[TopicPartition]]
"""Committed offsets, and the partitions whose commit an open transaction may still change."""


class Unstable(RetriableError):
    """An open transaction may still change a committed offset, at most until the transaction times out."""

    def __init__(self, group_id: str, partition: TopicPartition) -> None:
        super().__init__(
            f"Committed offset of group '{group_id}' for {partition} is not stable: an open transaction may change "
            "it. The transaction ends at its 'transaction.timeout.ms' at the latest; `tenure transactions list "
            "--state ongoing` shows its owner.",
            ErrorCode.UNSTABLE_OFFSET_COMMIT,
        )


async def committed_offsets(
    cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition] | None, *, require_stable: bool = True
) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return the committed offsets of the given partitions, or of all. Partitions without a commit are left out.

    Args:
        cluster: Cluster of the group.
        group_id: Group id.
        partitions: Partitions; None returns all.
        require_stable: Whether to wait for open transactions that may change an offset (rule 2.15).

    Raises:
        RequestTimedOut: A transaction that may change an offset did not end in time.
    """
    request = _offset_fetch(group_id, None if partitions is None else sorted(partitions), require_stable)

    async def attempt() -> dict[TopicPartition, OffsetAndMetadata]:
        committed, unstable = await _fetch_once(cluster, group_id, request)
        if unstable:
            raise Unstable(group_id, min(unstable))
        return committed

    try:
        return await cluster.retry(attempt)
    except Unstable as error:
        raise RequestTimedOut(str(error)) from error


async def stable_offsets(cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition]) -> Stable:
    """Return the committed offsets that no open transaction can change, and the other partitions. Does not wait."""
    request = _offset_fetch(group_id, sorted(partitions), require_stable=True)
    return await cluster.retry(lambda: _fetch_once(cluster, group_id, request))


async def _fetch_once(cluster: Cluster, group_id: str, request: OffsetFetchRequest) -> Stable:
    """Fetch committed offsets with one request, without retries."""
    connection = await cluster.connection(await cluster.coordinator(group_id))
    oldest = STABLE_VERSION if request.require_stable else ALL_TOPICS_VERSION
    version = connection.usable_version(ApiKey.OFFSET_FETCH, oldest, BY_NAME_MAX_VERSION)
    is_for_several = version >= SEVERAL_GROUPS_VERSION
    answer = await connection.request(
        request if is_for_several else _of_one_group(request),
        OffsetFetchResponse,
        timeout_ms=cluster.request_timeout_ms,
        max_version=BY_NAME_MAX_VERSION,
    )
    return _decode_offsets(answer.groups[0] if is_for_several else answer, group_id)


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


def _of_one_group(request: OffsetFetchRequest) -> OffsetFetchRequest:
    """Return the request in the form that versions before SEVERAL_GROUPS_VERSION have."""
    (group,) = request.groups
    topics = [OffsetFetchRequestTopic(topic.name, topic.partition_indexes) for topic in group.topics or ()]
    return OffsetFetchRequest(
        group_id=group.group_id,
        topics=None if group.topics is None else topics,
        require_stable=request.require_stable,
    )


def _decode_offsets(group: OffsetFetchResponse | OffsetFetchResponseGroup, group_id: str) -> Stable:
    check(group.error_code, f"Offsets of group '{group_id}' could not be read")
    committed: dict[TopicPartition, OffsetAndMetadata] = {}
    unstable: set[TopicPartition] = set()
    for topic in group.topics:
        for found in topic.partitions:
            partition = TopicPartition(topic.name, found.partition_index)
            if found.error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT:
                unstable.add(partition)
                continue
            check(found.error_code, f"Offset of group '{group_id}' for {partition} could not be read")
            if found.committed_offset >= 0:
                committed[partition] = OffsetAndMetadata(
                    found.committed_offset, found.metadata or "", found.committed_leader_epoch
                )
    return committed, unstable
