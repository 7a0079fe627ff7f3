"""Ends of logs: those of the audited topic, and samples of all committed topics, which give the lag of groups.

Samples need DESCRIBE on the topics. Log ends of earlier times are also sampled: the offset of the first record after a
time was the log end at that time. This is correct if each timestamp is about the time at which the record was written.
"""

import time
from collections.abc import Collection, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.admin import Admin
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.reading import parquet_file, visible_files
from tenure.audit.records.coordinator_records import TOPIC
from tenure.audit.tables import COMMITS, LOG_ENDS, TOPICS
from tenure.client.errors import ClientError
from tenure.client.queries.blocking import describe_topic, end_offsets, list_offsets
from tenure.limits.audit import PAST_SAMPLES
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.protocol.special_values import LATEST, READ_COMMITTED
from tenure.protocol.types import ZERO_TOPIC_ID, PartitionId, TopicId, topic_id_text
from tenure.values import TopicPartition

COLUMNS: Final = ["topic", "partition", "first_time"]


def present_ends(cluster: Mapping[str, Any]) -> dict[int, int]:
    """Return the end of each partition of `__consumer_offsets`, which is before its first open transaction.

    A run that does not follow the log reads up to these ends. A cluster with active groups writes all the time, so a
    run that looked for the end again and again might not find it.
    """
    topic = describe_topic(cluster, TOPIC, patience_ms=STARTUP_PATIENCE_MS)
    partitions = [TopicPartition(TOPIC, PartitionId(number)) for number in range(len(topic.partitions))]
    ends = end_offsets(cluster, partitions, isolation_level=READ_COMMITTED)
    return {at.partition: offset for at, offset in ends.items()}


class LogEndSampler:
    """Sampler of the log ends of all partitions for which groups have committed offsets."""

    def __init__(self, cluster: Mapping[str, Any], directory: AuditDirectory) -> None:
        self.cluster: Final = cluster
        self.directory: Final = directory
        self.read: set[str] = set()
        """Files of the table of commits that this sampler has read."""
        self.partitions: set[TopicPartition] = set()
        self.first_ms: int | None = None
        """Time of the earliest commit in ms since the epoch; None before the first file was read."""

    def sample(self, at_ms: int | None = None) -> None:
        """Write the log ends at one time. The first call for a directory also writes the log ends at earlier times.

        Write nothing if a request fails.

        Args:
            at_ms: Time up to which commits were read, in ms since the epoch; default: now.
        """
        self._read_new_commit_files()
        try:
            topics = self._describe_topics()
            existing = {topic for topic, _, _ in topics}
            wanted = sorted(each for each in self.partitions if each.topic in existing)
            if not wanted:
                return
            rows = [] if self.directory.names(LOG_ENDS.name) else self._past(wanted, at_ms or now_ms())
            rows += self._ends(wanted, LATEST, now_ms()) if at_ms is None else self._ends_at(wanted, at_ms)
        except (ClientError, OSError):
            return
        self.directory.write_table(LOG_ENDS, rows, f"{now_ms()}")
        self.directory.write_table(TOPICS, topics, "topics")

    def _read_new_commit_files(self) -> None:
        """Read the new files of the table of commits, so that the log ends of their partitions are sampled."""
        for file in visible_files(self.directory, COMMITS):
            if file in self.read:
                continue
            self.read.add(file)
            found = parquet_file(self.directory, COMMITS, file).read(columns=COLUMNS)
            names = found.group_by(["topic", "partition"]).aggregate([]).to_pydict()
            self.partitions |= set(map(TopicPartition, names["topic"], names["partition"]))
            first = pc.min(found["first_time"].cast(pa.int64())).as_py()
            self.first_ms = first if self.first_ms is None else min(first, self.first_ms)

    def _describe_topics(self) -> list[tuple[str, str | None, int]]:
        """Return name, id and number of partitions of each topic for which a group has committed offsets.

        The id is None if the cluster has no topic ids.
        """
        with Admin(self.cluster) as admin:
            found = {topic.topic: topic for topic in admin.list_topics()}
        names = sorted(found.keys() & {each.topic for each in self.partitions})
        return [(name, _id_text(found[name].topic_id), len(found[name].partitions)) for name in names]

    def _past(self, partitions: Collection[TopicPartition], until_ms: int) -> list[tuple[str, int, int, int]]:
        first_ms = self.first_ms or until_ms
        step_ms = max((until_ms - first_ms) // PAST_SAMPLES, 1)
        times = range(first_ms, until_ms, step_ms)
        return [row for at_ms in times for row in self._ends(partitions, at_ms, at_ms)]

    def _ends_at(self, partitions: Collection[TopicPartition], at_ms: int) -> list[tuple[str, int, int, int]]:
        """Return rows with the log end of each partition at a time.

        A partition without a record since that time has its present end.
        """
        rows = self._ends(partitions, at_ms, at_ms)
        found = {TopicPartition(topic, partition) for topic, partition, _, _ in rows}
        return rows + self._ends([each for each in partitions if each not in found], LATEST, at_ms)

    def _ends(
        self, partitions: Collection[TopicPartition], timestamp: int, at_ms: int
    ) -> list[tuple[str, int, int, int]]:
        """Return rows of the table of log ends: the first offset with at least `timestamp` in each partition.

        `at_ms` is the time in the rows; `timestamp` is the same time, or LATEST for the present log ends. Partitions
        whose records are all older than `timestamp` are left out.
        """
        found = list_offsets(self.cluster, dict.fromkeys(partitions, timestamp))
        return [(*partition, at_ms, one.offset) for partition, one in found.items() if one.offset >= 0]


def _id_text(topic_id: bytes) -> str | None:
    return None if topic_id == ZERO_TOPIC_ID else topic_id_text(TopicId(topic_id))


def now_ms() -> int:
    """Return the present time in ms since the epoch."""
    return time.time_ns() // 1_000_000
