"""DeleteRecords requests to the leaders of partitions."""

from collections.abc import Mapping

from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import Cluster
from tenure.client.queries.partition_queries import check_partition
from tenure.client.values import TopicPartition
from tenure.protocol.messages import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
)
from tenure.protocol.types import PartitionId, TopicName


async def delete_records(cluster: Cluster, offsets: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
    """Delete the records of each partition below an offset. Return the new start offsets.

    Raises:
        UnknownTopic: A topic or partition does not exist.
        RequestRefused: The broker refused, for example because the client may not DELETE the topic.
    """
    starts: dict[TopicPartition, int] = {}

    async def attempt() -> None:
        by_leader: dict[BrokerAddress, dict[TopicPartition, int]] = {}
        for partition in sorted(offsets.keys() - starts.keys()):
            by_leader.setdefault(await cluster.leader(partition), {})[partition] = offsets[partition]
        for leader, wanted in by_leader.items():
            connection = await cluster.connection(leader)
            request = _request(wanted, cluster.request_timeout_ms)
            answer = await connection.request(request, DeleteRecordsResponse, timeout_ms=cluster.request_timeout_ms)
            _collect(cluster, answer, starts)

    await cluster.retry(attempt)
    return starts


def _request(offsets: Mapping[TopicPartition, int], timeout_ms: int) -> DeleteRecordsRequest:
    by_topic: dict[str, list[DeleteRecordsPartition]] = {}
    for (topic, partition), offset in offsets.items():
        by_topic.setdefault(topic, []).append(DeleteRecordsPartition(PartitionId(partition), offset))
    return DeleteRecordsRequest(
        [DeleteRecordsTopic(TopicName(name), partitions) for name, partitions in by_topic.items()], timeout_ms
    )


def _collect(cluster: Cluster, answer: DeleteRecordsResponse, starts: dict[TopicPartition, int]) -> None:
    """Store the new start offsets of a response in `starts`, then raise its first error, if there is one."""
    results = [
        (TopicPartition(topic.name, each.partition_index), each) for topic in answer.topics for each in topic.partitions
    ]
    starts.update({partition: each.low_watermark for partition, each in results if not each.error_code})
    for partition, each in results:
        check_partition(cluster, partition, each.error_code, f"Records of {partition} could not be deleted")
