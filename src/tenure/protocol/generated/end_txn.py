"""Generated from `tenure/protocol/tables/end_txn.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)
from tenure.protocol.types import (
    ProducerId,
)


class EndTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed")
    TABLE = "end_txn"
    KEY = 26
    VERSIONS = range(0, 6)

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        committed: bool = False,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.committed: Final = committed


class EndTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")
    TABLE = "end_txn"
    KEY = 26
    VERSIONS = range(0, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
