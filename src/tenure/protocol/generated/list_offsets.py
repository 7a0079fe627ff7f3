"""Generated from `tenure/protocol/tables/list_offsets.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicName,
)


class ListOffsetsPartition(Struct):
    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        timestamp: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.current_leader_epoch: Final = current_leader_epoch
        self.timestamp: Final = timestamp


class ListOffsetsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ListOffsetsPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ListOffsetsRequest(Message):
    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")
    TABLE = "list_offsets"
    KEY = 2
    VERSIONS = range(1, 12)

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(0),
        isolation_level: int = 0,
        topics: list[ListOffsetsTopic] = EMPTY,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id: Final = replica_id
        self.isolation_level: Final = isolation_level
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms


class ListOffsetsPartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.timestamp: Final = timestamp
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch


class ListOffsetsTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ListOffsetsPartitionResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ListOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    TABLE = "list_offsets"
    KEY = 2
    VERSIONS = range(1, 12)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[ListOffsetsTopicResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
