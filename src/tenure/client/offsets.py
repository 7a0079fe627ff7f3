"""Where partitions begin and end, and what topics consist of: questions that a blocking caller asks.

`config` is an address, or has Kafka's keys for TLS and SASL beside it.
"""

from collections.abc import Iterable, Mapping

from tenure.client import partition_queries
from tenure.client.bootstrap import ClusterConfig
from tenure.client.event_loop import run
from tenure.client.partition_queries import EARLIEST, LATEST
from tenure.client.shared_clusters import shared_cluster
from tenure.client.values import ListedOffset, TopicDescription, TopicPartition

__all__ = ["EARLIEST", "LATEST", "beginning_offsets", "describe_topic", "end_offsets", "list_offsets"]


def list_offsets(
    config: ClusterConfig,
    timestamps_ms: Mapping[TopicPartition, int],
    *,
    client_id: str = "tenure",
    isolation_level: int = 0,
) -> dict[TopicPartition, ListedOffset]:
    """As `partition_queries.list_offsets`: of each partition what there is at a timestamp, `EARLIEST` or `LATEST`."""
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
    """The offset that the next record will get; with isolation level 1 that of the first open transaction."""
    return _offsets(config, partitions, LATEST, client_id, isolation_level)


def describe_topic(
    config: ClusterConfig, topic: str, *, client_id: str = "tenure", patience_ms: int | None = None
) -> TopicDescription:
    """Raises `UnknownTopic`. `patience_ms` is how long a broker may be away; by default as long as in all questions."""
    return run(shared_cluster(config, client_id).describe_topics([topic], patience_ms))[0]


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
