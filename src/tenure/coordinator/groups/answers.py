"""Answers of the groups shard, besides `Refused` and `Accepted`. Handlers translate them into responses."""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.groups.consumer.member import Assigned
from tenure.coordinator.groups.streams.endpoints import EndpointPartitions
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import AssignedTasks, Tasks
from tenure.coordinator.groups.streams.topic_plan import InternalTopic, TopicPlan
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName


@value
class JoinedMember:
    """Member in the answer to the leader. `metadata` is its subscription under the selected protocol."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    metadata: bytes


@value
class Joined:
    """Answer to a join: the member's place in the generation. `members` is empty for all but the leader."""

    generation_id: GenerationId
    protocol_type: str
    protocol_name: str
    leader: MemberId
    member_id: MemberId
    members: Sequence[JoinedMember] = ()
    skip_assignment: bool = False


@value
class Synced:
    """The member's assignment, as its leader wrote it."""

    protocol_type: str
    protocol_name: str
    assignment: bytes


@value
class HeartbeatAnswered:
    """Answer to a consumer heartbeat.

    `assignment` is None if unchanged; a leaving member gets `heartbeat_interval_ms` 0.
    """

    member_id: MemberId
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: Assigned | None


@value
class StreamsHeartbeatAnswered:
    """Answer to a member of a streams group (rule 5.2, point 9)."""

    member_id: MemberId
    member_epoch: int
    heartbeat_interval_ms: int = 0
    """0 for a member that leaves, like the two fields below."""
    task_offset_interval_ms: int = 0
    acceptable_recovery_lag: int = -1
    status: Sequence[tuple[int, str]] = ()
    """Codes and details."""
    assignment: AssignedTasks | None = None
    """None when the member knows it already."""
    endpoint_epoch: int = 0
    endpoints: Sequence[EndpointPartitions] | None = None
    """None when the member knows them already."""
    missing_topics: Sequence[InternalTopic] = ()
    """Internal topics to be created."""


@value
class LeftMember:
    """Result for one leaving member, with both ids as they were sent."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    error_code: ErrorCode


@value
class Left:
    """Answer to LeaveGroup: one entry per leaver, in the order of the command."""

    members: Sequence[LeftMember]


@value
class Committed:
    """Answer to a commit: one error code per offset in the order of the command; empty if all were accepted."""

    error_codes: Sequence[ErrorCode] = ()


ALL_COMMITTED: Final = Committed()


@value
class OffsetsDeleted:
    """Answer to OffsetDelete: one error code per partition, in the order of the command."""

    error_codes: Sequence[ErrorCode]


@value
class FetchedOffset:
    """Committed offset of a partition; -1 with NONE if nothing is committed."""

    partition: PartitionId
    offset: int = -1
    leader_epoch: int = -1
    metadata: str = ""
    error_code: ErrorCode = ErrorCode.NONE


@value
class FetchedTopic:
    """Committed offsets of a topic, with name and id as they were requested.

    In an answer for all topics, the id is that of the commit, or of the present topic; zero if the topic is gone.
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
    """Member of a classic group: `metadata` only while it is Stable, `assignment` until a rebalance drops it."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    metadata: bytes
    assignment: bytes


@value
class Described:
    """Description of a classic group. `state` is one of Kafka's names; `protocol_name` is "" unless it is Stable."""

    group_id: GroupId
    state: str
    protocol_type: str
    protocol_name: str
    members: Sequence[DescribedMember]


@value
class DescribedConsumerMember:
    """Member of a consumer group, with its partitions by topic id. `is_classic`: it uses the classic protocol."""

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
    """Description of a consumer group. `state` is one of Kafka's names."""

    group_id: GroupId
    state: str
    group_epoch: int
    assignment_epoch: int
    assignor: str
    members: Sequence[DescribedConsumerMember]


@value
class DescribedStreamsGroup:
    """`state` is one of Kafka's names; `plan` is None until the topics of the topology were looked at."""

    group_id: GroupId
    state: str
    group_epoch: int
    assignment_epoch: int
    topology: Topology | None
    plan: TopicPlan | None
    members: Sequence[tuple[StreamsMember, Tasks]]
    """Members with their targets."""


@value
class ListedGroup:
    """Group in a list; `group_type` is lower case."""

    group_id: GroupId
    protocol_type: str
    state: str
    group_type: str


@value
class Listed:
    """Answer to ListGroups: the groups of this shard that pass the filters."""

    groups: Sequence[ListedGroup]
