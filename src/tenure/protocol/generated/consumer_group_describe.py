"""Generated from `tenure/protocol/tables/consumer_group_describe.py` by `python -m tenure.protocol.generate`."""

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


class ConsumerGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations")
    TABLE = "consumer_group_describe"
    KEY = 69
    VERSIONS = range(0, 2)

    def __init__(
        self,
        group_ids: list[GroupId] = EMPTY,
        include_authorized_operations: bool = False,
    ) -> None:
        self.group_ids: Final = [] if group_ids is EMPTY else group_ids
        self.include_authorized_operations: Final = include_authorized_operations


class DescribedTopicPartitions(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        topic_name: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribedAssignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: list[DescribedTopicPartitions] = EMPTY,
    ) -> None:
        self.topic_partitions: Final = [] if topic_partitions is EMPTY else topic_partitions


DEFAULT_DESCRIBED_ASSIGNMENT: Final = DescribedAssignment()


class DescribedConsumerGroupMember(Struct):
    __slots__ = ("member_id", "instance_id", "rack_id", "member_epoch", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "assignment", "target_assignment", "member_type")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        instance_id: InstanceId | None = None,
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[TopicName] = EMPTY,
        subscribed_topic_regex: str | None = None,
        assignment: DescribedAssignment = DEFAULT_DESCRIBED_ASSIGNMENT,
        target_assignment: DescribedAssignment = DEFAULT_DESCRIBED_ASSIGNMENT,
        member_type: int = -1,
    ) -> None:
        self.member_id: Final = member_id
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.member_epoch: Final = member_epoch
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.subscribed_topic_names: Final = [] if subscribed_topic_names is EMPTY else subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.assignment: Final = assignment
        self.target_assignment: Final = target_assignment
        self.member_type: Final = member_type


class DescribedConsumerGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "assignor_name", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: GroupId = GroupId(""),
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = "",
        members: list[DescribedConsumerGroupMember] = EMPTY,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.group_epoch: Final = group_epoch
        self.assignment_epoch: Final = assignment_epoch
        self.assignor_name: Final = assignor_name
        self.members: Final = [] if members is EMPTY else members
        self.authorized_operations: Final = authorized_operations


class ConsumerGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    TABLE = "consumer_group_describe"
    KEY = 69
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedConsumerGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = [] if groups is EMPTY else groups
