"""Generated from `tenure/protocol/tables/offset_delete.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
    PartitionId,
    TopicName,
)


class OffsetDeleteRequestPartition(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
    ) -> None:
        self.partition_index: Final = partition_index


class OffsetDeleteRequestTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[OffsetDeleteRequestPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetDeleteRequest(Message):
    __slots__ = ("group_id", "topics")
    TABLE = "offset_delete"
    KEY = 47
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        topics: list[OffsetDeleteRequestTopic] = EMPTY,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = [] if topics is EMPTY else topics


class OffsetDeleteResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code


class OffsetDeleteResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[OffsetDeleteResponsePartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetDeleteResponse(Message):
    __slots__ = ("error_code", "throttle_time_ms", "topics")
    TABLE = "offset_delete"
    KEY = 47
    VERSIONS = range(0, 1)

    def __init__(
        self,
        error_code: int = 0,
        throttle_time_ms: int = 0,
        topics: list[OffsetDeleteResponseTopic] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
