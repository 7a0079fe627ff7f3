"""Generated from `tenure/protocol/tables/describe_topic_partitions.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)


class TopicRequest(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: TopicName = TopicName(""),
    ) -> None:
        self.name: Final = name


class Cursor(Struct):
    __slots__ = ("topic_name", "partition_index")

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
        partition_index: PartitionId = PartitionId(0),
    ) -> None:
        self.topic_name: Final = topic_name
        self.partition_index: Final = partition_index


DEFAULT_CURSOR: Final = Cursor()


class DescribeTopicPartitionsRequest(Message):
    __slots__ = ("topics", "response_partition_limit", "cursor")
    TABLE = "describe_topic_partitions"
    KEY = 75
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topics: list[TopicRequest] = EMPTY,
        response_partition_limit: int = 2000,
        cursor: Cursor | None = None,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.response_partition_limit: Final = response_partition_limit
        self.cursor: Final = cursor


class DescribeTopicPartitionsResponsePartition(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "eligible_leader_replicas", "last_known_elr", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: PartitionId = PartitionId(0),
        leader_id: BrokerId = BrokerId(0),
        leader_epoch: int = -1,
        replica_nodes: list[BrokerId] = EMPTY,
        isr_nodes: list[BrokerId] = EMPTY,
        eligible_leader_replicas: list[BrokerId] | None = None,
        last_known_elr: list[BrokerId] | None = None,
        offline_replicas: list[BrokerId] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.partition_index: Final = partition_index
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.replica_nodes: Final = [] if replica_nodes is EMPTY else replica_nodes
        self.isr_nodes: Final = [] if isr_nodes is EMPTY else isr_nodes
        self.eligible_leader_replicas: Final = eligible_leader_replicas
        self.last_known_elr: Final = last_known_elr
        self.offline_replicas: Final = [] if offline_replicas is EMPTY else offline_replicas


class DescribeTopicPartitionsResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: TopicName | None = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        is_internal: bool = False,
        partitions: list[DescribeTopicPartitionsResponsePartition] = EMPTY,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.is_internal: Final = is_internal
        self.partitions: Final = [] if partitions is EMPTY else partitions
        self.topic_authorized_operations: Final = topic_authorized_operations


class DescribeTopicPartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "next_cursor")
    TABLE = "describe_topic_partitions"
    KEY = 75
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[DescribeTopicPartitionsResponseTopic] = EMPTY,
        next_cursor: Cursor | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
        self.next_cursor: Final = next_cursor
