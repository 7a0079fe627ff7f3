"""Commands of the groups shard, independent of the wire format: a new API version must not change a rule.

A handler sends one command per group (a request that names several groups becomes several commands). Answers are in
`answers.py`; every command may also be answered with `Refused`.
"""

from collections.abc import Callable, Mapping, Sequence

from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.values import value
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupTopologyValue
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
    """Command answered with `Joined`, perhaps much later (rules 2.4-2.8)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    """Version 0 has none: the handler passes the session timeout (rule 2.1)."""
    protocol_type: str
    protocols: Sequence[tuple[str, bytes]]
    """(name, metadata) in the member's order of preference."""
    known_member_id_required: bool = True
    """True from version 4: a dynamic member first gets its id with MEMBER_ID_REQUIRED (KIP-394)."""
    skip_assignment_supported: bool = True
    """True from version 9: a restarted leader is asked to skip the assignment (KIP-814)."""
    reason: str = ""
    """Reason for which the client joins, as the client states it; from version 8 (KIP-800)."""
    may_describe: Callable[[TopicName], bool] | None = None
    """Topics that regular expressions of the group may match, if this request resolves them; None: all."""


@value
class SyncGroup:
    """Command answered with `Synced`, once the leader has brought the assignments (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    protocol_type: str | None
    protocol_name: str | None
    assignments: dict[MemberId, bytes]
    """Empty unless the member leads."""
    protocol_required: bool = True
    """True from version 5: protocol type and name must not be null."""


@value
class Heartbeat:
    """Command answered with `Accepted` (rule 2.10)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId


@value
class ConsumerHeartbeat:
    """Command answered with `HeartbeatAnswered` (rules 3.3-3.6). Fields that are None have not changed."""

    group_id: GroupId
    member_id: MemberId
    member_epoch: int
    """Epoch of the member, or one of JOINS, LEAVES, LEAVES_FOR_NOW."""
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
    """True from version 1. Before, a member that joins without an id gets one from the coordinator."""
    may_describe: Callable[[TopicName], bool] | None = None
    """Topics that regular expressions of the group may match, if this request resolves them; None: all."""


@value
class StreamsHeartbeat:
    """Answered `StreamsHeartbeatAnswered` (rule 5.2). Fields that are None have not changed since the last one."""

    group_id: GroupId
    member_id: MemberId
    member_epoch: int
    """Epoch of the member, or one of JOINS, LEAVES, LEAVES_FOR_NOW."""
    instance_id: InstanceId | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    topology: StreamsGroupTopologyValue | None = None
    """Given by a member that joins, and only then."""
    owned: tuple[Sequence[tuple[str, PartitionId]] | None, ...] = (None, None, None)
    """Active, standby and warm-up tasks that the member owns, as subtopology id and partition."""
    process_id: str | None = None
    user_endpoint: tuple[str, int] | None = None
    client_tags: Mapping[str, str] | None = None
    task_offsets: Mapping[tuple[str, PartitionId], int] | None = None
    """Sum of changelog offsets by task, of those tasks whose state the member has."""
    shutdown_application: bool = False
    endpoint_epoch: int = 0
    client_id: str = ""
    client_host: str = ""
    knows_missing_tags: bool = True
    """True from version 1: the status MISSING_CLIENT_TAGS may be sent."""


@value
class RegexResolved:
    """Result of an effect `ResolveRegex` (rule 3.8). It has no answer."""

    group_id: GroupId
    effect: object
    """Effect that produced it: the group may wait for another one by now, or for none."""
    resolved: Mapping[str, Sequence[TopicName]]
    """Matching topics in ascending order, by regular expression."""


@value
class TargetComputed:
    """Result of an effect `Assign` (rule 3.4 step 4). It has no answer."""

    group_id: GroupId
    effect: object
    """Effect that produced it, as in `RegexResolved`."""
    targets: Mapping[MemberId, Mapping[TopicId, frozenset[PartitionId]]]
    """Targets of the members whose target has changed."""
    arrays: object | None = None
    """Arrays of the group, for the next assignment."""
    failure: str = ""
    """Error of the assignor; empty on success."""


