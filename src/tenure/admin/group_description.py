"""Descriptions of classic, consumer and streams groups in one type.

A field is None if the group's protocol does not have it.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from tenure.client.group.assignment import assigned_partitions
from tenure.client.group.subscriptions import holder_of
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import decode_subscription
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import (
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    DescribedGroup,
    DescribedGroupMember,
    DescribedStreamsAssignment,
    DescribedStreamsGroup,
    DescribedStreamsMember,
    DescribedTopicPartitions,
)
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS

PROTOCOLS: Final = {0: CLASSIC, 1: CONSUMER}
"""Name of a member's protocol by its number in KIP-1099; coordinators before Kafka 4.1 do not report it."""


class TaskLists(NamedTuple):
    """Tasks of a streams member by role; each task is a subtopology and a partition number."""

    active: tuple[tuple[str, int], ...]
    standby: tuple[tuple[str, int], ...]
    warmup: tuple[tuple[str, int], ...]


class SubtopologyDescription(NamedTuple):
    """Subtopology of a streams group: its name and the topics that it reads and writes."""

    subtopology: str
    sources: tuple[str, ...]
    repartition_sources: tuple[str, ...]
    repartition_sinks: tuple[str, ...]
    changelogs: tuple[str, ...]


class MemberDescription(NamedTuple):
    """Member of a group, with its subscription and its assignment."""

    group_instance_id: str | None
    member_id: str
    client_id: str
    host: str
    partitions: tuple[TopicPartition, ...]
    topics: tuple[str, ...]
    """Subscribed topics; for a classic group known only while the group is stable."""
    holder: str | None
    """Present holder of the instance id, if it is a process with Tenure's client, else None.

    `host`, in contrast, is the host of the first process that used the instance id.
    """
    protocol: str | None
    """"classic", "consumer" or "streams"; None if the coordinator does not report it."""
    member_epoch: int | None = None
    """Member epoch; -2 for a static member that has left temporarily."""
    target: tuple[TopicPartition, ...] | None = None
    """Partitions of the target assignment."""
    topic_regex: str | None = None
    rack_id: str | None = None
    tasks: TaskLists | None = None
    """Tasks of a member of a streams group."""
    target_tasks: TaskLists | None = None
    process_id: str | None = None
    restoration_lags: tuple[tuple[str, int, int], ...] = ()
    """(subtopology, partition number, lag) of each task whose state the member restores or copies.

    The lag is the number of changelog records that the member's copy of the state lacks, as the member last reported.
    """

    @property
    def name(self) -> str:
        """The instance id, or the member id of a dynamic member."""
        return self.group_instance_id or self.member_id


class GroupDescription(NamedTuple):
    """State of a group, with its members."""

    group_id: str
    state: str
    protocol_type: str
    assignor: str
    """Name of the assignor; for a classic group known only while the group is stable."""
    coordinator: str
    members: tuple[MemberDescription, ...]
    """Members, static ones first, by instance id."""
    group_type: str = CLASSIC
    group_epoch: int | None = None
    assignment_epoch: int | None = None
    """Group epoch of the target assignment."""
    topology_epoch: int | None = None
    topology: tuple[SubtopologyDescription, ...] | None = None
    """Topology of a streams group."""


def classic_group(described: DescribedGroup, coordinator: str) -> GroupDescription:
    """Convert the description of a classic group into a `GroupDescription`."""
    members = _in_order(map(_classic_member, described.members))
    return GroupDescription(
        described.group_id,
        described.group_state,
        described.protocol_type,
        described.protocol_data,
        coordinator,
        members,
    )


def consumer_group(described: DescribedConsumerGroup, coordinator: str) -> GroupDescription:
    """Convert the description of a consumer group into a `GroupDescription`."""
    return GroupDescription(
        described.group_id,
        described.group_state,
        CONSUMER,
        described.assignor_name,
        coordinator,
        _in_order(map(_consumer_member, described.members)),
        CONSUMER,
        described.group_epoch,
        described.assignment_epoch,
    )


def streams_group(described: DescribedStreamsGroup, coordinator: str, counts: Mapping[str, int]) -> GroupDescription:
    """Convert the description of a streams group into a `GroupDescription`.

    `counts` has the number of partitions of each existing topic.
    """
    subtopologies = topology_of(described)
    return GroupDescription(
        described.group_id,
        described.group_state,
        STREAMS,
        described.assignor_name or "",
        coordinator,
        _in_order(_streams_member(member, subtopologies, counts) for member in described.members),
        STREAMS,
        described.group_epoch,
        described.assignment_epoch,
        None if described.topology is None else described.topology.epoch,
        subtopologies,
    )


