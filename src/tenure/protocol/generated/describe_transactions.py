"""Generated from `tenure/protocol/tables/describe_transactions.py` by `python -m tenure.protocol.generate`."""

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


class DescribeTransactionsRequest(Message):
    __slots__ = ("transactional_ids",)
    TABLE = "describe_transactions"
    KEY = 65
    VERSIONS = range(0, 1)

    def __init__(
        self,
        transactional_ids: list[str] = EMPTY,
    ) -> None:
        self.transactional_ids: Final = [] if transactional_ids is EMPTY else transactional_ids


class DescribedTransactionTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class DescribedTransaction(Struct):
    __slots__ = ("error_code", "transactional_id", "transaction_state", "transaction_timeout_ms", "transaction_start_time_ms", "producer_id", "producer_epoch", "topics")

    def __init__(
        self,
        error_code: int = 0,
        transactional_id: str = "",
        transaction_state: str = "",
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        topics: list[DescribedTransactionTopic] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.transactional_id: Final = transactional_id
        self.transaction_state: Final = transaction_state
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.transaction_start_time_ms: Final = transaction_start_time_ms
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.topics: Final = [] if topics is EMPTY else topics


class DescribeTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "transaction_states")
    TABLE = "describe_transactions"
    KEY = 65
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        transaction_states: list[DescribedTransaction] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.transaction_states: Final = [] if transaction_states is EMPTY else transaction_states
