"""What the groups shard answers, beside `Refused` and `Accepted`. Handlers translate and add nothing."""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.groups.consumer.member import Assigned
from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName


@value
class JoinedMember:
    """`metadata` is the member's subscription under the selected protocol."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    metadata: bytes


@value
class Joined:
    """A seat in the generation. `members` is empty for everybody but the leader."""

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
    """`assignment` is None when the member knows it already; `heartbeat_interval_ms` is 0 for one that leaves."""

    member_id: MemberId
    member_epoch: int
    heartbeat_interval_ms: int
    assignment: Assigned | None


@value
class LeftMember:
    """Echoes both ids as they were sent."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    error_code: ErrorCode


@value
class Left:
    """One entry per leaver, in the order of the command."""

    members: Sequence[LeftMember]


@value
class Committed:
    """One error code per offset, in the order of the command; empty: all of them were accepted."""

    error_codes: Sequence[ErrorCode] = ()


ALL_COMMITTED: Final = Committed()


@value
class OffsetsDeleted:
    """One error code per partition, in the order of the command."""

    error_codes: Sequence[ErrorCode]


@value
class FetchedOffset:
    """`offset` -1 with NONE: nothing is committed."""

    partition: PartitionId
    offset: int = -1
    leader_epoch: int = -1
    metadata: str = ""
    error_code: ErrorCode = ErrorCode.NONE


@value
class FetchedTopic:
    """Topic and id as they were asked for. When everything was asked for, the id is that of the commit, or of today's
    topic; zero if the topic is gone.
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
    """`metadata` only while the group is Stable; `assignment` until a rebalance drops it."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    metadata: bytes
    assignment: bytes


@value
class Described:
    """`state` is one of Kafka's names; `protocol_name` is "" unless the group is Stable."""

    group_id: GroupId
    state: str
    protocol_type: str
    protocol_name: str
    members: Sequence[DescribedMember]


@value
class DescribedConsumerMember:
    """Its partitions as topic id and partitions; `is_classic`: it speaks the classic protocol."""

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
    """`state` is one of Kafka's names."""

    group_id: GroupId
    state: str
    group_epoch: int
    assignment_epoch: int
    assignor: str
    members: Sequence[DescribedConsumerMember]


@value
class ListedGroup:
    """`group_type` in lower case."""

    group_id: GroupId
    protocol_type: str
    state: str
    group_type: str


@value
class Listed:
    """This shard's groups that pass the filters."""

    groups: Sequence[ListedGroup]
