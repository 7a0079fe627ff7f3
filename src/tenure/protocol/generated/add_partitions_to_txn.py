"""Generated from `tenure/protocol/tables/add_partitions_to_txn.py` by `python -m tenure.protocol.generate`."""

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


class AddPartitionsToTxnTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class AddPartitionsToTxnTransaction(Struct):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: list[AddPartitionsToTxnTopic] = EMPTY,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.verify_only: Final = verify_only
        self.topics: Final = [] if topics is EMPTY else topics


class AddPartitionsToTxnRequest(Message):
    __slots__ = ("transactions", "v3_and_below_transactional_id", "v3_and_below_producer_id", "v3_and_below_producer_epoch", "v3_and_below_topics")
    TABLE = "add_partitions_to_txn"
    KEY = 24
    VERSIONS = range(0, 6)

    def __init__(
        self,
        transactions: list[AddPartitionsToTxnTransaction] = EMPTY,
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: ProducerId = ProducerId(0),
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[AddPartitionsToTxnTopic] = EMPTY,
    ) -> None:
        self.transactions: Final = [] if transactions is EMPTY else transactions
        self.v3_and_below_transactional_id: Final = v3_and_below_transactional_id
        self.v3_and_below_producer_id: Final = v3_and_below_producer_id
        self.v3_and_below_producer_epoch: Final = v3_and_below_producer_epoch
        self.v3_and_below_topics: Final = [] if v3_and_below_topics is EMPTY else v3_and_below_topics


class AddPartitionsToTxnPartitionResult(Struct):
    __slots__ = ("partition_index", "partition_error_code")

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        partition_error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.partition_error_code: Final = partition_error_code


class AddPartitionsToTxnTopicResult(Struct):
    __slots__ = ("name", "results_by_partition")

    def __init__(
        self,
        name: TopicName = TopicName(""),
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.results_by_partition: Final = [] if results_by_partition is EMPTY else results_by_partition


class AddPartitionsToTxnResult(Struct):
    __slots__ = ("transactional_id", "topic_results")

    def __init__(
        self,
        transactional_id: str = "",
        topic_results: list[AddPartitionsToTxnTopicResult] = EMPTY,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.topic_results: Final = [] if topic_results is EMPTY else topic_results


class AddPartitionsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below")
    TABLE = "add_partitions_to_txn"
    KEY = 24
    VERSIONS = range(0, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[AddPartitionsToTxnResult] = EMPTY,
        results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.results_by_transaction: Final = [] if results_by_transaction is EMPTY else results_by_transaction
        self.results_by_topic_v3_and_below: Final = [] if results_by_topic_v3_and_below is EMPTY else results_by_topic_v3_and_below
