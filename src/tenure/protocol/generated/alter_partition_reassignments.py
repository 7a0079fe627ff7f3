"""Generated from `tenure/protocol/tables/alter_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

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


class ReassignablePartition(Struct):
    __slots__ = ("partition_index", "replicas")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        replicas: list[int] | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.replicas: Final = replicas


class ReassignableTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ReassignablePartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class AlterPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")
    TABLE = "alter_partition_reassignments"
    KEY = 45
    VERSIONS = range(0, 2)

    def __init__(
        self,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[ReassignableTopic] = EMPTY,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.allow_replication_factor_change: Final = allow_replication_factor_change
        self.topics: Final = [] if topics is EMPTY else topics


class ReassignablePartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class ReassignableTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ReassignablePartitionResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class AlterPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "allow_replication_factor_change", "error_code", "error_message", "responses")
    TABLE = "alter_partition_reassignments"
    KEY = 45
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = "",
        responses: list[ReassignableTopicResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.allow_replication_factor_change: Final = allow_replication_factor_change
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.responses: Final = [] if responses is EMPTY else responses
