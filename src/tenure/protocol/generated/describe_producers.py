"""Generated from `tenure/protocol/tables/describe_producers.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    PartitionId,
    ProducerId,
    TopicName,
)


class DescribeProducersTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partition_indexes: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = [] if partition_indexes is EMPTY else partition_indexes


class DescribeProducersRequest(Message):
    __slots__ = ("topics",)
    TABLE = "describe_producers"
    KEY = 61
    VERSIONS = range(0, 1)

    def __init__(
        self,
        topics: list[DescribeProducersTopic] = EMPTY,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics


class ProducerState(Struct):
    __slots__ = ("producer_id", "producer_epoch", "last_sequence", "last_timestamp", "coordinator_epoch", "current_txn_start_offset")

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        last_sequence: int = -1,
        last_timestamp: int = -1,
        coordinator_epoch: int = 0,
        current_txn_start_offset: int = -1,
    ) -> None:
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.last_sequence: Final = last_sequence
        self.last_timestamp: Final = last_timestamp
        self.coordinator_epoch: Final = coordinator_epoch
        self.current_txn_start_offset: Final = current_txn_start_offset


class DescribeProducersPartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "active_producers")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        error_message: str | None = None,
        active_producers: list[ProducerState] = EMPTY,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.active_producers: Final = [] if active_producers is EMPTY else active_producers


class DescribeProducersTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[DescribeProducersPartitionResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribeProducersResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")
    TABLE = "describe_producers"
    KEY = 61
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[DescribeProducersTopicResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