def topology_of(described: DescribedStreamsGroup) -> tuple[SubtopologyDescription, ...]:
    """Return the subtopologies of a streams group; none before its first member has sent the topology."""
    topology = described.topology
    return tuple(
        SubtopologyDescription(
            each.subtopology_id,
            tuple(each.source_topics),
            tuple(topic.name for topic in each.repartition_source_topics),
            tuple(each.repartition_sink_topics),
            tuple(topic.name for topic in each.state_changelog_topics),
        )
        for each in ((topology.subtopologies if topology is not None else None) or ())
    )


def _in_order(members: Iterable[MemberDescription]) -> tuple[MemberDescription, ...]:
    return tuple(sorted(members, key=lambda member: (member.group_instance_id is None, member.name, member.member_id)))


def _classic_member(described: DescribedGroupMember) -> MemberDescription:
    try:
        partitions = assigned_partitions(described.member_assignment)
    except MalformedMessage:  # empty before the first sync, and for protocol types other than "consumer"
        partitions = ()
    return MemberDescription(
        described.group_instance_id,
        described.member_id,
        described.client_id,
        described.client_host.removeprefix("/"),
        partitions,
        _topics(described.member_metadata),
        holder_of(described.member_metadata),
        CLASSIC,
    )


def _consumer_member(described: DescribedConsumerGroupMember) -> MemberDescription:
    return MemberDescription(
        described.instance_id,
        described.member_id,
        described.client_id,
        described.client_host.removeprefix("/"),
        _partitions(described.assignment.topic_partitions),
        tuple(sorted(described.subscribed_topic_names)),
        None,
        PROTOCOLS.get(described.member_type),
        described.member_epoch,
        _partitions(described.target_assignment.topic_partitions),
        described.subscribed_topic_regex or None,
        described.rack_id,
    )


def _streams_member(
    described: DescribedStreamsMember, topology: Iterable[SubtopologyDescription], counts: Mapping[str, int]
) -> MemberDescription:
    inputs = {each.subtopology: (*each.sources, *each.repartition_sources) for each in topology}
    tasks, target = _task_lists(described.assignment), _task_lists(described.target_assignment)
    return MemberDescription(
        described.instance_id,
        described.member_id,
        described.client_id,
        described.client_host.removeprefix("/"),
        _input_partitions(tasks, inputs, counts),
        tuple(sorted(topic for topics in inputs.values() for topic in topics)),
        None,
        STREAMS,
        described.member_epoch,
        _input_partitions(target, inputs, counts),
        None,
        described.rack_id,
        tasks,
        target,
        described.process_id,
        _restoration_lags(described),
    )


def _restoration_lags(described: DescribedStreamsMember) -> tuple[tuple[str, int, int], ...]:
    """Return (subtopology, partition number, lag) of each task whose offset and end offset the member has reported."""
    ends = {(each.subtopology_id, each.partition): each.offset for each in described.task_end_offsets}
    return tuple(
        (each.subtopology_id, each.partition, max(ends[each.subtopology_id, each.partition] - each.offset, 0))
        for each in described.task_offsets
        if (each.subtopology_id, each.partition) in ends
    )


def _task_lists(assignment: DescribedStreamsAssignment) -> TaskLists:
    roles = (assignment.active_tasks, assignment.standby_tasks, assignment.warmup_tasks)
    return TaskLists(
        *(tuple((each.subtopology_id, partition) for each in ids for partition in each.partitions) for ids in roles)
    )


def _input_partitions(
    tasks: TaskLists, inputs: Mapping[str, Iterable[str]], counts: Mapping[str, int]
) -> tuple[TopicPartition, ...]:
    """Return the existing partitions that the given tasks read."""
    return tuple(
        sorted(
            TopicPartition(topic, at)
            for subtopology, at in tasks.active
            for topic in inputs.get(subtopology, ())
            if at < counts.get(topic, 0)
        )
    )


def _partitions(topics: Iterable[DescribedTopicPartitions]) -> tuple[TopicPartition, ...]:
    return tuple(
        sorted(TopicPartition(topic.topic_name, partition) for topic in topics for partition in topic.partitions)
    )


def _topics(subscription: bytes) -> tuple[str, ...]:
    try:
        return tuple(sorted(decode_subscription(subscription).topics))
    except MalformedMessage:  # empty while the group is not stable, and for protocol types other than "consumer"
        return ()
