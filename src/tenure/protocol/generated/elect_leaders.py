"""Generated from `tenure/protocol/tables/elect_leaders.py` by `python -m tenure.protocol.generate`."""

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


class TopicPartitions(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ElectLeadersRequest(Message):
    __slots__ = ("election_type", "topic_partitions", "timeout_ms")
    TABLE = "elect_leaders"
    KEY = 43
    VERSIONS = range(0, 3)

    def __init__(
        self,
        election_type: int = 0,
        topic_partitions: list[TopicPartitions] | None = EMPTY,
        timeout_ms: int = 60000,
    ) -> None:
        self.election_type: Final = election_type
        self.topic_partitions: Final = [] if topic_partitions is EMPTY else topic_partitions
        self.timeout_ms: Final = timeout_ms


class PartitionResult(Struct):
    __slots__ = ("partition_id", "error_code", "error_message")

    def __init__(
        self,
        partition_id: PartitionId = PartitionId(0),
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.partition_id: Final = partition_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class ReplicaElectionResult(Struct):
    __slots__ = ("topic", "partition_result")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partition_result: list[PartitionResult] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partition_result: Final = [] if partition_result is EMPTY else partition_result


class ElectLeadersResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")
    TABLE = "elect_leaders"
    KEY = 43
    VERSIONS = range(0, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ReplicaElectionResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.replica_election_results: Final = [] if replica_election_results is EMPTY else replica_election_results
