"""Generated from `tenure/protocol/tables/describe_quorum.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    PartitionId,
    TopicName,
)


class DescribeQuorumPartition(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
    ) -> None:
        self.partition_index: Final = partition_index


class DescribeQuorumTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
        partitions: list[DescribeQuorumPartition] = EMPTY,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribeQuorumRequest(Message):
    __slots__ = ("topics",)
    TABLE = "describe_quorum"
    KEY = 55
    VERSIONS = range(0, 3)

    def __init__(
        self,
        topics: list[DescribeQuorumTopic] = EMPTY,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics


class QuorumReplica(Struct):
    __slots__ = ("replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp", "last_caught_up_timestamp")

    def __init__(
        self,
        replica_id: int = 0,
        replica_directory_id: bytes = bytes(16),
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id: Final = replica_id
        self.replica_directory_id: Final = replica_directory_id
        self.log_end_offset: Final = log_end_offset
        self.last_fetch_timestamp: Final = last_fetch_timestamp
        self.last_caught_up_timestamp: Final = last_caught_up_timestamp


class DescribedQuorumPartition(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "leader_id", "leader_epoch", "high_watermark", "current_voters", "observers")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        error_message: str | None = "",
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: list[QuorumReplica] = EMPTY,
        observers: list[QuorumReplica] = EMPTY,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.high_watermark: Final = high_watermark
        self.current_voters: Final = [] if current_voters is EMPTY else current_voters
        self.observers: Final = [] if observers is EMPTY else observers


class DescribedQuorumTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
        partitions: list[DescribedQuorumPartition] = EMPTY,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class QuorumListener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port


class QuorumNode(Struct):
    __slots__ = ("node_id", "listeners")

    def __init__(
        self,
        node_id: int = 0,
        listeners: list[QuorumListener] = EMPTY,
    ) -> None:
        self.node_id: Final = node_id
        self.listeners: Final = [] if listeners is EMPTY else listeners


class DescribeQuorumResponse(Message):
    __slots__ = ("error_code", "error_message", "topics", "nodes")
    TABLE = "describe_quorum"
    KEY = 55
    VERSIONS = range(0, 3)

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[DescribedQuorumTopic] = EMPTY,
        nodes: list[QuorumNode] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topics: Final = [] if topics is EMPTY else topics
        self.nodes: Final = [] if nodes is EMPTY else nodes
