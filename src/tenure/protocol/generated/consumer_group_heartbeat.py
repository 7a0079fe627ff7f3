"""Generated from `tenure/protocol/tables/consumer_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

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


class HeartbeatTopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ConsumerGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names", "subscribed_topic_regex", "server_assignor", "topic_partitions")
    TABLE = "consumer_group_heartbeat"
    KEY = 68
    VERSIONS = range(0, 2)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
        member_epoch: int = 0,
        instance_id: InstanceId | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: list[TopicName] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: list[HeartbeatTopicPartitions] | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.server_assignor: Final = server_assignor
        self.topic_partitions: Final = topic_partitions


class HeartbeatAssignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: list[HeartbeatTopicPartitions] = EMPTY,
    ) -> None:
        self.topic_partitions: Final = [] if topic_partitions is EMPTY else topic_partitions


DEFAULT_HEARTBEAT_ASSIGNMENT: Final = HeartbeatAssignment()


class ConsumerGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "assignment")
    TABLE = "consumer_group_heartbeat"
    KEY = 68
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: MemberId | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: HeartbeatAssignment | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.heartbeat_interval_ms: Final = heartbeat_interval_ms
        self.assignment: Final = assignment
