"""Partitions of a streaming query: owned by a member of a group, or assigned by the user.

Spark requests the next batch after it has finished the previous one. On this request the offsets of the previous batch
are committed, and revoked partitions are released. The group waits for the release of revoked partitions, up to a
quarter of the rebalance timeout. No poll happens while a batch runs, so `max.poll.interval.ms` limits the duration of a
batch, as for any consumer.
"""

import time
from collections.abc import Collection, Mapping
from typing import Final, Protocol

from tenure.client.configuration import ConfigurationError
from tenure.client.group.group_member import GroupMember
from tenure.client.net.cluster import check
from tenure.client.net.event_loop import run
from tenure.client.queries.group_changes import commit_from_outside
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import Assigned, Event, Lost, OffsetAndMetadata, Revoked, TopicPartition
from tenure.spark.source.offset_bounds import PartitionOffsets
from tenure.spark.source.options import SourceOptions
from tenure.spark.source.topics import cluster_of, partitions, topics

POLL_S: Final = 0.1
"""Seconds of one poll while the query waits for its assignment."""


class PartitionOwner(Protocol):
    """Interface to the owned partitions and their committed offsets."""

    @property
    def owned(self) -> Mapping[TopicPartition, int]:
        """Owned partitions, with their ownership ids. The id changes if a partition is lost and assigned again."""

    def poll(self, timeout_s: float = 0.0) -> None:
        """Handle events of the group. Raises the error that ended the membership."""

    def commit(self, done: PartitionOffsets) -> None:
        """Commit the offsets of partitions that are still owned.

        Raises:
            ClientError: The outcome is unknown, or the membership is lost.
        """

    def release_revoked(self) -> None:
        """Release revoked partitions. Call this between two batches."""

    @property
    def has_assignment(self) -> bool: ...

    def committed(self, partitions: Collection[TopicPartition]) -> PartitionOffsets:
        """Return the committed offset of each partition that has one."""

    def close(self) -> None: ...


def partition_owner(options: SourceOptions) -> PartitionOwner:
    """Create the owner of the partitions: without a group for the option `assign`, else as a group member."""
    return AssignedPartitionOwner(options) if options.assign else GroupPartitionOwner(options)


class AssignedPartitionOwner:
    """Owner of partitions that the user assigns. With a group id, offsets are committed for monitoring."""

    has_assignment: Final = True

    def __init__(self, options: SourceOptions) -> None:
        self.group_id = options.group_id
        self.cluster = cluster_of(options)
        self.owned: Mapping[TopicPartition, int] = dict.fromkeys(partitions(options), 0)

    def poll(self, timeout_s: float = 0.0) -> None:
        pass

    def commit(self, done: PartitionOffsets) -> None:
        if self.group_id is None or not done:
            return
        offsets = {partition: OffsetAndMetadata(offset) for partition, offset in done.items()}
        outcome = run(commit_from_outside(self.cluster, self.group_id, offsets))
        for partition, error_code in outcome.items():
            check(error_code, f"The offset of {partition} cannot be committed for group '{self.group_id}'")

    def release_revoked(self) -> None:
        pass

    def committed(self, partitions: Collection[TopicPartition]) -> PartitionOffsets:
        if self.group_id is None:
            return {}
        found = run(committed_offsets(self.cluster, self.group_id, partitions))
        return {partition: at.offset for partition, at in found.items()}

    def close(self) -> None:
        pass


class GroupPartitionOwner:
    """Owner of partitions that a group assigns to this member."""

    def __init__(self, options: SourceOptions) -> None:
        self.options = options
        self.owned: dict[TopicPartition, int] = {}
        self.revoked: set[TopicPartition] = set()
        """Owned partitions that a rebalance revokes, until they are released."""
        self.has_assignment = False
        self.topics = topics(options)
        if not self.topics:
            raise ConfigurationError(f"No topic matches '{options.subscribe_pattern}': create one first.")
        self.next_update_s = time.monotonic() + options.metadata_max_age_ms / 1000
        rebalance_timeout_ms = options.member["max_poll_interval_ms"]
        self.member = GroupMember(
            options.cluster, topics=self.topics, rebalance_timeout_ms=rebalance_timeout_ms, **options.member
        )
        self.member.start()

    # --- membership ---------------------------------------------------------------------------------------------------

    def poll(self, timeout_s: float = 0.0) -> None:
        self.update_topics()
        for event in self.member.poll(timeout_s):
            self.handle(event)

    def handle(self, event: Event) -> None:
        """Handle one event of the group."""
        match event:
            case Assigned(_, partitions, added):
                self.has_assignment = True
                self.revoked -= set(added)
                kept = {at: ownership for at, ownership in self.owned.items() if at in partitions or at in self.revoked}
                ownership_ids = self.member.ownership_ids
                self.owned = kept | {at: ownership_ids[at] for at in partitions if at in added}
            case Revoked(partitions):
                self.revoked |= self.owned.keys() & set(partitions)
            case Lost(partitions):
                self.has_assignment = False
                self.drop(partitions)

    def drop(self, partitions: Collection[TopicPartition]) -> None:
        """Remove partitions that are no longer owned."""
        self.owned = {at: ownership for at, ownership in self.owned.items() if at not in partitions}
        self.revoked -= set(partitions)

    def release_revoked(self) -> None:
        if self.revoked:
            self.drop(self.revoked)
            # A member without any partition waits for its new assignment.
            self.has_assignment = bool(self.owned)
            self.member.acknowledge_revocation()

    def update_topics(self) -> None:
        """Subscribe to all topics that match the pattern now. Does nothing before `metadata.max.age.ms` has passed."""
        if self.options.subscribe_pattern is None or time.monotonic() < self.next_update_s:
            return
        self.next_update_s = time.monotonic() + self.options.metadata_max_age_ms / 1000
        found = topics(self.options)
        if found and found != self.topics:
            self.topics = found
            self.member.resubscribe(found)

    # --- offsets ------------------------------------------------------------------------------------------------------

    def commit(self, done: PartitionOffsets) -> None:
        offsets = {partition: OffsetAndMetadata(offset) for partition, offset in done.items()}
        self.member.commit_owned(offsets, {partition: self.owned[partition] for partition in done})

    def committed(self, partitions: Collection[TopicPartition]) -> PartitionOffsets:
        found = self.member.committed(partitions) if partitions else {}
        return {partition: at.offset for partition, at in found.items() if at is not None}

    def close(self) -> None:
        self.member.close()
