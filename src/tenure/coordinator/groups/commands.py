"""Commands of the groups shard, independent of the wire format, so that new API versions need no new rules.

A handler sends one command per group; a request for several groups becomes several commands. `answers.py` has the
answers. Every command may also be answered with `Refused`.
"""

from collections.abc import Callable, Mapping, Sequence

from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.streams.tasks import Tasks
from tenure.coordinator.values import value
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupTopologyValue
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    Marker,
    MemberId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
)


@value
class JoinGroup:
    """Join of a classic member. Answered with `Joined`, perhaps after a long wait (rules 2.4-2.8)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    """Rebalance timeout. Version 0 has none, so the handler passes the session timeout (rule 2.1)."""
    protocol_type: str
    protocols: Sequence[tuple[str, bytes]]
    """(name, metadata) of each protocol, in the member's order of preference."""
    known_member_id_required: bool = True
    """True from version 4 on: a dynamic member gets its id with MEMBER_ID_REQUIRED, and joins again (KIP-394)."""
    skip_assignment_supported: bool = True
    """True from version 9 on: a restarted leader can be told to skip the assignment (KIP-814)."""
    reason: str = ""
    """Reason for joining, as the client states it; from version 8 on (KIP-800)."""
    may_describe: Callable[[TopicName], bool] | None = None
    """Function that returns whether the client may describe a topic; None if it may describe all topics.

    If this request causes a search for the topics that match a regular expression, the group gets only these topics.
    """


@value
class SyncGroup:
    """Sync of a classic member. Answered with `Synced` when the leader has sent the assignments (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    protocol_type: str | None
    protocol_name: str | None
    assignments: dict[MemberId, bytes]
    """Assignment by member id; empty unless the member is the leader."""
    protocol_required: bool = True
    """True from version 5 on: protocol type and name must not be null."""


@value
class Heartbeat:
    """Heartbeat of a classic member. Answered with `Accepted` (rule 2.10)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId


@value
class ConsumerHeartbeat:
    """Heartbeat of a member of the consumer protocol. Answered with `HeartbeatAnswered` (rules 3.3-3.6).

    A field of None has not changed since the last heartbeat.
    """

    group_id: GroupId
    member_id: MemberId
    member_epoch: int
    """Member epoch, or one of JOINS, LEAVES and LEAVES_FOR_NOW."""
    instance_id: InstanceId | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    subscribed_topic_names: Sequence[TopicName] | None = None
    subscribed_topic_regex: str | None = None
    server_assignor: str | None = None
    owned: Sequence[tuple[TopicId, Sequence[PartitionId]]] | None = None
    client_id: str = ""
    client_host: str = ""
    draws_own_id: bool = True
    """True from version 1 on: the client generates the member id. In version 0, the coordinator does."""
    may_describe: Callable[[TopicName], bool] | None = None
    """Function that returns whether the client may describe a topic; None if it may describe all topics.

    If this request causes a search for the topics that match a regular expression, the group gets only these topics.
    """


@value
class StreamsHeartbeat:
    """Heartbeat of a streams member. Answered with `StreamsHeartbeatAnswered` (rule 5.2).

    A field of None has not changed since the last heartbeat.
    """

    group_id: GroupId
    member_id: MemberId
    member_epoch: int
    """Member epoch, or one of JOINS, LEAVES and LEAVES_FOR_NOW."""
    instance_id: InstanceId | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    topology: StreamsGroupTopologyValue | None = None
    """Topology; sent when a member joins, and only then."""
    owned: tuple[Sequence[tuple[str, Sequence[PartitionId]]] | None, ...] = (None, None, None)
    """Active, standby and warm-up tasks that the member owns, each as (subtopology id, partitions)."""
    process_id: str | None = None
    user_endpoint: tuple[str, int] | None = None
    client_tags: Mapping[str, str] | None = None
    task_offsets: Mapping[tuple[str, PartitionId], int] | None = None
    """Sum of the changelog offsets, for each task whose state is on the member's disk."""
    task_end_offsets: Mapping[tuple[str, PartitionId], int] | None = None
    """Sum of the end offsets of the changelogs, for each of these tasks."""
    shutdown_application: bool = False
    endpoint_epoch: int = 0
    client_id: str = ""
    client_host: str = ""
    knows_missing_tags: bool = True
    """True from version 1 on: the response may have the status MISSING_CLIENT_TAGS."""


@value
class RegexResolved:
    """Result of the effect `ResolveRegex` (rule 3.8). It is not answered."""

    group_id: GroupId
    effect: object
    """Effect that produced this result. If the group no longer waits for this effect, the result is ignored."""
    resolved: Mapping[str, Sequence[TopicName]]
    """Matching topics in ascending order, by regular expression."""


@value
class TargetComputed:
    """Result of the effect `Assign` (rule 3.4, step 4). It is not answered."""

    group_id: GroupId
    effect: object
    """Effect that produced this result. If the group no longer waits for this effect, the result is ignored."""
    targets: Mapping[MemberId, TargetAssignment]
    """New target by member, for members whose target has changed."""
    arrays: object | None = None
    """`GroupArrays` with the new owners, for the next assignment; None if the assignor failed."""
    failure: str = ""
    """Error of the assignor; empty on success."""


