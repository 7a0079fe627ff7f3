"""Generated from `tenure/protocol/tables/delete_records.py` by `python -m tenure.protocol.generate`."""

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


class DeleteRecordsPartition(Struct):
    __slots__ = ("partition_index", "offset")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        offset: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.offset: Final = offset


class DeleteRecordsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[DeleteRecordsPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DeleteRecordsRequest(Message):
    __slots__ = ("topics", "timeout_ms")
    TABLE = "delete_records"
    KEY = 21
    VERSIONS = range(0, 3)

    def __init__(
        self,
        topics: list[DeleteRecordsTopic] = EMPTY,
        timeout_ms: int = 0,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms


class DeleteRecordsPartitionResult(Struct):
    __slots__ = ("partition_index", "low_watermark", "error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        low_watermark: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.low_watermark: Final = low_watermark
        self.error_code: Final = error_code


class DeleteRecordsTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[DeleteRecordsPartitionResult] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DeleteRecordsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    TABLE = "delete_records"
    KEY = 21
    VERSIONS = range(0, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[DeleteRecordsTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
