"""What the groups shard can be asked, in its own words: a new API version must not touch a rule.

A handler sends one command per group (a request that names several groups becomes several asks). Answers stand in
`answers.py`; every command may also be answered `Refused`.
"""

from collections.abc import Mapping, Sequence

from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.values import value
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
    """Answered `Joined`, perhaps much later (rules 2.4-2.8)."""

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
    """From version 4 a dynamic member is first handed its id with MEMBER_ID_REQUIRED (KIP-394)."""
    skip_assignment_supported: bool = True
    """From version 9 a restarted leader is told to skip the assignment (KIP-814)."""
    reason: str = ""
    """From version 8 (KIP-800): why the client joins, in its own words."""


@value
class SyncGroup:
    """Answered `Synced`, once the leader has brought the assignments (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    protocol_type: str | None
    protocol_name: str | None
    assignments: dict[MemberId, bytes]
    """Empty unless the member leads."""
    protocol_required: bool = True
    """From version 5 protocol type and name must not be null."""


@value
class Heartbeat:
    """Answered `Accepted` (rule 2.10)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId


@value
class ConsumerHeartbeat:
    """Answered `HeartbeatAnswered` (rules 3.3-3.6). Fields that are None have not changed since the last one."""

    group_id: GroupId
    member_id: MemberId
    member_epoch: int
    """Or one of JOINS, LEAVES, LEAVES_FOR_NOW."""
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
    """From version 1: before, who joins without an id is given one."""


@value
class RegexResolved:
    """What came of an effect `ResolveRegex` (rule 3.8). Nobody waits for an answer."""

    group_id: GroupId
    effect: object
    """That effect: the group may wait for another one by now, or for none."""
    resolved: Mapping[str, Sequence[TopicName]]
    """By regular expression: the topics that match, ascending."""


@value
class TargetComputed:
    """What came of an effect `Assign` (rule 3.4 step 4). Nobody waits for an answer."""

    group_id: GroupId
    effect: object
    """That effect, as in `RegexResolved`."""
    targets: Mapping[MemberId, Mapping[TopicId, frozenset[PartitionId]]]
    """Of the members whose target is another one than before."""
    standing: object | None = None
    """The group in arrays, for the next time."""
    failure: str = ""
    """What the assignor said instead."""


@value
class Leaver:
    """`member_id` "" with an instance id: an operator removes the seat."""

    member_id: MemberId
    group_instance_id: InstanceId | None = None
    reason: str = ""
    """From version 5 (KIP-800)."""


@value
class LeaveGroup:
    """Answered `Left`, one error code per leaver in their order (rule 2.11). Versions 0-2 name one leaver."""

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
    """Answered `Committed` (rule 2.13). Unknown partitions are refused before (`offsets/unknown_partitions.py`)."""

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    retention_time_ms: int = -1
    """Versions 2-4 only; -1: as the broker's `offsets.retention.minutes` says."""
    member_epochs_supported: bool = True
    """From version 9 `generation_id` may be the epoch of a member of a consumer group. Before, GROUP_ID_NOT_FOUND is
    spelled ILLEGAL_GENERATION.
    """


@value
class CommitInTransaction:
    """TxnOffsetCommit, up to version 5 (rule 2.14): pending until the transaction ends. Answered `Committed`.

    That the transaction is open, and holds this group's partition, is known before.
    """

    group_id: GroupId
    member_id: MemberId
    group_instance_id: InstanceId | None
    generation_id: GenerationId
    offsets: Sequence[OffsetToCommit]
    producer_id: ProducerId
    producer_epoch: int


@value
class EndOfTransaction:
    """The marker that ends a producer's transaction in this shard. Answered `Accepted`, when it is durable."""

    marker: Marker


@value
class OffsetsWanted:
    """Partitions of one topic. A non-zero `topic_id` hides offsets that were committed under another id."""

    topic: TopicName
    topic_id: TopicId
    partitions: Sequence[PartitionId]


@value
class FetchOffsets:
    """Answered `Fetched` (rule 2.15). `topics` None: everything that the group has committed."""

    group_id: GroupId
    topics: Sequence[OffsetsWanted] | None
    require_stable: bool = False
    member_id: MemberId | None = None
    """From version 9: who reads, if it is a member of a consumer group."""
    member_epoch: int = -1


@value
class DescribeGroup:
    """Answered `Described`; Refused GROUP_ID_NOT_FOUND is NONE with state "Dead" before version 6 (rule 2.16)."""

    group_id: GroupId


@value
class DescribeConsumerGroup:
    """Answered `DescribedConsumerGroup` (rule 3.11)."""

    group_id: GroupId


@value
class ListGroups:
    """Answered `Listed`: this shard's groups. Both filters ignore case; empty means all (rule 2.16)."""

    states: Sequence[str] = ()
    types: Sequence[str] = ()


@value
class DeleteGroup:
    """Answered `Accepted` (rule 2.17)."""

    group_id: GroupId


@value
class DeleteOffsets:
    """Answered `OffsetsDeleted` (rule 2.17). Unknown topics are refused before, by the handler."""

    group_id: GroupId
    partitions: Sequence[tuple[TopicName, PartitionId]]


@value
class ExpireOffsets:
    """A step of the shard's own search for offsets that nobody has wanted for long; nobody waits for an answer."""


@value
class ForgetOffsets:
    """A step of many offsets that go (`offsets/forget_in_steps.py`); nobody waits for an answer."""


@value
class ConfigureGroup:
    """All configs of one group, whether it exists or not. Answered `Accepted`.

    `at_load`: told because the shard was loaded. Nothing has changed then, and no rebalance follows.
    """

    group_id: GroupId
    configs: GroupConfigs
    at_load: bool = False


@value
class TopicsDeleted:
    """The topics are gone, and with them every offset committed for them (rule 6.4.7). Answered `Accepted`."""

    topics: Sequence[TopicName]


@value
class Resign:
    """This broker no longer leads the shard: parked joins and syncs end with NOT_COORDINATOR (rule 6.5.5)."""