@value
class TaskTargetComputed:
    """Result of the effect `AssignTasks` (rule 5.2, point 8). It is not answered."""

    group_id: GroupId
    effect: object
    """Effect that produced this result. If the group no longer waits for this effect, the result is ignored."""
    targets: Mapping[MemberId, Tasks]
    """New target by member, for members whose target has changed."""
    arrays: object | None = None
    """`TaskArrays` with the new targets, for the next assignment; None if a topic is missing."""


@value
class Leaver:
    """Member that a LeaveGroup removes. A request of an operator has only the instance id; `member_id` is then ""."""

    member_id: MemberId
    group_instance_id: InstanceId | None = None
    reason: str = ""
    """Reason for leaving, as the client states it; from version 5 on (KIP-800)."""


@value
class LeaveGroup:
    """Removal of members. Answered with `Left`, with one error code per member (rule 2.11).

    A LeaveGroup request in version 0 to 2 has one member, and so has its command.
    """

    group_id: GroupId
    members: Sequence[Leaver]


@value
class OffsetToCommit:
    """Offset of one partition. `topic_id` is zero if it is unknown, `leader_epoch` -1 if there is none."""

    topic: TopicName
    topic_id: TopicId
    partition: PartitionId
    offset: int
    leader_epoch: int = -1
    metadata: str | None = None


@value
class CommitOffsets:
    """Commit of offsets. Answered with `Committed` (rule 2.13). The handler has refused unknown partitions already."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    retention_time_ms: int = -1
    """Retention in ms, in versions 2-4 only; -1 for the broker's `offsets.retention.minutes`."""
    member_epochs_supported: bool = True
    """True from version 9 on: `generation_id` may be a member epoch.

    In earlier versions, ILLEGAL_GENERATION replaces the error GROUP_ID_NOT_FOUND.
    """


@value
class CommitInTransaction:
    """Commit of offsets in a transaction, pending until the transaction ends. Answered with `Committed` (rule 2.14).

    The sender has checked two conditions: the transaction is open, and it contains the partition of
    `__consumer_offsets` that has this group.
    """

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    producer_id: ProducerId
    producer_epoch: int
    member_epochs_supported: bool = True
    """True from version 6 on: `generation_id` may be a member epoch (KIP-1319).

    In earlier versions, ILLEGAL_GENERATION replaces the errors GROUP_ID_NOT_FOUND and STALE_MEMBER_EPOCH.
    """


@value
class EndOfTransaction:
    """Marker that ends a producer's transaction in this shard. Answered with `Accepted` when the marker is durable."""

    marker: Marker


@value
class OffsetsWanted:
    """Requested partitions of one topic.

    With a `topic_id`, offsets that were committed under another id are not returned.
    """

    topic: TopicName
    topic_id: TopicId
    partitions: Sequence[PartitionId]


@value
class FetchOffsets:
    """Request for committed offsets. Answered with `Fetched` (rule 2.15).

    `topics` is None for all offsets of the group.
    """

    group_id: GroupId
    topics: Sequence[OffsetsWanted] | None
    require_stable: bool = False
    member_id: MemberId | None = None
    """Member of a consumer group that sends the request, from version 9 on; None for any other client."""
    member_epoch: int = -1


@value
class DescribeGroup:
    """Request for the description of a classic group. Answered with `Described` (rule 2.16).

    In versions 0 to 5 of DescribeGroups, an unknown group is described as "Dead". Later versions refuse the request
    with GROUP_ID_NOT_FOUND.
    """

    group_id: GroupId


@value
class DescribeConsumerGroup:
    """Request for the description of a consumer group. Answered with `DescribedConsumerGroup` (rule 3.11)."""

    group_id: GroupId


@value
class DescribeStreamsGroup:
    """Request for the description of a streams group. Answered with `DescribedStreamsGroup` (rule 5.6)."""

    group_id: GroupId


@value
class ListGroups:
    """Request for a list of this shard's groups. Answered with `Listed`.

    The filters ignore case. An empty filter matches all groups (rule 2.16).
    """

    states: Sequence[str] = ()
    types: Sequence[str] = ()


@value
class DeleteGroup:
    """Deletion of a group. Answered with `Accepted` (rule 2.17)."""

    group_id: GroupId


@value
class DeleteOffsets:
    """Deletion of offsets. Answered with `OffsetsDeleted` (rule 2.17).

    The handler has refused unknown topics already.
    """

    group_id: GroupId
    partitions: Sequence[tuple[TopicName, PartitionId]]


@value
class ExpireOffsets:
    """Request for the next step of the shard's search for expired offsets. It is not answered."""


@value
class ContinueOffsetRemoval:
    """Request for the next step in the removal of many offsets (`offsets/removal_in_steps.py`). It is not answered."""


@value
class ConfigureGroup:
    """Change of the configs of a group that may not exist yet; `configs` are all its configs. Answered with `Accepted`.

    `at_load` is true if the shard gets the configs after a load. They have not changed then, so no rebalance follows.
    """

    group_id: GroupId
    configs: GroupConfigs
    at_load: bool = False


@value
class ConfigureDefaults:
    """Change of the default configs, which apply to groups without configs of their own. Answered with `Accepted`."""

    configs: GroupConfigs


@value
class TopicsDeleted:
    """Deletion of all offsets that are committed for deleted topics (rule 6.4.7). Answered with `Accepted`."""

    topics: Sequence[TopicName]


@value
class Resign:
    """End of this broker's leadership of the shard. Parked joins and syncs get NOT_COORDINATOR (rule 6.5.5)."""
