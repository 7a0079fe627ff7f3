"""Generated from `tenure/protocol/tables/describe_log_dirs.py` by `python -m tenure.protocol.generate`."""

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


class DescribableLogDirTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribeLogDirsRequest(Message):
    __slots__ = ("topics",)
    TABLE = "describe_log_dirs"
    KEY = 35
    VERSIONS = range(1, 6)

    def __init__(
        self,
        topics: list[DescribableLogDirTopic] | None = EMPTY,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics


class DescribeLogDirsPartition(Struct):
    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        partition_size: int = 0,
        offset_lag: int = 0,
        is_future_key: bool = False,
    ) -> None:
        self.partition_index: Final = partition_index
        self.partition_size: Final = partition_size
        self.offset_lag: Final = offset_lag
        self.is_future_key: Final = is_future_key


class DescribeLogDirsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[DescribeLogDirsPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribeLogDirsResult(Struct):
    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")

    def __init__(
        self,
        error_code: int = 0,
        log_dir: str = "",
        topics: list[DescribeLogDirsTopic] = EMPTY,
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
    ) -> None:
        self.error_code: Final = error_code
        self.log_dir: Final = log_dir
        self.topics: Final = [] if topics is EMPTY else topics
        self.total_bytes: Final = total_bytes
        self.usable_bytes: Final = usable_bytes
        self.is_cordoned: Final = is_cordoned


class DescribeLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results")
    TABLE = "describe_log_dirs"
    KEY = 35
    VERSIONS = range(1, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: list[DescribeLogDirsResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.results: Final = [] if results is EMPTY else results
