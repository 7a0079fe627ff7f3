"""Generated from `tenure/protocol/tables/add_offsets_to_txn.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    Message,
)
from tenure.protocol.types import (
    GroupId,
    ProducerId,
)


class AddOffsetsToTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "group_id")
    TABLE = "add_offsets_to_txn"
    KEY = 25
    VERSIONS = range(0, 5)

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: ProducerId = ProducerId(0),
        producer_epoch: int = 0,
        group_id: GroupId = GroupId(""),
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.group_id: Final = group_id


class AddOffsetsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")
    TABLE = "add_offsets_to_txn"
    KEY = 25
    VERSIONS = range(0, 5)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
