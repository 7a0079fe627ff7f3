"""Generated from `tenure/protocol/tables/transaction_state.py` by `python -m tenure.protocol.generate`."""

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


class TransactionLogKey(Message):
    __slots__ = ("transactional_id",)
    TABLE = "transaction_state"
    KEY = 0
    VERSIONS = range(0, 1)

    def __init__(
        self,
        transactional_id: str = "",
    ) -> None:
        self.transactional_id: Final = transactional_id


class TransactionPartitions(Struct):
    __slots__ = ("topic", "partition_ids")

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partition_ids: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partition_ids: Final = [] if partition_ids is EMPTY else partition_ids


class TransactionLogValue(Message):
    __slots__ = ("producer_id", "previous_producer_id", "next_producer_id", "producer_epoch", "next_producer_epoch", "transaction_timeout_ms", "transaction_status", "transaction_partitions", "transaction_last_update_timestamp_ms", "transaction_start_timestamp_ms", "client_transaction_version")
    TABLE = "transaction_state"
    KEY = 0
    VERSIONS = range(0, 2)

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        previous_producer_id: ProducerId = ProducerId(-1),
        next_producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[TransactionPartitions] | None = EMPTY,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
    ) -> None:
        self.producer_id: Final = producer_id
        self.previous_producer_id: Final = previous_producer_id
        self.next_producer_id: Final = next_producer_id
        self.producer_epoch: Final = producer_epoch
        self.next_producer_epoch: Final = next_producer_epoch
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.transaction_status: Final = transaction_status
        self.transaction_partitions: Final = [] if transaction_partitions is EMPTY else transaction_partitions
        self.transaction_last_update_timestamp_ms: Final = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms: Final = transaction_start_timestamp_ms
        self.client_transaction_version: Final = client_transaction_version
