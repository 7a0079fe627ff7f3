"""Deletion of processed records from the topics between the steps of a streams group.

As in Kafka Streams, such a topic has no retention time, so a pipeline that is stopped for a month loses no record.
Instead, the owner of a partition deletes the records below its committed offset. No other step reads the topic.
"""

import logging
from collections.abc import Collection
from typing import Final

from tenure.client.errors import RequestRefused
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.queries.blocking import delete_records
from tenure.protocol.errors import ErrorCode
from tenure.spark.kafka.streams_memberships import SubtopologyMembership
from tenure.values import TopicPartition

log: Final = logging.getLogger("tenure.pipeline")


class RepartitionPurge:
    """Deletion of processed records from those partitions of `topics` that one member owns."""

    def __init__(self, membership: SubtopologyMembership, cluster: ClusterConfig, topics: Collection[str]) -> None:
        self._membership: Final = membership
        self._cluster: Final = cluster
        self._topics: Final = frozenset(topics)
        self._starts: Final[dict[TopicPartition, int]] = {}
        """Start offset of each partition after the last deletion."""
        self._is_refused = False

    def purge(self) -> None:
        """Delete the records before the committed offsets of the member's partitions.

        If the broker refuses the deletion, log one warning.
        """
        partitions = [at for at in self._membership.member.partitions if at.topic in self._topics]
        committed = self._membership.committed(partitions) if partitions else {}
        processed = {
            at: found.offset
            for at, found in committed.items()
            if found is not None and found.offset > self._starts.get(at, 0)
        }
        if not processed:
            return
        try:
            self._starts.update(delete_records(self._cluster, processed))
        except RequestRefused as error:
            if not self._is_refused:
                self._is_refused = True
                is_denied = error.error_code is ErrorCode.TOPIC_AUTHORIZATION_FAILED
                remedy = "; grant the operation DELETE on the topic" if is_denied else ""
                log.warning(
                    "repartition topics %s grow, because the broker refuses to delete their processed records: %s%s",
                    ", ".join(sorted(self._topics)),
                    error,
                    remedy,
                )
