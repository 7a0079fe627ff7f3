"""Generated from `tenure/protocol/tables/alter_replica_log_dirs.py` by `python -m tenure.protocol.generate`."""

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


class AlterReplicaLogDirTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class AlterReplicaLogDir(Struct):
    __slots__ = ("path", "topics")

    def __init__(
        self,
        path: str = "",
        topics: list[AlterReplicaLogDirTopic] = EMPTY,
    ) -> None:
        self.path: Final = path
        self.topics: Final = [] if topics is EMPTY else topics


class AlterReplicaLogDirsRequest(Message):
    __slots__ = ("dirs",)
    TABLE = "alter_replica_log_dirs"
    KEY = 34
    VERSIONS = range(1, 3)

    def __init__(
        self,
        dirs: list[AlterReplicaLogDir] = EMPTY,
    ) -> None:
        self.dirs: Final = [] if dirs is EMPTY else dirs


class AlterReplicaLogDirPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code


class AlterReplicaLogDirTopicResult(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: TopicName = TopicName(""),
        partitions: list[AlterReplicaLogDirPartitionResult] = EMPTY,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class AlterReplicaLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    TABLE = "alter_replica_log_dirs"
    KEY = 34
    VERSIONS = range(1, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AlterReplicaLogDirTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results
