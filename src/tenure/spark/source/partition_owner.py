"""What a streaming query has of its topics: as a member of a group, or by hand.

Spark tells a source that a batch is done when it asks for the next one. So that is when offsets are committed, and only
then is what the group wants back given up: until a quarter of the rebalance timeout has passed the group waits for it.
While a batch runs nobody polls, and `max.poll.interval.ms` watches over it as over any consumer.
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

AGAIN_S: Final = 0.1
"""Between two looks for a seat."""


class PartitionOwner(Protocol):
    @property
    def held(self) -> Mapping[TopicPartition, int]:
        """Partitions of the query, with the id of their ownership: another id means that it was lost meanwhile."""

    def attend(self, timeout_s: float = 0.0) -> None:
        """Hear what happened. Raises what ended the seat."""

    def commit(self, done: PartitionOffsets) -> None:
        """Commit those that are still owned. Raises where the outcome stays unknown, or the membership is lost."""

    def let_go(self) -> None:
        """Between two batches: give up what the group wants back."""

    @property
    def is_seated(self) -> bool: ...

    def committed(self, wanted: Collection[TopicPartition]) -> PartitionOffsets:
        """What is committed of these; without those that have no commit."""

    def close(self) -> None: ...


def partition_owner(options: SourceOptions) -> PartitionOwner:
    return AssignedPartitionOwner(options) if options.assign else GroupPartitionOwner(options)


class AssignedPartitionOwner:
    """Partitions that nobody shares. With a group id their offsets are committed all the same, for whoever looks."""

    is_seated: Final = True

    def __init__(self, options: SourceOptions) -> None:
        self.group_id = options.group_id
        self.cluster = cluster_of(options)
        self.held: Mapping[TopicPartition, int] = dict.fromkeys(partitions(options), 0)

    def attend(self, timeout_s: float = 0.0) -> None:
        pass

    def commit(self, done: PartitionOffsets) -> None:
        if self.group_id is None or not done:
            return
        offsets = {partition: OffsetAndMetadata(offset) for partition, offset in done.items()}
        outcome = run(commit_from_outside(self.cluster, self.group_id, offsets))
        for partition, error_code in outcome.items():
            check(error_code, f"The offset of {partition} cannot be committed for group '{self.group_id}'")

    def let_go(self) -> None:
        pass

    def committed(self, wanted: Collection[TopicPartition]) -> PartitionOffsets:
        if self.group_id is None:
            return {}
        found = run(committed_offsets(self.cluster, self.group_id, wanted))
        return {partition: at.offset for partition, at in found.items()}

    def close(self) -> None:
        pass


class GroupPartitionOwner:
    def __init__(self, options: SourceOptions) -> None:
        self.options = options
        self.held: dict[TopicPartition, int] = {}
        self.wanted_back: set[TopicPartition] = set()
        """Invariant: part of `held`."""
        self.is_seated = False
        self.topics = topics(options)
        if not self.topics:
            raise ConfigurationError(f"No topic matches '{options.subscribe_pattern}': create one first.")
        self.look_again_s = time.monotonic() + options.metadata_max_age_ms / 1000
        rebalance_timeout_ms = options.member["max_poll_interval_ms"]
        self.member = GroupMember(
            options.cluster, topics=self.topics, rebalance_timeout_ms=rebalance_timeout_ms, **options.member
        )
        self.member.start()

    # --- what happens -------------------------------------------------------------------------------------------------

    def attend(self, timeout_s: float = 0.0) -> None:
        self.look_for_topics()
        for event in self.member.poll(timeout_s):
            self.hear(event)

    def hear(self, event: Event) -> None:
        match event:
            case Assigned(_, partitions, added):
                self.is_seated = True
                self.wanted_back -= set(added)
                kept = {at: tenure for at, tenure in self.held.items() if at in partitions or at in self.wanted_back}
                ownership_ids = self.member.ownership_ids
                self.held = kept | {at: ownership_ids[at] for at in partitions if at in added}
            case Revoked(partitions):
                self.wanted_back |= self.held.keys() & set(partitions)
            case Lost(partitions):
                self.is_seated = False
                self.drop(partitions)

    def drop(self, partitions: Collection[TopicPartition]) -> None:
        self.held = {at: tenure for at, tenure in self.held.items() if at not in partitions}
        self.wanted_back -= set(partitions)

    def let_go(self) -> None:
        if self.wanted_back:
            self.drop(self.wanted_back)
            self.is_seated = bool(self.held)  # who has given up everything is about to be told what it gets instead
            self.member.acknowledge_revocation()

    def look_for_topics(self) -> None:
        """A pattern is looked at again every now and then."""
        if self.options.subscribe_pattern is None or time.monotonic() < self.look_again_s:
            return
        self.look_again_s = time.monotonic() + self.options.metadata_max_age_ms / 1000
        found = topics(self.options)
        if found and found != self.topics:
            self.topics = found
            self.member.resubscribe(found)

    # --- offsets ------------------------------------------------------------------------------------------------------

    def commit(self, done: PartitionOffsets) -> None:
        offsets = {partition: OffsetAndMetadata(offset) for partition, offset in done.items()}
        self.member.commit_owned(offsets, {partition: self.held[partition] for partition in done})

    def committed(self, wanted: Collection[TopicPartition]) -> PartitionOffsets:
        found = self.member.committed(wanted) if wanted else {}
        return {partition: at.offset for partition, at in found.items() if at is not None}

    def close(self) -> None:
        self.member.close()
