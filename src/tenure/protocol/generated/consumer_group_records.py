"""Generated from `tenure/protocol/tables/consumer_group_records.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class ConsumerGroupMetadataKey(Message):
    __slots__ = ("group_id",)
    TABLE = "consumer_group_records"
    KEY = 3
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class ConsumerGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")
    TABLE = "consumer_group_records"
    KEY = 3
    VERSIONS = range(0, 1)

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
    ) -> None:
        self.epoch: Final = epoch
        self.metadata_hash: Final = metadata_hash


class ConsumerGroupPartitionMetadataKey(Message):
    __slots__ = ("group_id",)
    TABLE = "consumer_group_records"
    KEY = 4
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class PartitionMetadata(Struct):
    __slots__ = ("partition", "racks")

    def __init__(
        self,
        partition: PartitionId = PartitionId(0),
        racks: list[str] = EMPTY,
    ) -> None:
        self.partition: Final = partition
        self.racks: Final = [] if racks is EMPTY else racks


class TopicMetadata(Struct):
    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        topic_name: TopicName = TopicName(""),
        num_partitions: int = 0,
        partition_metadata: list[PartitionMetadata] = EMPTY,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.num_partitions: Final = num_partitions
        self.partition_metadata: Final = [] if partition_metadata is EMPTY else partition_metadata


class ConsumerGroupPartitionMetadataValue(Message):
    __slots__ = ("topics",)
    TABLE = "consumer_group_records"
    KEY = 4
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topics: list[TopicMetadata] = EMPTY,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics


class ConsumerGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "consumer_group_records"
    KEY = 5
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class ClassicProtocol(Struct):
    __slots__ = ("name", "metadata")

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b"",
    ) -> None:
        self.name: Final = name
        self.metadata: Final = metadata


class ClassicMemberMetadata(Struct):
    __slots__ = ("session_timeout_ms", "supported_protocols")

    def __init__(
        self,
        session_timeout_ms: int = 0,
        supported_protocols: list[ClassicProtocol] = EMPTY,
    ) -> None:
        self.session_timeout_ms: Final = session_timeout_ms
        self.supported_protocols: Final = [] if supported_protocols is EMPTY else supported_protocols


DEFAULT_CLASSIC_MEMBER_METADATA: Final = ClassicMemberMetadata()


class ConsumerGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "rebalance_timeout_ms", "server_assignor", "classic_member_metadata")
    TABLE = "consumer_group_records"
    KEY = 5
    VERSIONS = range(0, 1)

    def __init__(
        self,
        instance_id: InstanceId | None = InstanceId(""),
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[TopicName] = EMPTY,
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: ClassicMemberMetadata | None = DEFAULT_CLASSIC_MEMBER_METADATA,
    ) -> None:
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.subscribed_topic_names: Final = [] if subscribed_topic_names is EMPTY else subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.server_assignor: Final = server_assignor
        self.classic_member_metadata: Final = classic_member_metadata


class ConsumerGroupTargetAssignmentMetadataKey(Message):
    __slots__ = ("group_id",)
    TABLE = "consumer_group_records"
    KEY = 6
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.group_id: Final = group_id


class ConsumerGroupTargetAssignmentMetadataValue(Message):
    __slots__ = ("assignment_epoch", "assignment_timestamp")
    TABLE = "consumer_group_records"
    KEY = 6
    VERSIONS = range(0, 1)

    def __init__(
        self,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
    ) -> None:
        self.assignment_epoch: Final = assignment_epoch
        self.assignment_timestamp: Final = assignment_timestamp


class ConsumerGroupTargetAssignmentMemberKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "consumer_group_records"
    KEY = 7
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class TargetTopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ConsumerGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("topic_partitions",)
    TABLE = "consumer_group_records"
    KEY = 7
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topic_partitions: list[TargetTopicPartitions] = EMPTY,
    ) -> None:
        self.topic_partitions: Final = [] if topic_partitions is EMPTY else topic_partitions


class ConsumerGroupCurrentMemberAssignmentKey(Message):
    __slots__ = ("group_id", "member_id")
    TABLE = "consumer_group_records"
    KEY = 8
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id


class CurrentTopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionId] = EMPTY,
        assignment_epochs: list[int] | None = EMPTY,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions
        self.assignment_epochs: Final = [] if assignment_epochs is EMPTY else assignment_epochs


class ConsumerGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "assigned_partitions", "partitions_pending_revocation")
    TABLE = "consumer_group_records"
    KEY = 8
    VERSIONS = range(0, 1)

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[CurrentTopicPartitions] = EMPTY,
        partitions_pending_revocation: list[CurrentTopicPartitions] = EMPTY,
    ) -> None:
        self.member_epoch: Final = member_epoch
        self.previous_member_epoch: Final = previous_member_epoch
        self.state: Final = state
        self.assigned_partitions: Final = [] if assigned_partitions is EMPTY else assigned_partitions
        self.partitions_pending_revocation: Final = [] if partitions_pending_revocation is EMPTY else partitions_pending_revocation


class ConsumerGroupRegularExpressionKey(Message):
    __slots__ = ("group_id", "regular_expression")
    TABLE = "consumer_group_records"
    KEY = 16
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        regular_expression: str = "",
    ) -> None:
        self.group_id: Final = group_id
        self.regular_expression: Final = regular_expression


class ConsumerGroupRegularExpressionValue(Message):
    __slots__ = ("topics", "version", "timestamp")
    TABLE = "consumer_group_records"
    KEY = 16
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topics: list[TopicName] = EMPTY,
        version: int = 0,
        timestamp: int = 0,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.version: Final = version
        self.timestamp: Final = timestamp
