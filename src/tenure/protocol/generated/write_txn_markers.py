"""Generated from `tenure/protocol/tables/write_txn_markers.py` by `python -m tenure.protocol.generate`."""

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


class WritableTxnMarkerTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partition_indexes: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = [] if partition_indexes is EMPTY else partition_indexes


class WritableTxnMarker(Struct):
    __slots__ = ("producer_id", "producer_epoch", "transaction_result", "topics", "coordinator_epoch", "transaction_version")

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: list[WritableTxnMarkerTopic] = EMPTY,
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
    ) -> None:
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.transaction_result: Final = transaction_result
        self.topics: Final = [] if topics is EMPTY else topics
        self.coordinator_epoch: Final = coordinator_epoch
        self.transaction_version: Final = transaction_version


class WriteTxnMarkersRequest(Message):
    __slots__ = ("markers",)
    TABLE = "write_txn_markers"
    KEY = 27
    VERSIONS = range(1, 3)

    def __init__(
        self,
        markers: list[WritableTxnMarker] = EMPTY,
    ) -> None:
        self.markers: Final = [] if markers is EMPTY else markers


class WritableTxnMarkerPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code


class WritableTxnMarkerTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[WritableTxnMarkerPartitionResult] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class WritableTxnMarkerResult(Struct):
    __slots__ = ("producer_id", "topics")

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        topics: list[WritableTxnMarkerTopicResult] = EMPTY,
    ) -> None:
        self.producer_id: Final = producer_id
        self.topics: Final = [] if topics is EMPTY else topics


class WriteTxnMarkersResponse(Message):
    __slots__ = ("markers",)
    TABLE = "write_txn_markers"
    KEY = 27
    VERSIONS = range(1, 3)

    def __init__(
        self,
        markers: list[WritableTxnMarkerResult] = EMPTY,
    ) -> None:
        self.markers: Final = [] if markers is EMPTY else markers
