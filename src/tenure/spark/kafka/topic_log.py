"""Implementation of `Log` with the client."""

from collections.abc import Collection, Mapping
from typing import Final

from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.queries.blocking import describe_topic, list_offsets
from tenure.pipeline.values.membership import Bounds, Log
from tenure.protocol.special_values import EARLIEST, LATEST, READ_COMMITTED
from tenure.protocol.types import ZERO_TOPIC_ID, TopicId, topic_id_text
from tenure.spark.kafka.client_membership import translate_client_errors
from tenure.values import TopicPartition


class TopicLog:
    """Logs of the topics of a cluster. By default a log ends before the first record of an open transaction."""

    def __init__(self, cluster: ClusterConfig, isolation_level: int = READ_COMMITTED) -> None:
        self.cluster = cluster
        self.isolation_level = isolation_level
        self.partition_counts: dict[str, int] = {}
        """Numbers of partitions by topic, as of the last call of `bounds`."""

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        with translate_client_errors():
            first = list_offsets(self.cluster, dict.fromkeys(partitions, EARLIEST))
            last = list_offsets(self.cluster, dict.fromkeys(partitions, LATEST), isolation_level=self.isolation_level)
            ids = {topic: self.topic_id(topic) for topic in {partition.topic for partition in partitions}}
        return {
            at: Bounds(first[at].offset, last[at].offset, last[at].leader_epoch, ids[at.topic]) for at in partitions
        }

    def topic_id(self, topic: str) -> str | None:
        """Return the id of the topic; None if the broker has no topic ids.

        Each call sends a request, because a topic may grow, or be deleted and created again.
        """
        found = describe_topic(self.cluster, topic)
        self.partition_counts[topic] = len(found.partitions)
        found_id = TopicId(found.topic_id)
        return None if found_id == ZERO_TOPIC_ID else topic_id_text(found_id)

    def partition_count(self, topic: str) -> int:
        if topic not in self.partition_counts:
            with translate_client_errors():
                self.topic_id(topic)
        return self.partition_counts[topic]


class BoundedLog:
    """Logs that end at given offsets. Partitions without a given offset have their real end."""

    def __init__(self, log: Log, ending_offsets: Mapping[str, Mapping[int, int]]) -> None:
        self._log: Final = log
        self._ends: Final = ending_offsets

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        return {partition: self._limit(partition, bounds) for partition, bounds in self._log.bounds(partitions).items()}

    def _limit(self, partition: TopicPartition, bounds: Bounds) -> Bounds:
        """Limit the bounds of a partition to its given end offset, even if its log starts after this offset."""
        end = min(self._ends.get(partition.topic, {}).get(partition.partition, bounds.end_offset), bounds.end_offset)
        return bounds._replace(start_offset=min(bounds.start_offset, end), end_offset=end)

    def partition_count(self, topic: str) -> int:
        return self._log.partition_count(topic)