@value
class Leaver:
    """Member to remove. `member_id` "" with an instance id: an operator removes it."""

    member_id: MemberId
    group_instance_id: InstanceId | None = None
    reason: str = ""
    """Reason of the client, from version 5 (KIP-800)."""


@value
class LeaveGroup:
    """Command answered with `Left`, with one error code per leaver (rule 2.11). Versions 0-2 name one leaver."""

    group_id: GroupId
    members: Sequence[Leaver]


@value
class OffsetToCommit:
    """One partition's position. `topic_id` is zero when it is not known; `leader_epoch` -1 when there is none."""

    topic: TopicName
    topic_id: TopicId
    partition: PartitionId
    offset: int
    leader_epoch: int = -1
    metadata: str | None = None


@value
class CommitOffsets:
    """Command answered with `Committed` (rule 2.13). Unknown partitions are refused before, by the broker."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    retention_time_ms: int = -1
    """Retention in ms, in versions 2-4 only; -1 for the broker's `offsets.retention.minutes`."""
    member_epochs_supported: bool = True
    """From version 9 `generation_id` may be the epoch of a member of a consumer group. Before, GROUP_ID_NOT_FOUND is
    spelled ILLEGAL_GENERATION.
    """


@value
class CommitInTransaction:
    """TxnOffsetCommit (rule 2.14): pending until the transaction ends. Answered with `Committed`.

    The handler has checked that the transaction is open and contains this group's partition.
    """

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    producer_id: ProducerId
    producer_epoch: int
    member_epochs_supported: bool = True
    """From version 6 (KIP-1319). Before, GROUP_ID_NOT_FOUND and STALE_MEMBER_EPOCH are spelled ILLEGAL_GENERATION."""


@value
class EndOfTransaction:
    """The marker that ends a producer's transaction in this shard. Answered with `Accepted` once durable."""

    marker: Marker


@value
class OffsetsWanted:
    """Partitions of one topic. A non-zero `topic_id` hides offsets that were committed under another id."""

    topic: TopicName
    topic_id: TopicId
    partitions: Sequence[PartitionId]


@value
class FetchOffsets:
    """Command answered with `Fetched` (rule 2.15). `topics` None: everything that the group has committed."""

    group_id: GroupId
    topics: Sequence[OffsetsWanted] | None
    require_stable: bool = False
    member_id: MemberId | None = None
    """Member of a consumer group that sends the request, from version 9."""
    member_epoch: int = -1


@value
class DescribeGroup:
    """Command answered with `Described`; GROUP_ID_NOT_FOUND is NONE, state "Dead" before version 6 (rule 2.16)."""

    group_id: GroupId


@value
class DescribeConsumerGroup:
    """Command answered with `DescribedConsumerGroup` (rule 3.11)."""

    group_id: GroupId


@value
class DescribeStreamsGroup:
    """Answered `DescribedStreamsGroup` (rule 5.6)."""

    group_id: GroupId


@value
class ListGroups:
    """Command answered with `Listed`: this shard's groups. Both filters ignore case; empty means all (rule 2.16)."""

    states: Sequence[str] = ()
    types: Sequence[str] = ()


@value
class DeleteGroup:
    """Command answered with `Accepted` (rule 2.17)."""

    group_id: GroupId


@value
class DeleteOffsets:
    """Command answered with `OffsetsDeleted` (rule 2.17). Unknown topics are refused before, by the handler."""

    group_id: GroupId
    partitions: Sequence[tuple[TopicName, PartitionId]]


@value
class ExpireOffsets:
    """Step of the shard's own search for unused offsets. It has no answer."""


@value
class ForgetOffsets:
    """Step of the removal of many offsets (`offsets/forget_in_steps.py`). It has no answer."""


@value
class ConfigureGroup:
    """All configs of one group, whether it exists or not. Answered with `Accepted`.

    `at_load`: True if the shard was just loaded. The configs have not changed then, so no rebalance follows.
    """

    group_id: GroupId
    configs: GroupConfigs
    at_load: bool = False


@value
class TopicsDeleted:
    """Deletion of topics, and of every offset committed for them (rule 6.4.7). Answered with `Accepted`."""

    topics: Sequence[TopicName]


@value
class Resign:
    """This broker no longer leads the shard: parked joins and syncs end with NOT_COORDINATOR (rule 6.5.5)."""
