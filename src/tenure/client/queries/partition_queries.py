"""ListOffsets queries to the leaders of partitions."""

from collections.abc import Mapping
from typing import Final

from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster, RetriableError, check
from tenure.client.values import ListedOffset, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from tenure.protocol.types import BrokerId, PartitionId, TopicName

NO_REPLICA: Final = BrokerId(-1)
"""Replica id of clients."""

MOVED: Final = frozenset(
    {
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }
)
"""Errors after which metadata are requested again: the leader has moved, or the partition no longer exists."""


def check_partition(cluster: Cluster, partition: TopicPartition, error_code: int, problem: str) -> None:
    """Raise the errors of `tenure.client.net.cluster.check` if the error code is not NONE.

    If the leader has moved, also remove it from the stored metadata, and raise `RetriableError`.
    """
    if error_code in MOVED:
        cluster.forget_leader(partition)
        code = ErrorCode(error_code)
        raise RetriableError(f"{problem}: {code.message} ({code.name}).", code)
    check(error_code, problem)


async def list_offsets(
    cluster: Cluster, timestamps_ms: Mapping[TopicPartition, int], *, isolation_level: int = 0
) -> dict[TopicPartition, ListedOffset]:
    """Return each partition's first offset at or after a timestamp in ms, or at `EARLIEST` or `LATEST`.

    With `isolation_level` 1 (read_committed) a partition ends at its first open transaction.

    Raises:
        UnknownTopic: A topic or partition does not exist.
    """
    found: dict[TopicPartition, ListedOffset] = {}

    async def attempt() -> None:
        by_leader: dict[BrokerAddress, list[TopicPartition]] = {}
        for partition in sorted(timestamps_ms.keys() - found.keys()):
            by_leader.setdefault(await cluster.leader(partition), []).append(partition)
        for leader, partitions in by_leader.items():
            connection = await cluster.connection(leader)
            request = _request({partition: timestamps_ms[partition] for partition in partitions}, isolation_level)
            answer = await connection.request(request, ListOffsetsResponse, timeout_ms=cluster.request_timeout_ms)
            _collect(cluster, answer, found)

    await cluster.retry(attempt)
    return found


def _request(timestamps_ms: Mapping[TopicPartition, int], isolation_level: int) -> ListOffsetsRequest:
    by_topic: dict[str, list[ListOffsetsPartition]] = {}
    for (topic, partition), timestamp_ms in timestamps_ms.items():
        by_topic.setdefault(topic, []).append(
            ListOffsetsPartition(partition_index=PartitionId(partition), timestamp=timestamp_ms)
        )
    topics = [ListOffsetsTopic(name=TopicName(topic), partitions=requested) for topic, requested in by_topic.items()]
    return ListOffsetsRequest(replica_id=NO_REPLICA, isolation_level=isolation_level, topics=topics)


def _collect(cluster: Cluster, answer: ListOffsetsResponse, found: dict[TopicPartition, ListedOffset]) -> None:
    trouble: list[tuple[TopicPartition, int]] = []
    for topic in answer.topics:
        for listed in topic.partitions:
            partition = TopicPartition(topic.name, listed.partition_index)
            if listed.error_code == ErrorCode.NONE:
                found[partition] = ListedOffset(listed.offset, listed.timestamp, listed.leader_epoch)
            else:
                trouble.append((partition, listed.error_code))
    for partition, error_code in trouble:
        check_partition(cluster, partition, error_code, f"Offsets of {partition} could not be read")
