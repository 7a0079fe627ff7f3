"""Generated from `tenure/protocol/tables/init_producer_id.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)
from tenure.protocol.types import (
    ProducerId,
)


class InitProducerIdRequest(Message):
    __slots__ = ("transactional_id", "transaction_timeout_ms", "producer_id", "producer_epoch")
    TABLE = "init_producer_id"
    KEY = 22
    VERSIONS = range(0, 6)

    def __init__(
        self,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = -1,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch


class InitProducerIdResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")
    TABLE = "init_producer_id"
    KEY = 22
    VERSIONS = range(0, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
