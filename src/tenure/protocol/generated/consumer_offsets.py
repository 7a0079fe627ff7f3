"""Generated from `tenure/protocol/tables/consumer_offsets.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class OffsetCommitKey(Message):
    __slots__ = ("group", "topic", "partition")
    TABLE = "consumer_offsets"
    KEY = 1
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group: GroupId = GroupId(""),
        topic: TopicName = TopicName(""),
        partition: PartitionId = PartitionId(0),
    ) -> None:
        self.group: Final = group
        self.topic: Final = topic
        self.partition: Final = partition


class OffsetCommitValue(Message):
    __slots__ = ("offset", "leader_epoch", "metadata", "commit_timestamp", "expire_timestamp", "topic_id")
    TABLE = "consumer_offsets"
    KEY = 1
    VERSIONS = range(0, 5)

    def __init__(
        self,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch
        self.metadata: Final = metadata
        self.commit_timestamp: Final = commit_timestamp
        self.expire_timestamp: Final = expire_timestamp
        self.topic_id: Final = topic_id


class GroupMetadataKey(Message):
    __slots__ = ("group",)
    TABLE = "consumer_offsets"
    KEY = 2
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group: GroupId = GroupId(""),
    ) -> None:
        self.group: Final = group


class MemberMetadata(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "rebalance_timeout", "session_timeout", "subscription", "assignment")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b"",
        assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.rebalance_timeout: Final = rebalance_timeout
        self.session_timeout: Final = session_timeout
        self.subscription: Final = subscription
        self.assignment: Final = assignment


class GroupMetadataValue(Message):
    __slots__ = ("protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members")
    TABLE = "consumer_offsets"
    KEY = 2
    VERSIONS = range(0, 5)

    def __init__(
        self,
        protocol_type: str = "",
        generation: GenerationId = GenerationId(0),
        protocol: str | None = "",
        leader: MemberId | None = MemberId(""),
        current_state_timestamp: int = -1,
        members: list[MemberMetadata] = EMPTY,
    ) -> None:
        self.protocol_type: Final = protocol_type
        self.generation: Final = generation
        self.protocol: Final = protocol
        self.leader: Final = leader
        self.current_state_timestamp: Final = current_state_timestamp
        self.members: Final = [] if members is EMPTY else members
