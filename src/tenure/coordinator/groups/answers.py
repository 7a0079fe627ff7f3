"""Answers of the groups shard, besides `Refused` and `Accepted`. Handlers convert them to responses."""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.groups.consumer.member import Assigned
from tenure.coordinator.groups.streams.endpoints import EndpointPartitions
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import AssignedTasks, ReportedOffsets, Tasks
from tenure.coordinator.groups.streams.topic_plan import InternalTopic, TopicPlan
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName


@value
class JoinedMember:
    """Member in the answer to the leader's join. `metadata` belongs to the selected protocol."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    metadata: bytes


@value
class Joined:
    """Answer to a join. `members` is empty except in the answer to the leader."""

    generation_id: GenerationId
    protocol_type: str
    protocol_name: str
    leader: MemberId
    member_id: MemberId
    members: Sequence[JoinedMember] = ()
    skip_assignment: bool = False


@value
class Synced:
    """Answer to a sync: the assignment of the member, as the leader sent it."""

    protocol_type: str
    protocol_name: str
    assignment: bytes


@value
class HeartbeatAnswered:
    """Answer to a consumer heartbeat.

    `assignment` is None if it has not changed. `heartbeat_interval_ms` is 0 for a member that leaves.
    """

    member_id: MemberId
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: Assigned | None


@value
class StreamsHeartbeatAnswered:
    """Answer to a heartbeat of a streams member (rule 5.2, point 9)."""

    member_id: MemberId
    member_epoch: int
    heartbeat_interval_ms: int = 0
    """Interval in ms.

    For a member that leaves, the two intervals are 0, and `acceptable_recovery_lag` is -1.
    """
    task_offset_interval_ms: int = 0
    acceptable_recovery_lag: int = -1
    status: Sequence[tuple[int, str]] = ()
    """(code, detail) of each status."""
    assignment: AssignedTasks | None = None
    """Assigned tasks; None if they have not changed."""
    endpoint_epoch: int = 0
    endpoints: Sequence[EndpointPartitions] | None = None
    """Endpoints of the group; None if they have not changed."""
    missing_topics: Sequence[InternalTopic] = ()
    """Internal topics that the broker has to create."""


@value
class LeftMember:
    """Result for one member that leaves, with the member id and the instance id in the request."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    error_code: ErrorCode


@value
class Left:
    """Answer to LeaveGroup: one entry per leaving member, in the order of the command."""

    members: Sequence[LeftMember]


@value
class Committed:
    """Answer to a commit: one error code per offset, in the order of the command; empty if all were accepted."""

    error_codes: Sequence[ErrorCode] = ()


ALL_COMMITTED: Final = Committed()


@value
class OffsetsDeleted:
    """Answer to OffsetDelete: one error code per partition, in the order of the command."""

    error_codes: Sequence[ErrorCode]


@value
class FetchedOffset:
    """Committed offset of a partition, or an error code; the offset is -1 if none was committed."""

    partition: PartitionId
    offset: int = -1
    leader_epoch: int = -1
    metadata: str = ""
    error_code: ErrorCode = ErrorCode.NONE


@value
class FetchedTopic:
    """Committed offsets of a topic, with the name and id as in the request.

    A request for all topics names no ids. Then `topic_id` is the id with which the offsets were committed. If they were
    committed without an id, `topic_id` is the topic's present id, or zero if the topic does not exist.
    """

    topic: TopicName
    topic_id: TopicId
    partitions: Sequence[FetchedOffset]


@value
class Fetched:
    """Committed offsets, in the order of the command."""

    topics: Sequence[FetchedTopic]


@value
class DescribedMember:
    """Member of a classic group. `metadata` is empty unless the group is Stable; a rebalance clears `assignment`."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    metadata: bytes
    assignment: bytes


@value
class Described:
    """Description of a classic group. `state` is the name of the state in Kafka.

    `protocol_name` is "" unless the group is Stable.
    """

    group_id: GroupId
    state: str
    protocol_type: str
    protocol_name: str
    members: Sequence[DescribedMember]


@value
class DescribedConsumerMember:
    """Member of a consumer group, with its partitions by topic id.

    `is_classic` is true if the member uses the classic protocol.
    """

    member_id: MemberId
    instance_id: InstanceId | None
    rack_id: str | None
    member_epoch: int
    client_id: str
    client_host: str
    subscribed_topic_names: Sequence[TopicName]
    subscribed_topic_regex: str
    assigned: Sequence[tuple[TopicId, Sequence[PartitionId]]]
    target: Sequence[tuple[TopicId, Sequence[PartitionId]]]
    is_classic: bool


@value
class DescribedConsumerGroup:
    """Description of a consumer group. `state` is the name of the state in Kafka."""

    group_id: GroupId
    state: str
    group_epoch: int
    assignment_epoch: int
    assignor: str
    members: Sequence[DescribedConsumerMember]


@value
class DescribedStreamsGroup:
    """Description of a streams group. `state` is the name of the state in Kafka."""

    group_id: GroupId
    state: str
    group_epoch: int
    assignment_epoch: int
    topology: Topology | None
    plan: TopicPlan | None
    """Plan of the topics of its topology; None before these topics were checked."""
    members: Sequence[tuple[StreamsMember, Tasks, ReportedOffsets]]
    """Members, each with its target assignment and the offsets that it has reported."""


@value
class ListedGroup:
    """Group in a list. `group_type` is in lower case."""

    group_id: GroupId
    protocol_type: str
    state: str
    group_type: str


@value
class Listed:
    """Answer to ListGroups: the groups of this shard that match the filters."""

    groups: Sequence[ListedGroup]
