"""Blocking queries about partitions and topics.

`config` is a broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
"""

from collections.abc import Iterable, Mapping

from tenure.client.errors import UnsupportedByBroker
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.queries import partition_queries, record_deletion
from tenure.client.values import ListedOffset, TopicDescription, TopicPartition
from tenure.protocol.apis import ApiKey
from tenure.protocol.special_values import EARLIEST, LATEST

__all__ = [
    "EARLIEST",
    "LATEST",
    "beginning_offsets",
    "delete_records",
    "describe_topic",
    "end_offsets",
    "has_consumer_protocol",
    "list_offsets",
]

GROUP_VERSION = "group.version"
"""Feature whose level says whether the consumer protocol (KIP-848) is enabled."""

HEARTBEAT_MIN_VERSION = 1
"""First version of ConsumerGroupHeartbeat in which the client chooses its member id."""


def list_offsets(
    config: ClusterConfig,
    timestamps_ms: Mapping[TopicPartition, int],
    *,
    client_id: str = "tenure",
    isolation_level: int = 0,
) -> dict[TopicPartition, ListedOffset]:
    """Return each partition's first offset at or after a timestamp in ms, or at `EARLIEST` or `LATEST`.

    Args:
        config: Address or configuration of the cluster.
        timestamps_ms: Timestamp by partition.
        client_id: Kafka's `client.id`.
        isolation_level: 0 read_uncommitted; 1 read_committed, where a partition ends at its first open transaction.

    Raises:
        UnknownTopic: A topic or partition does not exist.
    """
    cluster = shared_cluster(config, client_id)
    return run(partition_queries.list_offsets(cluster, timestamps_ms, isolation_level=isolation_level))


def beginning_offsets(
    config: ClusterConfig, partitions: Iterable[TopicPartition], *, client_id: str = "tenure"
) -> dict[TopicPartition, int]:
    return _offsets(config, partitions, EARLIEST, client_id, 0)


def end_offsets(
    config: ClusterConfig,
    partitions: Iterable[TopicPartition],
    *,
    client_id: str = "tenure",
    isolation_level: int = 0,
) -> dict[TopicPartition, int]:
    """Return the end offset of each partition.

    With isolation level 1 (read_committed), a partition ends at its first open transaction.
    """
    return _offsets(config, partitions, LATEST, client_id, isolation_level)


def delete_records(
    config: ClusterConfig, offsets: Mapping[TopicPartition, int], *, client_id: str = "tenure"
) -> dict[TopicPartition, int]:
    """Delete the records of each partition below an offset. Return the new start offsets.

    Raises:
        UnknownTopic: A topic or partition does not exist.
        RequestRefused: The broker refused, for example because the client may not DELETE the topic.
    """
    return run(record_deletion.delete_records(shared_cluster(config, client_id), offsets))


def describe_topic(
    config: ClusterConfig, topic: str, *, client_id: str = "tenure", patience_ms: int | None = None
) -> TopicDescription:
    """Describe a topic. Raises `UnknownTopic`.

    Args:
        config: Address or configuration of the cluster.
        topic: Topic name.
        client_id: Kafka's `client.id`.
        patience_ms: Time for retries while no broker is available; default `PATIENCE_MS`.
    """
    return run(shared_cluster(config, client_id).describe_topics([topic], patience_ms))[0]


def has_consumer_protocol(config: ClusterConfig, *, client_id: str = "tenure", patience_ms: int | None = None) -> bool:
    """Return whether the cluster supports consumer groups (KIP-848). Raises `BrokerUnreachable`."""
    return run(_has_consumer_protocol(shared_cluster(config, client_id), patience_ms))


def _offsets(
    config: ClusterConfig,
    partitions: Iterable[TopicPartition],
    timestamp_ms: int,
    client_id: str,
    isolation_level: int,
) -> dict[TopicPartition, int]:
    wanted = dict.fromkeys(partitions, timestamp_ms)
    listed = list_offsets(config, wanted, client_id=client_id, isolation_level=isolation_level)
    return {partition: listed[partition].offset for partition in wanted}


async def _has_consumer_protocol(cluster: Cluster, patience_ms: int | None) -> bool:
    connection = await cluster.retry(cluster.any_connection, patience_ms)
    try:
        connection.usable_version(ApiKey.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_MIN_VERSION)
    except UnsupportedByBroker:
        return False
    return connection.features.get(GROUP_VERSION, 0) >= 1
