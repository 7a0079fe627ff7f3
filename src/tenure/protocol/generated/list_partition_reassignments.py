"""Generated from `tenure/protocol/tables/list_partition_reassignments.py` by `python -m tenure.protocol.generate`."""

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


class ListPartitionReassignmentsTopics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partition_indexes: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = [] if partition_indexes is EMPTY else partition_indexes


class ListPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "topics")
    TABLE = "list_partition_reassignments"
    KEY = 46
    VERSIONS = range(0, 1)

    def __init__(
        self,
        timeout_ms: int = 60000,
        topics: list[ListPartitionReassignmentsTopics] | None = None,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.topics: Final = topics


class OngoingPartitionReassignment(Struct):
    __slots__ = ("partition_index", "replicas", "adding_replicas", "removing_replicas")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        replicas: list[int] = EMPTY,
        adding_replicas: list[int] = EMPTY,
        removing_replicas: list[int] = EMPTY,
    ) -> None:
        self.partition_index: Final = partition_index
        self.replicas: Final = [] if replicas is EMPTY else replicas
        self.adding_replicas: Final = [] if adding_replicas is EMPTY else adding_replicas
        self.removing_replicas: Final = [] if removing_replicas is EMPTY else removing_replicas


class OngoingTopicReassignment(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[OngoingPartitionReassignment] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ListPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics")
    TABLE = "list_partition_reassignments"
    KEY = 46
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[OngoingTopicReassignment] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topics: Final = [] if topics is EMPTY else topics
