"""Generated from `tenure/protocol/tables/offset_for_leader_epoch.py` by `python -m tenure.protocol.generate`."""

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


class OffsetForLeaderPartition(Struct):
    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")

    def __init__(
        self,
        partition: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.leader_epoch: Final = leader_epoch


class OffsetForLeaderTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[OffsetForLeaderPartition] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetForLeaderEpochRequest(Message):
    __slots__ = ("replica_id", "topics")
    TABLE = "offset_for_leader_epoch"
    KEY = 23
    VERSIONS = range(2, 5)

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(-2),
        topics: list[OffsetForLeaderTopic] = EMPTY,
    ) -> None:
        self.replica_id: Final = replica_id
        self.topics: Final = [] if topics is EMPTY else topics


class EpochEndOffset(Struct):
    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")

    def __init__(
        self,
        error_code: int = 0,
        partition: PartitionId = PartitionId(0),
        leader_epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.error_code: Final = error_code
        self.partition: Final = partition
        self.leader_epoch: Final = leader_epoch
        self.end_offset: Final = end_offset


class OffsetForLeaderTopicResult(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[EpochEndOffset] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetForLeaderEpochResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    TABLE = "offset_for_leader_epoch"
    KEY = 23
    VERSIONS = range(2, 5)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetForLeaderTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
